#!/bin/bash
# The program under valgrind's memcheck: nothing read that was not written, nothing lost.
set -euo pipefail

[ "$SANITIZED" = 0 ] || exit 77 # the two do not go together

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

checked() # runs hairpin; its own exit code must be $1
{
    local expected=$1 code=0
    shift
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible "$HAIRPIN" "$@" > "$folder/out" 2> "$folder/err" || code=$?
    if [ $code != "$expected" ]; then
        echo "hairpin $*: exit code $code instead of $expected"
        cat "$folder/err"
        exit 1
    fi
}

checked 0 sim --races 70 --jobs 2 --laps 1 --events "$folder/log" --record "$folder/races"
checked 0 replay "$folder/races/race-000001.race" --verify
checked 0 replay "$folder/races/race-000002.race" --events "$folder/again"
checked 0 replay "$folder/races/race-000003.race"
checked 0 show "$folder/races/race-000004.race" --act 50
checked 0 --lang el demo --seed 1
checked 0 circuits --check "$SOURCE_DIR/circuits/usa.circuit"
checked 0 bench --signature
checked 1 circuits --check "$HAIRPIN"
checked 1 replay "$HAIRPIN"
checked 1 show "not a position"
checked 2 sim --rases 3
echo "12 runs, nothing found"
