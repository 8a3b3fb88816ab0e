#!/usr/bin/env python3
"""The page's placeholders, as {name}: every translation has the same ones. placeholders.py FILE.po"""
import re
import sys


def entries(text):
    """Each entry as {"msgid": ..., "msgstr": ...}, with the lines of a text put together."""
    for block in text.split("\n\n"):
        entry, key = {}, None
        for line in block.splitlines():
            start = re.match(r'(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")$', line)
            if start:
                key = start[1]
                entry[key] = ""
            if key and line.endswith('"'):
                entry[key] += line[line.index('"') + 1:-1]
        if entry.get("msgid"):
            yield entry


def names(text):
    return set(re.findall(r"\{\w+\}", text))


wrong = 0
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    for entry in entries(file.read()):
        wanted = names(entry["msgid"] + entry.get("msgid_plural", ""))
        for key, text in entry.items():
            # A singular may spell its number out.
            optional = {"{n}"} if key == "msgstr[0]" else set()
            if key.startswith("msgstr") and not wanted - optional <= names(text) <= wanted:
                print(f"{path}: “{entry['msgid']}” has {sorted(wanted)}, “{text}” has {sorted(names(text))}")
                wrong += 1
sys.exit(wrong > 0)
