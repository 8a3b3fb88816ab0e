#!/bin/bash
# Runs node on files of this folder, with the packages that they need: run.sh BUILD ARGUMENT...
#
#   run.sh build screens.mjs      pictures of every screen in every language, into build/screens
#   run.sh build measure.mjs      how heavy and how quick the page is
#   run.sh build --test look.test.mjs
set -euo pipefail

BINARY_DIR=$(cd "$1" && pwd)
HAIRPIN=${HAIRPIN:-$BINARY_DIR/hairpin}
export BINARY_DIR HAIRPIN
shift
cd "$(dirname "$0")"

# The packages are installed beside what is built, once for each lock file.
packages=$BINARY_DIR/browser
stamp=$(cat package.json package-lock.json | sha256sum)
if [ "$stamp" != "$(cat "$packages/stamp" 2> /dev/null)" ]; then
    mkdir -p "$packages"
    cp package.json package-lock.json "$packages"
    install() { (cd "$packages" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error); }
    install || { sleep 5; install; } # the registry has its moments
    echo "$stamp" > "$packages/stamp"
fi
exec node "$@"
