#!/bin/bash
# label: fast
# The library allocates nothing, does no I/O, reads no clock, keeps no state and uses no floating point: its symbols,
# sections and instructions say so. The same goes for our bots while they think, but for a champion's clock; and they
# include nothing by which they could get at a race.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "Sanitizers add symbols of their own."; exit 77; }

library=$BINARY_DIR/libhairpin.a
# Compilers make strlen and bcmp of loops and comparisons by themselves. (The sources cannot call strlen:
# the WebAssembly build has none.)
allowed='memcpy|memset|memcmp|memmove|strlen|bcmp|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
result=0

complain() # $1: what, $2: list
{
    if [ -n "$2" ]; then
        printf '%s:\n%s\n' "$1" "$2"
        result=1
    fi
}

defined=$(nm --defined-only --no-sort "$library" | awk 'NF == 3 { print $3 }' | sort -u)
needed=$(nm --undefined-only "$library" | awk '$1 == "U" { print $2 }' | sort -u | grep -vxE "$allowed" || true)
[ -n "$defined" ] || { echo "$library defines nothing"; exit 1; }
complain "Needed from outside" "$(comm -13 <(echo "$defined") <(echo "$needed") | sed '/^$/d')"

complain "Names that a program of somebody else may have, too" \
    "$(nm --defined-only --extern-only "$library" | awk 'NF == 3 && $3 !~ /^hp_/ { print $3 }')"

# Constants that hold addresses lie in .data.rel.ro and are read-only once loaded; all other .data is not.
mutable()
{
    objdump -t "$@" | awk '
        /:     file format/ { member = $1 }
        / (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ \.data\.rel\.ro/ && !/ d  \./ { print member, $NF }'
}
complain "Mutable data" "$(mutable "$library")"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
thinkers=(ahead champion driver feelings felt playout rookie standing)
(cd "$folder" && ar x "$BINARY_DIR/libparts.a" "${thinkers[@]/%/.c.o}")
needed=$(nm --undefined-only "$folder"/*.o | awk '$1 == "U" { print $2 }' | sort -u |
    grep -vxE "$allowed|(hp|bot)_.*|clock_gettime|strcmp" || true)
complain "Needed by bots from outside" "$needed"
complain "Mutable data of bots" "$(mutable "$folder"/*.o)"
complain "Included by bots" "$(cd "$SOURCE_DIR" && grep -nE '^#include "' bots/*.[ch] |
    grep -vE '"(bots/[a-z_]+|hairpin)\.h"' || true)"

if [ "$(uname -m)" = x86_64 ]; then
    complain "Floating point" "$(objdump -d --no-show-raw-insn "$library" "$folder"/*.o | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $2 }
        $1 !~ /^[0-9a-f]+:$/ { next }
        $2 ~ /^v?(add|sub|mul|div|sqrt|min|max|round|rcp|rsqrt|hadd|hsub|addsub|dp|cmp[a-z]*)(ss|sd|ps|pd)$/ ||
        $2 ~ /^(v?cvt|v?u?comis|vf|f[a-z])/ { print name, $2 }' | sort | uniq -c)"
fi
exit $result
