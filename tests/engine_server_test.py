"""The page's engine against the server: races over real sockets, then the same entries in WebAssembly. Every
message to everybody, the race file and the event log must have the same bytes."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import live
import racers

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
WASM = pathlib.Path(os.environ["BINARY_DIR"]) / "web" / "engine.wasm"
NAMES = ["Ada", 'Zoë "x" \\ y', "Cleo", "Dan", "Eve", "Fay"]
COLOURS = ["red", "blue", "green", "black", "white", "purple"]


def key(token):
    return hashlib.sha256(token.encode()).hexdigest()


class Table:
    """People in some seats, of whom every other one comes later, bots in the others, one who watches."""

    def __init__(self, server, dice, people, bots, **more):
        self.people, self.clock = people, more.get("clock", 0)
        self.salts = [f"{i + 1:064x}" if i % 3 == 0 else None for i in range(people)]
        self.levels = [dice.choice(["rookie", "driver"]) for _ in range(bots)]
        seats = [{"kind": "open", "handicap": 1} if i % 2 else
                 {"kind": "person", "name": NAMES[i], "colour": COLOURS[i], **self.salt(i)} for i in range(people)]
        seats += [{"kind": "bot", "level": level} for level in self.levels]
        opened = server.open_table(seats, **more)
        self.server, self.id, self.notice = server, opened["id"], opened["table"]
        self.tokens = {one["seat"]: one["token"] for one in opened["tokens"]}
        watcher = racers.Racer(server, self.id, dice)
        watcher.connect(0)
        for i in range(1, people, 2):
            body = {"name": NAMES[i], "colour": COLOURS[i], **self.salt(i)}
            self.tokens[i] = server.post(f"/api/tables/{self.id}/seats/{i}", body)["token"]
        self.racers = [watcher] + [racers.Racer(server, self.id, dice, seat, token, lively=0.2)
                                   for seat, token in sorted(self.tokens.items())]
        for racer in self.racers[1:]:
            racer.connect(0)

    def salt(self, i):
        return {"salt": self.salts[i]} if self.salts[i] else {}

    @property
    def over(self):
        return all(racer.over for racer in self.racers)

    def settings(self, secret):
        """As web/engine/opening.c reads them."""
        lines = [f"circuit {self.notice['circuit']}", f"laps {self.notice['laps']}", "substitute driver",
                 f"clock {self.clock}", f"secret {secret}"]
        for i in range(self.people):
            person = f"{COLOURS[i]} {self.salts[i] or '-'} {key(self.tokens[i])} {NAMES[i]}"
            lines.append("open 1" if i % 2 else f"person 0 {person}")
        return "\n".join(lines + [f"bot 0 {level}" for level in self.levels]) + "\n"

    def line(self, entry, acts):
        what, seat = entry["what"], entry["seat"]
        if what in ("act", "drive"):
            return f"{what} {entry['n'] - 1} {next(acts)}"
        if what == "take":
            return f"take {COLOURS[seat]} {self.salts[seat] or '-'} {key(self.tokens[seat])} {NAMES[seat]}"
        more = [str(entry[k]) for k in ("phrase", "for", "level") if k in entry]
        return " ".join([what, *more])

    def transcript(self):
        """All that was told, and the lines that led to it; of hidden acts the race file tells."""
        race, log = (self.server.ask("GET", f"/api/tables/{self.id}/{what}")[1] for what in ("race", "events"))
        rows = race.splitlines()
        acts = iter([row[2:] for row in rows if row[:2] in [f"{i} " for i in range(6)]])
        secret = next(row.split()[1] for row in rows if row.startswith("secret "))
        # After the race somebody may still say something that not everybody has read when all hang up.
        common = min(len(racer.entries) for racer in self.racers)
        seen = [json.loads(text) for _, text in sorted(self.racers[0].entries.items())][:common]
        told = []
        for racer in self.racers:
            texts = [text.decode() for connection in racer.connections for text in connection.texts]
            states = [text for text in texts if text.startswith('{"m":"state"')]
            told.append({"seat": racer.seat, "states": states,
                         "entries": [text.decode() for _, text in sorted(racer.entries.items())][:common]})
        return {"id": self.id, "opened": self.notice["opened"], "settings": self.settings(secret), "race": race,
                "log": log, "told": told,
                "entries": [{"seat": e["seat"], "time": e["t"], "line": self.line(e, acts)} for e in seen]}


@unittest.skipIf(live.SANITIZED, "Once is enough.")
@unittest.skipUnless(shutil.which("node") and WASM.exists(), "needs node and engine.wasm")
class Same(unittest.TestCase):
    def test_all_messages_have_the_same_bytes(self):
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        dice = random.Random(seed)
        server = live.Server()
        self.addCleanup(server.close)
        sizes = [(1, 0, "usa"), (2, 1, "italy"), (3, 2, "france"), (6, 0, "great-britain"), (1, 5, "usa")]
        tables = [Table(server, dice, people, bots, circuit=circuit, clock=600 * (people % 2))
                  for people, bots, circuit in sizes]
        until = time.monotonic() + 300
        while going := [table for table in tables if not table.over]:
            self.assertLess(time.monotonic(), until, "races do not end")
            racers.pump([racer for table in going for racer in table.racers], 1)
        for table in tables:
            for racer in table.racers:
                racer.hang_up()
        with tempfile.TemporaryDirectory() as folder:
            for table in tables:
                file = pathlib.Path(folder) / "told.json"
                file.write_text(json.dumps(table.transcript()))
                run = subprocess.run(["node", SOURCE / "tests" / "engine_same.mjs", WASM, file], capture_output=True,
                                     text=True)
                sys.stdout.write(run.stdout)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
