#!/bin/bash
# How much faster `sim` is with two workers than with one: jobs.sh [HAIRPIN]. Both are timed in turn, five
# times; the ratio of the best times is printed. On a machine with one free core it says little.
set -euo pipefail

hairpin=${1:-$(dirname "$0")/../build/hairpin}
best=(0 0 0)
for _ in 1 2 3 4 5; do
    for jobs in 1 2; do
        start=$(date +%s%N)
        "$hairpin" sim --races 8000 --jobs $jobs --json > /dev/null
        took=$(($(date +%s%N) - start))
        if [ "${best[jobs]}" = 0 ] || [ $took -lt "${best[jobs]}" ]; then
            best[jobs]=$took
        fi
    done
done
awk -v one="${best[1]}" -v two="${best[2]}" \
    'BEGIN { printf "sim of 8000 races: %.2f s with one job, %.2f s with two: %.2f times as fast\n", one / 1e9, two / 1e9, one / two }'
