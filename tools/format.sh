#!/bin/bash
# Formats the C files in place; with --check only names those that it would change, and fails.
set -euo pipefail

cd "$(dirname "$0")/.."
all() { find rules record bots table server terminal cli bench web tests examples include -name '*.[ch]' -print0; }

if [ "${1:-}" != --check ]; then
    all | xargs -0 clang-format -i
elif ! found=$(all | xargs -0 clang-format --dry-run -Werror 2>&1); then
    echo "$found" | sed -n 's/^\([^ ]*\.[ch]\):[0-9]*:.*/\1/p' | sort | uniq -c
    echo "make format mends these"
    exit 1
fi
