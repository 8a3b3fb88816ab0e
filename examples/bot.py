#!/usr/bin/env python3
"""A bot for hairpin (docs/BOT-PROTOCOL.md): hairpin demo --bots examples/bot.py,rookie

It drives as fast as the corners allow and pays Heat only when it has to."""
import json
import sys

VALUE = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "S": 2}  # stress turns over a card from 1 to 4


def too_fast(view, start, speed, to):
    """The Heat that the corners between two places cost at this speed; no corner matters after the finish."""
    lines = [(lap * view["spaces"] + corner["after"], corner["limit"])
             for lap in range(view["laps"]) for corner in view["corners"]]
    return sum(max(0, speed - limit) for line, limit in lines if start <= line < to)


def worth_of_plan(view, act):
    me = view["cars"][view["seat"]]
    gear, cards = int(act[1]), act[2:]
    if "H" in cards:
        return -100  # a cluttered hand: the car would stand still
    speed = sum(VALUE[card] for card in cards)
    at = me["at"] + speed
    heat = (abs(gear - me["gear"]) == 2) + too_fast(view, me["at"], speed, at)
    if heat > me["engine"]:
        return -50 - heat  # a spin-out
    # What the next turn will cost at the least, with the lowest cards that are left, a gear down.
    left = sorted(VALUE[card] for card in view["hand"] if card != "H")
    for card in cards:
        left.remove(VALUE[card])
    slow = sum((left + [2, 2, 2, 2])[:max(1, gear - 1)])
    later = too_fast(view, at, slow, at + slow)
    return speed - 1.2 * heat - 1.5 * later - 20 * (heat + later > me["engine"])


def worth(view, act):
    me = view["cars"][view["seat"]]
    kind = act[0]
    if kind == "plan":
        return worth_of_plan(view, act)
    if kind in ("cool", "slip", "adrenaline", "boost"):
        start, speed = view["turn"]["from"], view["turn"]["speed"]
        if kind == "cool":
            return 10 + int(act[1])
        if act == ["adrenaline", "cool"]:
            return 9
        if act == ["adrenaline", "move"]:
            return 5 if too_fast(view, start, speed + 1, me["at"] + 1) == 0 else -1
        if kind == "slip":
            return 5 if too_fast(view, start, speed, me["at"] + 2) == 0 else -1
        return -1  # a boost is for braver bots
    if kind == "discard":  # a spare 1 or 0 makes room for something better
        return 1 if act[1:] == ["1"] and view["hand"].count("1") > 1 else -1
    return {"done": 0, "stay": 0, "keep": 0}.get(kind, -200)  # and never retires


def main():
    view, acts = {}, []
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "view":
            view = json.loads(rest)
        elif word == "acts":
            acts = rest.split(", ")
        elif word == "go":
            number = rest.split()[0]
            best = max(acts, key=lambda act: worth(view, act.split()))
            print(number, best, flush=True)
        elif word == "end":
            break


main()
