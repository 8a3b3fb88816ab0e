#!/bin/bash
# Instructions for a car's turn: repeatable where times are not. instructions.sh [HAIRPIN]
#
# `hairpin bench --callgrind` plays a fixed set of races inside the function bench_counted and prints
# "car-turns N"; only what happens in there is counted.
set -euo pipefail

hairpin=${1:-$(dirname "$0")/../build/hairpin}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

turns=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" \
    --collect-atstart=no --toggle-collect='bench_counted*' "$hairpin" bench --callgrind |
    awk '$1 == "car-turns" { print $2 }')
counted=$(awk '/Collected :/ { print $NF }' "$log")
if [ -z "$turns" ] || [ "${counted:-0}" = 0 ]; then
    cat "$log" >&2
    echo "Nothing was counted: is bench_counted there, and not inlined?" >&2
    exit 1
fi
awk -v turns="$turns" -v counted="$counted" \
    'BEGIN { printf "%.0f instructions for a car'\''s turn (%d in %d turns, callgrind)\n", counted / turns, counted, turns }'
