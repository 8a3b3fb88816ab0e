#!/bin/bash
# Numbers for behaviour: the same whatever the compiler, its options or the machine.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "The other builds' run of this test includes the sanitizers."; exit 77; }

cd "$SOURCE_DIR"
unset MAKEFLAGS MAKELEVEL MFLAGS # an outer make's options are not for these
result=0

compare() # $1: build, $2: its number, $3: the file that knows it
{
    printf '%-8s %s\n' "$1" "$2"
    if [ "$2" != "$(<"$3")" ]; then
        echo "$1 differs: $3 says $(<"$3")"
        result=1
    fi
}

build() # $1: preset, $2: target
{
    cmake --preset "$1" > /dev/null
    cmake --build --preset "$1" --target "$2" --parallel 2 > /dev/null
}

for preset in release O0 clang asan; do
    folder=$SOURCE_DIR/build/$preset
    [ $preset != release ] || folder=$SOURCE_DIR/build
    [ "$folder" = "$BINARY_DIR" ] || build $preset hairpin # not what other tests are running right now
    compare $preset "$("$folder/hairpin" bench --signature)" tests/signature.txt
    compare $preset "$("$folder/hairpin" bench --bots-signature)" tests/bots-signature.txt
done

build wasm signature
compare wasm "$(node tools/wasm_signature.mjs build/wasm/signature.wasm)" tests/signature.txt
exit $result
