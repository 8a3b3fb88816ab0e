#!/bin/bash
# The page's engine under node: whole races, what comes out of them before our own program and an independent
# referee, rubbish, forgeries, and the network side of link.js with a make-believe server.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "Once is enough."; exit 77; }
[ -e "$BINARY_DIR/web/engine.wasm" ] || { echo "It was not built: clang or wasm-ld is missing."; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$SOURCE_DIR"
node tests/engine_test.mjs "$BINARY_DIR/web/engine.wasm" "$folder"
node --no-warnings tests/link_test.mjs
node --no-warnings tests/worker_test.mjs "$BINARY_DIR/web/engine.wasm"
for race in "$folder"/*.race; do
    "$HAIRPIN" replay "$race" --verify --lang en | grep -q 'every act is legal, every hash matches'
done
echo "$(ls "$folder"/*.race | wc -l) race files are fine"
referee=../shared/referee/verify_events.py
[ ! -e $referee ] || python3 $referee "$folder"/*.jsonl | tail -1 | tee "$folder/verdict"
[ ! -e $referee ] || grep -q ' 0 with a foul' "$folder/verdict"

signature=$(node tools/wasm_signature.mjs "$BINARY_DIR/wasm/bench.wasm")
[ "$signature" = "$(<tests/signature.txt)" ] || { echo "signature $signature"; exit 1; }
signature=$(node tools/wasm_signature.mjs "$BINARY_DIR/wasm/bench.wasm" bots_signature)
[ "$signature" = "$(<tests/bots-signature.txt)" ] || { echo "signature of the bots $signature"; exit 1; }
