#!/bin/bash
# Runs each fuzzer: fuzz.sh FOLDER SECONDS, the folder being that of the fuzz build.
# It starts from tests/corpus/NAME, and what crashes it is kept there, to stay a test (corpus_NAME). Inputs
# that only reach further are many: they stay in the build folder for the next run, unless KEEP=1 adds
# those that reach code which no seed does.
set -euo pipefail

folder=$1
seconds=$2
cd "$(dirname "$0")/.."

crashed=()
ran=0
for fuzzer in "$folder"/tests/fuzz_*; do
    [ -f "$fuzzer" ] && [ -x "$fuzzer" ] || continue
    name=${fuzzer##*/fuzz_}
    seeds=tests/corpus/$name
    found=$folder/corpus/$name
    mkdir -p "$seeds" "$found"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -artifact_prefix="$seeds/" -print_final_stats=1)

    echo "== $name: $seconds s"
    log=$folder/$name.log
    if "$fuzzer" "${options[@]}" "$found" "$seeds" > "$log" 2>&1; then
        awk '/^stat::number_of_executed_units|^stat::average_exec/ { print "   " $1, $2 }' "$log"
    else
        tail -n 40 "$log"
        crashed+=("$name")
    fi
    [ "${KEEP:-0}" = 0 ] || "$fuzzer" -merge=1 "$seeds" "$found" > /dev/null 2>&1
    ran=$((ran + 1))
done

[ $ran -gt 0 ] || { echo "No fuzzers in $folder/tests" >&2; exit 1; }
if [ ${#crashed[@]} -gt 0 ]; then
    echo "*** CRASHED: ${crashed[*]}. The inputs are in tests/corpus; keep them there once it is mended." >&2
    exit 1
fi
