#!/bin/bash
# One number for behaviour: the same whatever the compiler, its options or the machine.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "The other builds' run of this test includes the sanitizers."; exit 77; }

cd "$SOURCE_DIR"
unset MAKEFLAGS MAKELEVEL MFLAGS # an outer make's options are not for these
expected=$(<tests/signature.txt)
result=0

compare() # $1: build, $2: its number
{
    printf '%-8s %s\n' "$1" "$2"
    if [ "$2" != "$expected" ]; then
        echo "$1 differs: tests/signature.txt says $expected"
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
    compare $preset "$("$folder/hairpin" bench --signature)"
done

build wasm signature
compare wasm "$(node tools/wasm_signature.mjs build/wasm/signature.wasm)"
exit $result
