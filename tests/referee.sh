#!/bin/bash
# Random races before an independent referee: referee.sh HAIRPIN REFEREE [RACES]
# RACES in all, spread over the circuits, 1 to 6 cars and 1 to 3 laps. Fails when it finds a foul.
set -euo pipefail

hairpin=$1
referee=$2
each=$(((${3:-300} + 71) / 72)) # 4 circuits, 6 fields, 3 distances

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
seed=0
for circuit in usa great-britain italy france; do
    for cars in 1 2 3 4 5 6; do
        for laps in 1 2 3; do
            seed=$((seed + 1))
            "$hairpin" sim --circuit $circuit --cars $cars --laps $laps --races $each --seed $seed --jobs 2 \
                --events "$logs/$circuit-$cars-$laps.jsonl" > /dev/null
        done
    done
done
python3 "$referee" "$logs"/*.jsonl
