#!/bin/bash
# What somebody else does with the library: install, compile the example with pkg-config alone, run it,
# uninstall. In a build folder of its own: the list of what is installed is kept there.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "Once is enough."; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR PREFIX # an outer make's options are not for these
run() { make --no-print-directory -C "$SOURCE_DIR" BUILD="$scratch/build" PREFIX="$scratch/prefix" "$@"; }

run uninstall 2>&1 | grep "nothing was removed" # works when there is none

run install
for file in bin/hairpin lib/libhairpin.a include/hairpin.h lib/pkgconfig/hairpin.pc; do
    [ -s "$scratch/prefix/$file" ] || { echo "Not installed: $file"; exit 1; }
done
[ -n "$(ls "$scratch/prefix/share/doc/hairpin")" ]
"$scratch/prefix/bin/hairpin" --version

# Moved to another place, it is found there.
mv "$scratch/prefix" "$scratch/moved"
cd "$scratch"
export PKG_CONFIG_PATH=$scratch/moved/lib/pkgconfig
cc -o bot_race "$SOURCE_DIR/examples/bot_race.c" $(pkg-config --cflags --libs hairpin)
[ "$(pkg-config --modversion hairpin)" = "$(sed -n 's/^#define HP_VERSION "\(.*\)"/\1/p' "$SOURCE_DIR/include/hairpin.h")" ]
./bot_race
mv "$scratch/moved" "$scratch/prefix"

run uninstall 2>&1 | grep "^Removed "
left=$(find "$scratch/prefix" ! -type d -o -name hairpin)
[ -z "$left" ] || { echo "Left behind: $left"; exit 1; }

# A package builder's way: staged below DESTDIR, nothing outside of it.
run install DESTDIR="$scratch/stage"
[ -s "$scratch/stage$scratch/prefix/bin/hairpin" ] && [ ! -e "$scratch/prefix/bin/hairpin" ]
run uninstall DESTDIR="$scratch/stage"
left=$(find "$scratch/stage" ! -type d)
[ -z "$left" ] || { echo "Left behind: $left"; exit 1; }
