#!/bin/bash
# The page in Chromium: tests/browser/*.test.mjs. ONLY=part runs those whose file's name has it.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "the page is the same without sanitizers"; exit 77; }
cd "$SOURCE_DIR/tests/browser"
exec ./run.sh "$BINARY_DIR" --test --test-reporter=spec --test-concurrency=2 *"${ONLY:-}"*.test.mjs
