#!/usr/bin/env python3
"""How many rounds the races of arena files took, by circuit, with spin-outs and Heat for each car and lap:
tools/rounds.py FILE..."""
import collections
import json
import sys

races = collections.defaultdict(list)
for name in sys.argv[1:]:
    with open(name) as file:
        next(file)  # the head
        for line in file:
            race = json.loads(line)
            races[race["circuit"], race["laps"]].append(race)

print("| circuit | laps | races | rounds: least | 5 % | half | 95 % | most | spin-outs a lap | Heat a lap |")
print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
for (circuit, laps), all_of_it in races.items():
    rounds = sorted(race["rounds"] for race in all_of_it)
    share = [rounds[min(len(rounds) - 1, int(part * len(rounds)))] for part in (0, 0.05, 0.5, 0.95)]
    car_laps = sum(laps * len(race["spins"]) for race in all_of_it)
    spins = sum(sum(race["spins"]) for race in all_of_it) / car_laps
    heat = sum(sum(race["heat"]) for race in all_of_it) / car_laps
    figures = [*share, rounds[-1]]
    print(f"| {circuit} | {laps} | {len(rounds)} | {' | '.join(map(str, figures))} | {spins:.3f} | {heat:.2f} |")
