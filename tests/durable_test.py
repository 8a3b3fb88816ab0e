"""Nothing is lost: races go on while their server is killed again and again, and what anybody was ever told stays.

While the races run each racer compares everything with what it heard before (racers.py): entries that were told are
told again byte by byte, without gaps, and every act that comes was sent and comes once. A thread kills the server at
moments of its own, so that any of it may be under way: an act, an answer, a start."""
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest
import urllib.error

import live
import racers

SEED = int(os.environ.get("DURABLE_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
RACES = 6 if live.SANITIZED else 20
KILLS = 10 if live.SANITIZED else 100
STOPS = 2 if live.SANITIZED else 10
COLOURS = ["red", "blue", "green", "black"]
GONE = (live.Closed, OSError, http.client.HTTPException, urllib.error.URLError)


def post(server, path, body):
    """The answer, which says that it is done; Closed where the server is about to stop."""
    code, text = server.ask("POST", path, body)
    if code == 503 and "stopping" in text:
        raise live.Closed(None)
    assert code == 201, (code, text)
    return json.loads(text)


class Table:
    """A race with people and bots, and maybe one who watches."""

    def __init__(self, server, dice):
        people, bots = dice.choice([(1, 1), (2, 0), (2, 1), (3, 0)])
        seats = [{"kind": "person", "name": f"P{i}", "colour": COLOURS[i]} for i in range(people)]
        seats += [{"kind": "bot", "level": dice.choice(["rookie", "driver"])} for _ in range(bots)]
        last_is_open = people > 1 and dice.random() < 0.4
        if last_is_open:
            seats[people - 1] = {"kind": "open"}
        opened = post(server, "/api/tables", {"circuit": dice.choice(["usa", "italy"]), "laps": 1, "seats": seats,
                                              "clock": dice.choice([0, 600])})
        self.id, self.clock = opened["id"], opened["table"]["clock"]
        tokens = {one["seat"]: one["token"] for one in opened["tokens"]}
        if last_is_open:
            taken = post(server, f"/api/tables/{self.id}/seats/{people - 1}", {"name": "Last", "colour": "white"})
            tokens[people - 1] = taken["token"]
        self.racers = [racers.Racer(server, self.id, dice, seat, token, lively=dice.choice([0, 0.1]))
                       for seat, token in tokens.items()]
        if dice.random() < 0.5:
            self.racers.append(racers.Racer(server, self.id, dice))
        self.server, self.rematches = server, []

    def ask_for_rematch(self):
        """Everybody at the same time."""
        head = f"POST /api/tables/{self.id}/rematch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n"
        tokens = [racer.token for racer in self.racers if racer.token]
        with contextlib.ExitStack() as stack:
            sockets = [stack.enter_context(live.socket.create_connection(("127.0.0.1", self.server.port), 30))
                       for _ in tokens]
            for s, token in zip(sockets, tokens):
                s.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
            for s in sockets:
                answer = b""
                while part := s.recv(65536):
                    answer += part
                self.rematches += re.findall(rb'{"id":"(.{22})"}', answer)

    @property
    def over(self):
        return all(racer.over for racer in self.racers)


class Killer:
    """Ends the server at a moment of its own, gently or not."""

    def __init__(self, server, dice):
        self.server, self.dice = server, dice
        self.how = [signal.SIGKILL] * KILLS + [signal.SIGTERM] * STOPS
        dice.shuffle(self.how)
        self.last = self.timer = None

    def arm(self):
        if not self.how:
            return
        self.last = self.how.pop()
        seconds = self.dice.choice([0.002, 0.05, 0.2, 0.3]) * self.dice.random() * (4 if live.SANITIZED else 1)
        self.timer = threading.Timer(seconds, self.server.process.send_signal, [self.last])
        self.timer.daemon = True
        self.timer.start()

    def check_the_end(self):
        """The server has ended as it was told to, and for no other reason."""
        code = self.server.process.wait(30)
        self.server.log.close()
        # Very early a server has not learnt yet to end gently.
        fine = [-signal.SIGKILL] if self.last == signal.SIGKILL else [0, -signal.SIGTERM]
        assert code in fine, (code, self.last, self.server.said())


class Endurance:
    """Races on one server, that is killed and comes again."""

    def __init__(self, dice):
        self.dice = dice
        self.server = live.Server()
        self.killer = Killer(self.server, dice)
        self.tables, self.abandoned, self.ends = [], 0, 0

    def open_tables(self):
        """As long as it is killed, so many races run."""
        while self.killer.how and sum(not table.over for table in self.tables) < RACES:
            try:
                table = Table(self.server, self.dice)
            except GONE:
                self.abandoned += 1  # nobody knows what became of it
                raise
            self.tables.append(table)
            for racer in table.racers:
                racer.connect()

    def connect(self):
        """Everybody comes again after a restart: most where they were, some from the beginning."""
        for table in self.tables:
            if not table.over or self.dice.random() < 0.1:
                for racer in table.racers:
                    since = self.dice.choice([None, None, None, None, 0, racer.last // 2])
                    racer.over = False
                    racer.connect(since, restarted=True)

    def race(self, seconds):
        going = [racer for table in self.tables if not table.over for racer in table.racers]
        racers.pump(going, seconds)
        for table in self.tables:
            if table.over and not table.rematches and self.dice.random() < 0.2:
                table.ask_for_rematch()

    def restart(self):
        self.ends += 1
        for table in self.tables:
            for racer in table.racers:
                if racer.connections and racer.live is not None:
                    racer.hang_up()
        self.server.launch()
        if self.dice.random() < 0.2:
            self.killer.arm()  # while it starts
            self.wait_or_die()
        else:
            self.server.wait()
            self.killer.arm()

    def wait_or_die(self):
        while self.server.process.poll() is None:
            try:
                live.socket.create_connection(("127.0.0.1", self.server.port), 1).close()
                return
            except OSError:
                time.sleep(0.005)

    def run(self, seconds):
        until = time.monotonic() + seconds
        self.killer.arm()
        fresh = False
        while self.killer.how or not all(table.over for table in self.tables) or fresh:
            assert time.monotonic() < until, ("races do not end", self.ends, len(self.killer.how))
            try:
                if fresh:
                    self.connect()
                    fresh = False
                self.open_tables()
                self.race(1)
            except GONE:
                self.killer.check_the_end()
                self.restart()
                fresh = True
        self.killer.timer.join()
        if self.ends < KILLS + STOPS:  # the last one came after all races
            self.killer.check_the_end()
            self.restart()

    def close(self):
        self.killer.timer.cancel()
        if self.server.process.poll() is None:
            self.server.close()
        else:
            shutil.rmtree(self.server.folder)  # killed, and not started again since something failed

    def hear_all_again(self):
        """Everybody from the beginning, on a server that has just come back."""
        self.server.stop()
        self.server.start()
        for table in self.tables:
            for racer in table.racers:
                racer.hang_up()
                racer.connect(0, restarted=True)
                while racer.state is None:
                    racer.hear()
                assert racer.live is not None and racer.connections[-1].since == racer.last
                racer.hang_up()


class Durable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"DURABLE_SEED={SEED}", flush=True)
        began = time.monotonic()
        cls.all = Endurance(random.Random(SEED))
        cls.addClassCleanup(cls.all.close)
        cls.all.run(1200)
        cls.all.hear_all_again()
        entries = sum(table.racers[0].last for table in cls.all.tables)
        print(f"{len(cls.all.tables)} races, {entries} entries, {cls.all.ends} ends of the server, "
              f"{time.monotonic() - began:.1f} s", flush=True)

    def test_it_was_killed_often_enough_and_in_the_middle(self):
        self.assertGreaterEqual(self.all.ends, KILLS + STOPS)
        self.assertGreaterEqual(len(self.all.tables), RACES)
        torn = [racer for table in self.all.tables for racer in table.racers if len(racer.connections) > 3]
        self.assertGreater(len(torn), RACES // 2)

    def test_all_tell_the_same_race(self):
        """Racers at a table know entries of the same numbers, times and kinds, whoever they are."""
        for table in self.all.tables:
            heads = []
            for racer in table.racers:
                texts = [racer.entries[n] for n in range(1, racer.last + 1)]
                heads.append([re.match(rb'\{"m":"entry",("n":\d+,"t":\d+,"seat":-?\d+,"what":"\w+")', text).group(1)
                              for text in texts])
            self.assertEqual(heads.count(heads[0]), len(heads), table.id)

    def test_races_are_what_was_confirmed(self):
        for table in self.all.tables:
            code, race = self.all.server.ask("GET", f"/api/tables/{table.id}/race")
            self.assertEqual(code, 200, race)
            path = self.all.server.folder / "race"
            path.write_text(race)
            verified = subprocess.run([live.HAIRPIN, "replay", str(path), "--verify"], capture_output=True, text=True)
            self.assertEqual(verified.returncode, 0, verified.stderr)
            acts = re.findall(r"^([0-5]) (.*)$", race, re.MULTILINE)
            for racer in table.racers:
                told = [racer.entries[n] for n in range(1, racer.last + 1)]
                seats = [re.search(rb'"seat":(\d),"what":"(?:act|drive)"', text) for text in told]
                self.assertEqual([m.group(1).decode() for m in seats if m], [seat for seat, _ in acts])
                if racer.seat != racers.WATCHER:
                    own = [act for seat, act in acts if int(seat) == racer.seat]
                    self.assertEqual([act for _, act in racer.acts], own, (table.id, racer.seat))

    def test_rematches_that_were_confirmed_are_there(self):
        self.assertTrue(any(table.rematches for table in self.all.tables))
        for table in self.all.tables:
            for id in table.rematches:
                self.assertEqual(self.all.server.get(f"/api/tables/{table.id}")["rematch"], id.decode())
                self.assertEqual(self.all.server.get(f"/api/tables/{id.decode()}")["phase"], "gathering")

    def test_a_server_with_a_clock_says_that_it_was_away(self):
        told = [text for table in self.all.tables if table.clock for text in table.racers[0].entries.values()]
        self.assertTrue(any(b'"what":"resume"' in text for text in told))

    def test_nothing_was_refused_that_should_not_be(self):
        codes = {code for table in self.all.tables for racer in table.racers for code in racer.refused}
        self.assertLessEqual(codes, {"old", "stopping", "bot_drives", "bot_does_not", "not_now", "not_your_turn",
                                     "no_plan"}, codes)


if __name__ == "__main__":
    unittest.main()
