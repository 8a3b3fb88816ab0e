"""What a server keeps and what it lets go: stored races that are damaged, old or of a wrong date."""
import contextlib
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from live import FREE, SANITIZED, Server, person, poll

DAY = 24 * 3600
OPEN = {"kind": "open"}
CHAMPION = {"kind": "bot", "level": "champion"}
ROOKIE = {"kind": "bot", "level": "rookie"}


@contextlib.contextmanager
def serving(*options, kind=Server):
    server = kind(*(options or FREE))
    try:
        yield server
        server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()
        shutil.rmtree(server.folder)


def open_and_look(server, seats=None):
    """A race that somebody has looked at, but no more."""
    id = server.open_table(seats or [person(), person("Bo", "blue")])["id"]
    follower = server.follow(id)
    follower.until("state")
    follower.close()
    return id


def change(server, *statements):
    """Kills the server, changes its database behind its back, and starts it again."""
    server.kill()
    with contextlib.closing(sqlite3.connect(server.folder / "data/races.db")) as db, db:
        for statement, *values in statements:
            db.execute(statement, values)
    server.start()


def look_up(server, question, *values):
    with contextlib.closing(sqlite3.connect(server.folder / "data/races.db")) as db:
        return db.execute(question, values).fetchone()[0]


class Damaged(unittest.TestCase):
    def test_a_race_that_cannot_be_read_does_not_stop_the_others(self):
        with serving() as server:
            ids = [server.open_table([person(), person("Bo", "blue")])["id"] for _ in range(4)]
            change(server, ["UPDATE entries SET line = 'act 1 plan 4 4' WHERE id = ?", ids[1]],
                   ["UPDATE tables SET settings = 'nonsense' WHERE id = ?", ids[2]])
            self.assertEqual([server.ask("GET", f"/api/tables/{id}")[0] for id in ids], [200, 404, 404, 200])
            said = server.said()
            self.assertRegex(said, f"a stored race cannot be read {ids[1][-6:]}: entry 1 cannot be played")
            self.assertRegex(said, f"a stored race cannot be read {ids[2][-6:]}: its settings are damaged")
            for id in ids:  # nor the code, which lets people in
                self.assertNotIn(id[:6], said)
            self.assertEqual(look_up(server, "SELECT count(*) FROM tables WHERE finished IS NULL"), 4)

    def test_nor_does_one_of_which_entries_are_missing(self):
        with serving() as server:
            ids = [server.open_table([person(), ROOKIE])["id"] for _ in range(4)]
            poll(lambda: all(server.get(f"/api/tables/{id}")["n"] == 2 for id in ids))
            change(server, ["DELETE FROM entries WHERE n = 1 AND id = ?", ids[0]],
                   ["UPDATE entries SET previous = previous - 1 WHERE n = 2 AND id = ?", ids[2]])
            self.assertEqual([server.ask("GET", f"/api/tables/{id}")[0] for id in ids], [404, 200, 404, 200])
            for id in (ids[0], ids[2]):
                self.assertIn(f"a stored race cannot be read {id[-6:]}: its log is damaged\n", server.said())
            self.assertEqual(look_up(server, "SELECT count(*) FROM tables WHERE finished IS NULL"), 4)
            self.assertEqual(look_up(server, "SELECT count(*) FROM entries"), 7)
            change(server, ["DELETE FROM tables WHERE id LIKE ?", f"%{ids[0][-6:]}"])  # as the manual says
            self.assertEqual([phase(server, id) for id in ids], [404, "racing", 404, "racing"])
            self.assertEqual(look_up(server, "SELECT count(*) FROM entries"), 6)

    def test_a_race_over_whose_end_was_not_kept_is_put_among_those_that_are(self):
        with serving() as server:
            id = server.open_table([ROOKIE, ROOKIE])["id"]
            poll(lambda: server.get(f"/api/tables/{id}")["phase"] == "over")
            race = server.ask("GET", f"/api/tables/{id}/race")
            poll(lambda: look_up(server, "SELECT finished FROM tables"))
            # As if the power had failed between its last act and the note that it is over.
            change(server, ["UPDATE tables SET finished = NULL, log = NULL"])
            poll(lambda: look_up(server, "SELECT finished FROM tables"))
            self.assertEqual(server.ask("GET", f"/api/tables/{id}/race"), race)
            server.stop()
            server.start()
            self.assertEqual(server.ask("GET", f"/api/tables/{id}/race"), race)  # it listens before it has tidied up
            self.assertEqual(look_up(server, "SELECT count(*) FROM entries"), 0)


class LongRaces(unittest.TestCase):
    def test_any_history_can_be_followed_while_the_race_goes_on(self):
        much = 70000
        with serving() as server:
            opened = server.open_table([person(), person("Bo", "blue")])
            id, tokens = opened["id"], [each["token"] for each in opened["tokens"]]
            change(server, ["WITH RECURSIVE k(k) AS (VALUES(2) UNION ALL SELECT k + 1 FROM k WHERE k < ?) INSERT INTO entries"
                            " SELECT k, k - 1, id, k, time, 0, 'phrase 1' FROM k, entries WHERE seq = 1", much])
            self.assertEqual(server.get(f"/api/tables/{id}")["n"], much)
            late = server.follow(id, tokens[0])  # which does not read yet
            other = server.follow(id, tokens[1], since=much - 1)
            self.assertEqual(other.next()["n"], much)
            state = other.next()
            other.send(f"act {state['n']} {state['acts'][0]}")
            self.assertEqual(other.next()["n"], much + 1)
            self.assertEqual([late.next()["n"] for _ in range(much + 1)], list(range(1, much + 2)))
            self.assertGreater(len(late.received), 5e6)
            state = late.next()
            self.assertEqual((state["m"], state["n"]), ("state", much + 1))
            late.send(f"act {state['n']} {state['acts'][0]}")
            self.assertEqual(late.next()["n"], much + 2)
            late.close(), other.close()


class OneAddress(unittest.TestCase):
    def opening(self, server, address, **more):
        return server.ask("POST", "/api/tables", {"circuit": "usa", "laps": 1, "seats": [OPEN], **more},
                          headers={"X-Forwarded-For": address})

    def test_it_cannot_fill_the_hall(self):
        with serving("--rate", 0, "--trust-proxy", "--address-tables", 3) as server:
            self.assertEqual([self.opening(server, "10.0.0.1")[0] for _ in range(6)], 3 * [201] + 3 * [429])
            status, text = self.opening(server, "10.0.0.1")
            self.assertEqual((status, json.loads(text)["code"]), (429, "full"))
            self.assertEqual(self.opening(server, "10.0.0.2")[0], 201)
            self.assertEqual(server.said().count("an address has opened as many races as it may: 10.0.0.1\n"), 1)

    def test_it_cannot_fill_the_disk_with_races_that_are_over_at_once(self):
        with serving("--rate", 0, "--trust-proxy", "--address-tables", 3) as server:
            opened = [self.opening(server, "10.0.0.1", seats=[ROOKIE]) for _ in range(3)]
            poll(lambda: all(phase(server, json.loads(text)["id"]) == "over" for _, text in opened))
            self.assertEqual(self.opening(server, "10.0.0.1")[0], 429)

    def test_rematches_count_but_one_that_is_there_is_found(self):
        with serving("--rate", 0, "--address-tables", 2) as server:
            opened = server.open_table([person()])
            id, token = opened["id"], opened["tokens"][0]["token"]
            server.post(f"/api/tables/{id}/seats/0/bot", {"level": "rookie"}, token, 200)
            poll(lambda: phase(server, id) == "over")
            again = server.post(f"/api/tables/{id}/rematch", token=token)["id"]
            self.assertEqual(server.post(f"/api/tables/{id}/rematch", token=token)["id"], again)
            taken = server.post(f"/api/tables/{again}/seats/0", {}, token)
            server.post(f"/api/tables/{again}/seats/0/bot", {"level": "rookie"}, taken["token"], 200)
            poll(lambda: phase(server, again) == "over")
            self.assertEqual(server.ask("POST", f"/api/tables/{again}/rematch", token=token)[0], 503)

    def test_the_usual_limit(self):
        with serving("--rate", 1000, "--reserve", 1000) as server:
            codes = [self.opening(server, "-")[0] for _ in range(203)]
            self.assertEqual(codes, 200 * [201] + 3 * [429])

    def test_it_cannot_keep_the_bots_of_others_waiting(self):
        with serving("--rate", 0, "--trust-proxy", "--bot-threads", 1) as server:
            for _ in range(20):
                self.assertEqual(self.opening(server, "10.0.0.1", laps=9, seats=6 * [CHAMPION])[0], 201)
            code, text = self.opening(server, "10.0.0.2", seats=[person(), ROOKIE])
            opened = json.loads(text)
            follower = server.follow(opened["id"])
            began = time.monotonic()
            follower.until("entry", what="drive")
            self.assertLess(time.monotonic() - began, 8)  # all that waits would take 24 s
            follower.close()


class Backup(unittest.TestCase):
    def test_the_command_of_the_manual_ends_while_the_server_is_busy(self):
        manual = (Path(os.environ["SOURCE_DIR"]) / "docs/HOSTING.md").read_text()
        (command,) = re.findall(r"^    sqlite3 \S+ \"(.*)\"$", manual.split("## Backup")[1].split("and not")[0], re.MULTILINE)
        with serving() as server:
            opened = server.open_table([person(), ROOKIE])
            copy = server.folder / "copy.db"
            busy = threading.Thread(target=lambda: [server.open_table([ROOKIE, ROOKIE]) for _ in range(50)])
            busy.start()
            with contextlib.closing(sqlite3.connect(server.folder / "data/races.db")) as db:
                db.execute(command.replace("/backup/hairpin.db", str(copy)))
            busy.join()
            server.stop()
            for file in (server.folder / "data").glob("races.db*"):
                file.unlink()
            copy.rename(server.folder / "data/races.db")
            server.start()
            self.assertEqual(phase(server, opened["id"]), "racing")
            follower = server.follow(opened["id"], opened["tokens"][0]["token"])
            self.assertIn("acts", follower.until("state"))
            follower.close()


# ---- Clocks

# Adds to what the system says so many seconds as a file has: to the time of day, and to the time since the start.
SHIM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static volatile const long long *added;
__attribute__((constructor)) static void begin(void)
{
    added = mmap(NULL, 16, PROT_READ, MAP_SHARED, open(getenv("CLOCK_SHIM"), O_RDONLY), 0);
}
int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    const int of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    time->tv_sec += added == NULL ? 0 : added[!of_day];
    return result;
}
"""


class Shifted(Server):
    """A server whose clocks can be set while it runs."""

    shim = None  # a file

    def launch(self):
        self.clock = self.folder / "clock"
        if not self.clock.exists():
            self.day = self.uptime = 0
            self.clock.write_bytes(bytes(16))
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log,
                                        env={**os.environ, "LD_PRELOAD": str(self.shim), "CLOCK_SHIM": str(self.clock)})

    def start(self):
        """Until it answers: what passes before it has read its races does not count."""
        super().start()
        self.ask("GET", "/healthz")

    def shift(self, day=0, uptime=0):
        self.day, self.uptime = self.day + day, self.uptime + uptime
        with open(self.clock, "r+b") as file:
            file.write(struct.pack("qq", self.day, self.uptime))

    def let_pass(self, seconds):
        self.shift(seconds, seconds)


def phase(server, id):
    code, text = server.ask("GET", f"/api/tables/{id}")
    return 404 if code == 404 else server.get(f"/api/tables/{id}")["phase"]


@unittest.skipIf(SANITIZED or shutil.which("cc") is None, "clocks cannot be set here")
class Clocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        Shifted.shim = Path(folder.name, "shim.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", Shifted.shim], input=SHIM, text=True, check=True)

    def test_a_clock_set_forward_makes_nobody_late(self):
        with serving(kind=Shifted) as server:
            opened = server.open_table([person(), person("Bo", "blue")], clock=60)
            follower = server.follow(opened["id"])
            follower.until("state")
            before = time.time()
            server.shift(day=DAY)
            told = follower.until("entry")
            self.assertEqual(told["what"], "resume")
            until = follower.until("state")["table"]["awaited"][0]["until"]
            self.assertGreaterEqual(until / 1000, before + DAY + 59)
            self.assertLessEqual(until / 1000, time.time() + DAY + 61)
            server.let_pass(70)
            self.assertEqual(follower.until("entry")["what"], "late")

    def test_a_clock_set_back_stops_no_clock(self):
        with serving(kind=Shifted) as server:
            opened = server.open_table([person(), person("Bo", "blue")], clock=60)
            follower = server.follow(opened["id"])
            follower.until("state")
            server.shift(day=-DAY)
            self.assertEqual(follower.until("entry")["what"], "resume")
            server.let_pass(50)
            time.sleep(0.5)
            server.let_pass(20)
            self.assertEqual(follower.until("entry")["what"], "late")

    def test_times_in_the_future_stop_no_clock(self):
        with serving(kind=Shifted) as server:
            id = server.open_table([person(), person("Bo", "blue")], clock=60)["id"]
            server.kill()
            server.shift(day=-DAY)
            server.start()
            time.sleep(0.5)
            server.let_pass(70)
            poll(lambda: server.get(f"/api/tables/{id}")["seats"][0]["away"])

    def test_a_server_that_was_off_closes_nothing(self):
        with serving(kind=Shifted) as server:
            id = open_and_look(server)
            server.kill()
            server.shift(day=31 * DAY)
            server.start()
            server.let_pass(DAY)
            time.sleep(0.5)
            self.assertEqual(phase(server, id), "racing")
            server.let_pass(30 * DAY)  # now it has seen the silence itself
            poll(lambda: phase(server, id) == 404)

    def test_silence_goes_on_over_a_restart(self):
        with serving(kind=Shifted) as server:
            silent = open_and_look(server)
            server.let_pass(25 * DAY)
            other = open_and_look(server)
            server.kill()
            server.start()
            server.let_pass(6 * DAY)
            poll(lambda: phase(server, silent) == 404)
            self.assertEqual(phase(server, other), "racing")

    def test_races_that_are_over_are_forgotten_when_that_is_wanted(self):
        with serving(*FREE, "--forget-days", 10, kind=Shifted) as server:
            first, second = (server.open_table([ROOKIE])["id"] for _ in range(2))
            poll(lambda: phase(server, first) == phase(server, second) == "over")
            going_on = open_and_look(server, [person(), ROOKIE])
            follower = server.follow(second, since=1)
            server.let_pass(9 * DAY)
            third = server.open_table([ROOKIE])["id"]
            poll(lambda: phase(server, third) == "over")
            time.sleep(0.5)
            self.assertEqual(phase(server, first), "over")
            server.let_pass(DAY + 60)  # more than ten days, less than two
            poll(lambda: look_up(server, "SELECT count(*) FROM tables") == 2)
            poll(lambda: phase(server, first) == 404)
            server.let_pass(60)
            self.assertEqual([phase(server, id) for id in (third, going_on)], ["over", "racing"])
            follower.close()

    def test_a_wrong_date_forgets_nothing(self):
        with serving(*FREE, "--forget-days", 10, kind=Shifted) as server:
            id = server.open_table([ROOKIE])["id"]
            poll(lambda: phase(server, id) == "over")
            server.let_pass(DAY // 2)
            server.shift(day=100 * DAY)
            time.sleep(0.5)
            server.let_pass(1800)
            time.sleep(0.5)
            server.shift(day=-100 * DAY)
            time.sleep(0.5)
            server.let_pass(DAY // 2)
            time.sleep(0.5)
            self.assertEqual(phase(server, id), "over")

    def test_who_has_finished_may_open_more_soon(self):
        with serving("--rate", 0, "--address-tables", 2, kind=Shifted) as server:
            seats = {"circuit": "usa", "laps": 1, "seats": [ROOKIE]}
            for _ in range(2):
                server.post("/api/tables", seats)
            self.assertEqual(server.ask("POST", "/api/tables", seats)[0], 429)
            poll(lambda: look_up(server, "SELECT count(finished) FROM tables") == 2)
            server.let_pass(610)
            poll(lambda: server.ask("POST", "/api/tables", seats)[0] == 201)

    def test_what_nobody_ever_looks_at_is_closed_after_a_day(self):
        with serving(kind=Shifted) as server:
            unseen = [server.open_table(seats)["id"] for seats in ([OPEN], [person()])]
            seen = open_and_look(server, [OPEN])
            server.let_pass(DAY - 60)
            time.sleep(0.5)
            self.assertEqual([phase(server, id) for id in (*unseen, seen)], ["gathering", "racing", "gathering"])
            server.let_pass(120)
            poll(lambda: [phase(server, id) for id in (*unseen, seen)] == [404, 404, "gathering"])

    def test_a_rematch_that_was_closed_is_opened_anew(self):
        with serving(kind=Shifted) as server:
            opened = server.open_table([person()])
            id, token = opened["id"], opened["tokens"][0]["token"]
            server.post(f"/api/tables/{id}/seats/0/bot", {"level": "rookie"}, token, 200)
            poll(lambda: phase(server, id) == "over")
            ids = [id, server.post(f"/api/tables/{id}/rematch", token=token)["id"]]
            server.let_pass(DAY + 120)
            poll(lambda: phase(server, ids[1]) == 404)
            ids.append(server.post(f"/api/tables/{id}/rematch", token=token)["id"])
            self.assertEqual(len(set(ids)), 3)
            self.assertEqual(phase(server, ids[2]), "gathering")
            server.post(f"/api/tables/{ids[2]}/seats/0", {}, token)
            for _ in range(2):
                self.assertEqual(server.post(f"/api/tables/{id}/rematch", token=token)["id"], ids[2])
                self.assertEqual(server.get(f"/api/tables/{id}")["rematch"], ids[2])
                server.kill()
                server.start()

    def test_wrong_times_leave_a_while_to_come_back(self):
        with serving(kind=Shifted) as server:
            first = open_and_look(server)
            server.kill()
            server.shift(day=1000 * DAY)
            server.start()
            server.open_table([person(), person("Bo", "blue")])
            server.kill()
            server.start()
            server.let_pass(DAY // 3)
            time.sleep(0.5)
            self.assertEqual(phase(server, first), "racing")
            server.let_pass(DAY)
            poll(lambda: phase(server, first) == 404)


if __name__ == "__main__":
    unittest.main()
