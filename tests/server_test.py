"""The server from outside, over real sockets: all that docs/PROTOCOL.md says, and what it must withstand."""
import base64
import concurrent.futures
import contextlib
import faulthandler
import hashlib
import http.client
import json
import os
import random
import re
import resource
import select
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import live
from live import FREE, HAIRPIN, SANITIZED, Closed, Server, person, poll

SOURCE = Path(os.environ["SOURCE_DIR"])
CLIENT = SOURCE / "examples/client.py"
REFEREE = SOURCE.parent / "shared/referee/verify_events.py"
ONE_CORNER = (SOURCE / "tests/fixtures/one-corner.circuit").read_text()  # races on it are short
SALT = "00000000000000000000000000000000000000000000000000000000000000ff"
OPEN = {"kind": "open"}
ROOKIE = {"kind": "bot", "level": "rookie"}


def waits_for(state, seat):
    return any(each["seat"] == seat for each in state["table"]["awaited"])


def race(follower, seat, until=lambda state: False):
    """Drives at random to the end, or until something is true; the last state."""
    while True:
        state = follower.until("state")
        if state["table"]["phase"] == "over" or until(state):
            return state
        if waits_for(state, seat) and "acts" in state:
            follower.send(f"act {state['n']} {random.choice(state['acts'])}")


def figures(server):
    lines = server.ask("GET", "/metrics")[1].splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


@contextlib.contextmanager
def serving(*options):
    """A server of its own, which ends well and has not told its log any token."""
    server = Server(*options)
    try:
        yield server
        server.stop()
        assert not re.search("[0-9a-f]{32}", server.said()), server.said()
    finally:
        if server.process.poll() is None:
            server.kill()
        shutil.rmtree(server.folder)


class Case(unittest.TestCase):
    """Tests that share a server."""

    @classmethod
    def setUpClass(cls):
        manager = serving()
        cls.server = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)

    def error(self, text, code=None):
        """Checks that it is an error as documented, and returns its code."""
        message = json.loads(text) if isinstance(text, str) else text
        self.assertLessEqual(set(message), {"m", "code", "text", "rule"})
        self.assertEqual(message["m"], "error")
        self.assertRegex(message["code"], "^[a-z_]+$")
        self.assertRegex(message["text"], r"^[A-Za-z].*\.$")
        if code:
            self.assertEqual(message["code"], code)
        return message["code"]

    def refused(self, status, code, method, path, body=None, token=None, **more):
        got, text = self.server.ask(method, path, body, token, **more)
        self.assertEqual(got, status, (method, path, body, text))
        self.error(text, code)

    def complains(self, follower, line, code):
        follower.send(line)
        self.error(follower.until("error"), code)

    def closes(self, follower, code):
        with self.assertRaises(Closed) as caught:
            while True:
                follower.next()
        self.assertEqual(caught.exception.args[0], code)

    def turned_away(self, status, code, server, path, within=1):
        """That a WebSocket is refused there, by HTTP: the first, or one of so many."""
        for _ in range(within):
            got, text = converse(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
            if got == status:
                break
        self.assertEqual(got, status)
        self.error(text, code)

    def follow(self, *arguments, **more):
        follower = self.server.follow(*arguments, **more)
        self.addCleanup(follower.close)
        return follower

    def open(self, seats, **more):
        """A short race: its id, and the tokens by seat."""
        if "circuit" not in more:
            more["circuit_file"] = ONE_CORNER
        opened = self.server.post("/api/tables", {"laps": 1, "seats": seats, **more})
        return opened["id"], {each["seat"]: each["token"] for each in opened["tokens"]}

    def take(self, id, seat, name="Bo", colour="blue", **more):
        return self.server.post(f"/api/tables/{id}/seats/{seat}", {"name": name, "colour": colour, **more})["token"]

    def raced(self, seats=(ROOKIE, ROOKIE), **more):
        """A race that is over."""
        id, tokens = self.open([person(), *seats], **more)
        race(self.follow(id, tokens[0]), 0)
        return id, tokens[0]


# ---- What the document says


def examples():
    """Each fenced block of docs/PROTOCOL.md by its name, with what it holds and the words of its section."""
    found = []
    for section in re.split(r"^##+ ", (SOURCE / "docs/PROTOCOL.md").read_text(), flags=re.MULTILINE):
        words = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", section))))
        for name, text in re.findall(r"^```json (.*?)\n(.*?)^```", section, re.DOTALL | re.MULTILINE):
            found.append((name, json.loads(text), words))
    return found


class Document(Case):
    def shape(self, example, real, words, where):
        """Every documented key is there, with the same type; no others but those that the section names."""
        self.assertIs(type(real), type(example), where)
        if isinstance(example, dict) and "..." in example:
            self.assertLessEqual(set(example) - {"..."}, set(real), where)
            if example["..."] == "a notice":
                self.check("notice", real)
            else:
                self.view(real)
        elif isinstance(example, dict):
            self.assertLessEqual(set(example), set(real), where)
            self.assertLessEqual(set(real), set(example) | words, where)
            for key in example:
                self.shape(example[key], real[key], words, f"{where}.{key}")
        elif isinstance(example, list) and example:
            for index, each in enumerate(real):
                kin = [other for other in example if isinstance(other, dict) and other.get("kind") == each.get("kind")
                       ] if isinstance(each, dict) else example
                self.shape(kin[0], each, words | set(example[0] if isinstance(each, dict) else ()), f"{where}[{index}]")

    def check(self, name, real):
        example, words = next((text, words) for block, text, words in examples() if block == name)
        self.shape(example, real, words, name)

    def view(self, real):
        text = (SOURCE / "docs/BOT-PROTOCOL.md").read_text()
        section = text.split("## The race\n")[1].split("## A session")[0]
        self.assertLessEqual(set(real), set(re.findall(r"`([a-z_]+)`", section)))

    def events(self, events):
        table = re.findall(r"^\| `(\w+)` \| (.*?) \| .* \|$", (SOURCE / "docs/EVENTS.md").read_text(), re.MULTILINE)
        keys = {name: set(re.findall(r"`(\w+)`", text)) | {"e"} for name, text in table}
        for event in events:
            self.assertLessEqual(set(event), keys[event["e"]])

    def test_all_blocks_are_known_here(self):
        self.assertEqual([name for name, _, _ in examples()],
                         ["error", "POST /api/tables", "201", "POST /api/tables/ID/seats/1", "201", "notice", "entry",
                          "state", "foresee"])

    def test_requests_and_answers(self):
        (_, opening, _), (_, opened, words), (_, taking, _), (_, taken, _) = examples()[1:5]
        answer = self.server.post("/api/tables", opening)
        self.shape(opened, answer, words, "201")
        self.assertEqual([each["seat"] for each in answer["tokens"]], [0])
        notice = self.server.get(f"/api/tables/{answer['id']}")
        self.check("notice", notice)
        documented = next(text for name, text, _ in examples() if name == "notice")
        for key in ["phase", "circuit", "laps", "clock", "substitute", "seats", "awaited"]:
            self.assertEqual(notice[key], documented[key])
        path = f"/api/tables/{answer['id']}/seats/1"
        answer = self.server.post(path, taking)
        self.shape(taken, answer, set(), "201")
        self.assertEqual(answer["seat"], 1)
        id, _ = self.open([OPEN, OPEN])
        self.take(id, 1)
        status, text = self.server.ask("POST", f"/api/tables/{id}/seats/1", taking)
        self.assertEqual((status, json.loads(text)), (409, examples()[0][1]))

    def test_messages_of_a_whole_race(self):
        id, tokens = self.open([person(), person("Bo", "blue"), ROOKIE], clock=60)
        others = threading.Thread(target=race, args=[self.follow(id, tokens[1]), 1])
        others.start()
        follower, kinds, last, chances = self.follow(id, tokens[0]), set(), 0, 0
        while True:
            message = follower.next()
            kinds.add(message["m"])
            self.assertIn(message["m"], ["entry", "state", "foresee", "error"])
            if message["m"] == "entry":
                documented, words = next((text, words) for name, text, words in examples() if name == "entry")
                self.assertLessEqual(set(message), set(documented) | words)
                self.assertLessEqual({"m", "n", "t", "seat", "what"}, set(message))
                self.assertEqual(message["n"], last + 1)
                self.assertEqual("act" in message, message["what"] in ("act", "drive") and message["seat"] == 0)
                self.events(message.get("events", []))
                last = message["n"]
                if message.get("act") == "done" and "events" in message:
                    corners = [event for event in message["events"] if event["e"] == "corner"]
                    self.check("entry", {**message, "events": corners})
            elif message["m"] == "error":
                self.check("error", message)
                self.assertEqual(message["code"], "old")  # the act was on its way when another state came
            elif message["m"] == "foresee":
                example = examples()[-1][1]
                self.check("foresee", {"odds": [], **message} if message["ok"] else {**example, **message})
                chances += "odds" in message
            else:
                self.assertEqual(message["n"], last)
                self.check("state", {"acts": [], **message})
                if message["table"]["phase"] == "over":
                    break
                if waits_for(message, 0) and "acts" in message:
                    act = random.choice(message["acts"])
                    follower.send(f"foresee {act}")
                    follower.send(f"act {last} {act}")
        others.join()
        self.assertLessEqual({"entry", "state", "foresee"}, kinds)
        self.assertGreater(chances, 0)
        self.assertEqual(sorted(message["table"]["places"]), [0, 1, 2])

    def test_the_circuits(self):
        circuits = self.server.get("/api/circuits")["circuits"]
        self.assertIn({"name": "usa", "title": "USA", "laps": 2}, circuits)
        self.assertEqual({each["name"] for each in circuits}, {path.stem for path in SOURCE.glob("circuits/*.circuit")})


class Example(Case):
    def run_client(self, *arguments, **more):
        result = subprocess.run([sys.executable, "-B", CLIENT, *map(str, arguments)], capture_output=True, text=True,
                                timeout=120, **more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_it_races_to_the_end_with_the_usual_limits(self):
        with serving("--rate", 20) as server:
            said = self.run_client(f"http://127.0.0.1:{server.port}/")
        self.assertRegex(said, r"Round 1: ")
        self.assertRegex(said, r"car 0 \(you\) moves by \d+ \(cards\)")
        self.assertRegex(said, r"Places: .*Python \(car 0\)")

    def test_it_joins_a_table_and_goes_on_after_a_power_cut(self):
        with serving(*FREE, "--champion-ms", 30) as server:
            id = server.open_table([{"kind": "bot", "level": "champion"}, OPEN], laps=9)["id"]
            told = server.folder / "told"  # no pipe: communicate() forgets what readline() has read ahead
            with open(told, "w") as file:
                client = subprocess.Popen([sys.executable, "-Bu", CLIENT, f"http://127.0.0.1:{server.port}", "--join",
                                           id, "--seat", "1"], stdout=file)
            self.addCleanup(client.wait)
            self.addCleanup(client.kill)
            poll(lambda: "Round 3" in told.read_text() or client.poll() is not None, 120)
            self.assertIsNone(client.poll(), "the client gave up:\n" + told.read_text())
            server.kill()
            server.start()
            self.assertEqual(client.wait(300), 0)
            said = told.read_text()
            self.assertIn("Trying again", said)
            self.assertIn("Places: ", said)
            rounds = [int(n) for n in re.findall(r"^Round (\d+)", said, re.MULTILINE)]
            self.assertEqual(rounds, list(range(1, len(rounds) + 1)), said)  # each was told once


# ---- Tables and seats


class Opening(Case):
    GOOD = {"circuit": "usa", "seats": [person(), OPEN]}

    def test_every_wrong_value_is_refused_and_opens_nothing(self):
        def seat(**keys):
            return {**self.GOOD, "seats": [{**person(), **keys}, OPEN]}
        wrong = [
            [], 1, "x", None, {}, {"circuit": "usa"}, {"seats": [OPEN]}, {**self.GOOD, "more": 1},
            {**self.GOOD, "circuit": "mars"}, {**self.GOOD, "circuit": ""}, {**self.GOOD, "circuit": 7},
            {**self.GOOD, "circuit": None}, {**self.GOOD, "circuit": "usa\0"}, {**self.GOOD, "circuit": "../usa"},
            {**self.GOOD, "circuit_file": ONE_CORNER}, {"circuit_file": 3, "seats": [OPEN]},
            {**self.GOOD, "laps": 0}, {**self.GOOD, "laps": 10}, {**self.GOOD, "laps": 1.0},
            {**self.GOOD, "laps": "1"}, {**self.GOOD, "laps": None}, {**self.GOOD, "laps": True},
            {**self.GOOD, "laps": 2 ** 62}, {**self.GOOD, "clock": -1}, {**self.GOOD, "clock": 14 * 86400 + 1},
            {**self.GOOD, "clock": "60"}, {**self.GOOD, "substitute": "null"}, {**self.GOOD, "substitute": 1},
            {**self.GOOD, "listed": 1}, {**self.GOOD, "listed": "yes"}, {**self.GOOD, "listed": None},
            {**self.GOOD, "seats": []}, {**self.GOOD, "seats": [OPEN] * 7}, {**self.GOOD, "seats": {}},
            {**self.GOOD, "seats": [1]}, {**self.GOOD, "seats": [[]]}, {**self.GOOD, "seats": [{}]},
            {**self.GOOD, "seats": [{"kind": "ghost"}]}, {**self.GOOD, "seats": [{"kind": 1}]},
            {**self.GOOD, "seats": [{**OPEN, "name": "Ada"}]}, {**self.GOOD, "seats": [{**OPEN, "level": "rookie"}]},
            {**self.GOOD, "seats": [{"kind": "bot", "level": "null"}]},
            {**self.GOOD, "seats": [{"kind": "bot", "level": 1}]}, {**self.GOOD, "seats": [{**ROOKIE, "name": "Bo"}]},
            {**self.GOOD, "seats": [{**OPEN, "handicap": 3}]}, {**self.GOOD, "seats": [{**OPEN, "handicap": -1}]},
            {**self.GOOD, "seats": [{**OPEN, "handicap": "1"}]}, {**self.GOOD, "seats": [person(), person("Bo")]},
            seat(name=""), seat(name="x" * 32), seat(name="é" * 16), seat(name=" Ada"), seat(name="Ada "),
            seat(name="A\nda"), seat(name="A\0da"), seat(name="A\u202eda"), seat(name=1), seat(name=None),
            seat(colour="pink"), seat(colour=""), seat(colour=1), seat(level="rookie"), seat(token="x"),
            seat(salt=""), seat(salt="ff"), seat(salt="F" * 64), seat(salt="g" * 64), seat(salt=1), seat(salt="0" * 65),
        ]
        before = figures(self.server)["hairpin_tables_opened_total"]
        for body in wrong:
            self.refused(400, "bad_request", "POST", "/api/tables", raw=json.dumps(body).encode())
        self.assertEqual(figures(self.server)["hairpin_tables_opened_total"], before)

    def test_what_is_left_out(self):
        opened = self.server.post("/api/tables", self.GOOD)
        notice = opened["table"]
        self.assertEqual((notice["laps"], notice["clock"], notice["substitute"], notice["phase"], notice["n"]),
                         (2, 0, "driver", "gathering", 0))
        self.assertEqual(self.server.get(f"/api/tables/{opened['id']}"), notice)
        self.assertNotIn(opened["id"], [each["id"] for each in self.server.get("/api/tables")["tables"]])
        self.assertEqual(self.server.ask("GET", f"/api/tables/{opened['id']}/circuit")[1],
                         (SOURCE / "circuits/usa.circuit").read_text())

    def test_no_program_mistakes_an_id_for_an_option(self):
        for _ in range(20):
            self.assertRegex(self.server.open_table([OPEN])["id"], r"^[0-9a-hjkmnp-tv-z]{22}$")

    def test_without_an_open_seat_it_starts_at_once(self):
        id, tokens = self.open([person(name="Zoë „Ö“ 5"), ROOKIE], laps=9, clock=14 * 86400)
        notice = self.server.get(f"/api/tables/{id}")
        self.assertEqual((notice["phase"], notice["laps"], notice["seats"][0]["name"]), ("racing", 9, "Zoë „Ö“ 5"))
        self.assertEqual(notice["awaited"][0]["until"] - notice["awaited"][0]["since"], 14 * 86400 * 1000)

    def test_circuit_files(self):
        id, _ = self.open([OPEN])
        self.assertEqual(self.server.ask("GET", f"/api/tables/{id}/circuit"), (200, ONE_CORNER))
        self.assertEqual(self.server.get(f"/api/tables/{id}")["circuit"], "one-corner")
        usa = (SOURCE / "circuits/usa.circuit").read_text()
        self.server.post("/api/tables", {"circuit_file": usa, "seats": [OPEN]})  # just what is built in
        before = figures(self.server)["hairpin_tables_opened_total"]
        for text in ["", "no circuit", ONE_CORNER[:-5], usa.replace("heat 6", "heat 5"), ONE_CORNER + "\0",
                     ONE_CORNER.replace("\n", "\n" + "# much\n" * 6000, 1), "\ud800"]:
            self.refused(400, "bad_request", "POST", "/api/tables", {"circuit_file": text, "seats": [OPEN]})
        self.assertEqual(figures(self.server)["hairpin_tables_opened_total"], before)

    def test_the_list(self):
        listed = [self.open([OPEN], listed=True)[0] for _ in range(3)]
        hidden, _ = self.open([OPEN])
        racing, _ = self.open([person(), ROOKIE], listed=True)
        shown = [each["id"] for each in self.server.get("/api/tables")["tables"]]
        self.assertEqual(shown[:3], listed[::-1])  # newest first
        self.assertNotIn(hidden, shown)
        self.assertNotIn(racing, shown)
        self.take(listed[1], 0)
        shown = [each["id"] for each in self.server.get("/api/tables")["tables"]]
        self.assertNotIn(listed[1], shown)
        for _ in range(110):
            self.open([OPEN], listed=True)
        self.assertEqual(len(self.server.get("/api/tables")["tables"]), 100)


class Seats(Case):
    def test_wrong_values(self):
        id, _ = self.open([person(), OPEN])
        path = f"/api/tables/{id}/seats/1"
        for body in [{}, {"name": "Bo"}, {"colour": "blue"}, {"name": "", "colour": "blue"}, [],
                     {"name": "Bo", "colour": "pink"}, {"name": "Bo", "colour": "blue", "salt": "0"},
                     {"name": "Bo", "colour": "blue", "handicap": 1}, {"name": "x\x7f", "colour": "blue"}]:
            self.refused(400, "bad_request", "POST", path, body)
        self.refused(409, "colour_taken", "POST", path, {"name": "Bo", "colour": "red"})
        for seat in ["2", "6", "9", "-1", "x", "", "11", "1x"]:
            self.refused(404, "no_such_seat", "POST", f"/api/tables/{id}/seats/{seat}", {"name": "Bo", "colour": "blue"})
        self.refused(404, "no_such_page", "POST", path + "/fly")
        self.refused(404, "no_such_table", "POST", f"/api/tables/{'x' * 22}/seats/1", {"name": "Bo", "colour": "blue"})
        self.refused(405, "wrong_method", "GET", path)
        self.assertEqual(self.server.get(f"/api/tables/{id}")["n"], 0)

    def test_of_many_takers_exactly_one_gets_it(self):
        for _ in range(5):
            id, _ = self.open([OPEN, OPEN])
            gate, answers = threading.Barrier(4), []

            def taker(colour):
                gate.wait()
                answers.append(self.server.ask("POST", f"/api/tables/{id}/seats/0", {"name": colour, "colour": colour}))
            takers = [threading.Thread(target=taker, args=[colour]) for colour in ["red", "blue", "green", "black"]]
            for each in takers:
                each.start()
            for each in takers:
                each.join()
            self.assertEqual(sorted(status for status, _ in answers), [201, 409, 409, 409])
            for status, text in answers:
                if status == 409:
                    self.error(text, "seat_taken")
            token = next(json.loads(text)["token"] for status, text in answers if status == 201)
            self.assertEqual(self.follow(id, token).until("state")["you"], 0)

    def test_an_answer_that_is_lost_can_be_asked_for_again(self):
        id, tokens = self.open([person(), OPEN, OPEN])
        path, own, bo = f"/api/tables/{id}/seats/1", os.urandom(16).hex(), {"name": "Bo", "colour": "blue"}
        body = json.dumps(bo).encode()
        with socket.create_connection(("127.0.0.1", self.server.port), 20) as wire:
            wire.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {own}\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        poll(lambda: self.server.get(f"/api/tables/{id}")["n"] == 1)
        self.refused(409, "seat_taken", "POST", path, bo)
        self.refused(409, "seat_taken", "POST", path, bo, os.urandom(16).hex())
        self.refused(409, "seat_taken", "POST", path, bo, tokens[0])
        for again in (bo, {}, {"name": "Cy", "colour": "green"}):
            self.assertEqual(self.server.post(path, again, own), {"seat": 1, "token": own})
        self.assertEqual(self.server.get(f"/api/tables/{id}")["n"], 1)
        self.assertEqual(self.follow(id, own).until("state")["table"]["seats"][1]["name"], "Bo")
        # One that a seat has already, or that no WebSocket could begin with, is not taken over.
        for wrong in (own, None, "G" * 32, "A" * 32):
            id, tokens = self.open([person(), OPEN, OPEN])
            self.server.post(f"/api/tables/{id}/seats/1", bo, own)
            wrong = wrong or tokens[0]
            last = self.server.post(f"/api/tables/{id}/seats/2", {"name": "Cy", "colour": "green"}, wrong)["token"]
            self.assertNotEqual(last, wrong)
            self.assertEqual(self.follow(id, last).until("state")["you"], 2)
        self.assertEqual(self.server.get(f"/api/tables/{id}")["phase"], "racing")
        self.assertEqual(self.server.post(f"/api/tables/{id}/seats/2", {}, last), {"seat": 2, "token": last})

    def test_leaving_before_the_race(self):
        id, tokens = self.open([person(), OPEN, OPEN])
        token = self.take(id, 1)
        leave = f"/api/tables/{id}/seats/1/leave"
        self.refused(401, "no_token", "POST", leave)
        self.refused(401, "no_token", "POST", leave, token="short")
        self.refused(401, "wrong_token", "POST", leave, token="0" * 32)
        self.refused(401, "wrong_token", "POST", leave, token=tokens[0])  # of another seat
        self.refused(401, "wrong_token", "POST", leave, token=token.upper())
        self.assertEqual(self.server.post(leave, token=token, status=200), {})
        self.assertEqual(self.server.get(f"/api/tables/{id}")["seats"][1], {"kind": "open", "handicap": 0})
        self.refused(401, "wrong_token", "POST", leave, token=token)
        self.closes(self.follow(id, token), 1008)
        self.take(id, 1, "Cy")

    def test_who_has_left_sees_and_does_nothing_for_who_comes_next(self):
        id, _ = self.open([OPEN, OPEN])
        old = self.take(id, 0, "Ada", "red")
        leaver = self.follow(id, old)
        leaver.until("state", you=0)
        leaver.send("leave")
        leaver.until("entry", what="leave")
        leaver.until("state", you=-1)
        tokens = self.take(id, 0, "Bo", "blue"), self.take(id, 1, "Cy", "green")
        state = leaver.until("state", n=4)
        self.assertEqual(state["you"], -1)
        self.assertNotIn("hand", state["view"])
        self.assertNotIn("acts", state)
        for line in ["act 4 plan 1 1", "leave", "foresee plan 1 1", "phrase 1", "back"]:
            self.complains(leaver, line, "not_seated")
        self.assertIn("acts", self.follow(id, tokens[0]).until("state"))

    def test_a_bot_instead(self):
        id, tokens = self.open([person(), OPEN, OPEN])
        token = self.take(id, 1)
        path = f"/api/tables/{id}/seats/1/bot"
        self.refused(401, "no_token", "POST", path, {"level": "rookie"})
        self.refused(400, "bad_request", "POST", path, {"level": "null"}, token)
        self.refused(400, "bad_request", "POST", path, {"level": "rookie", "more": 1}, token)
        self.server.post(path, {"level": "champion"}, token, status=200)
        seat = self.server.get(f"/api/tables/{id}")["seats"][1]
        self.assertEqual((seat["kind"], seat["level"], seat["driver"]), ("bot", "champion", "champion"))
        self.refused(401, "wrong_token", "POST", path, {"level": "rookie"}, token)
        self.refused(409, "seat_taken", "POST", f"/api/tables/{id}/seats/1", {"name": "Bo", "colour": "blue"})

    def test_starting_with_seats_left_open(self):
        id, tokens = self.open([person(), OPEN, OPEN], substitute="rookie")
        self.refused(401, "no_token", "POST", f"/api/tables/{id}/start")
        self.refused(401, "wrong_token", "POST", f"/api/tables/{id}/start", token="f" * 32)
        self.refused(405, "wrong_method", "GET", f"/api/tables/{id}/start")
        self.server.post(f"/api/tables/{id}/start", token=tokens[0], status=200)
        seats = self.server.get(f"/api/tables/{id}")["seats"]
        self.assertEqual([seat["driver"] for seat in seats], ["person", "rookie", "rookie"])
        self.assertEqual(len({seat["colour"] for seat in seats}), 3)
        self.refused(409, "not_now", "POST", f"/api/tables/{id}/start", token=tokens[0])
        self.refused(409, "not_now", "POST", f"/api/tables/{id}/seats/1", {"name": "Bo", "colour": "blue"})

    def test_the_same_lines_over_a_socket(self):
        id, tokens = self.open([person(), OPEN])
        first = self.follow(id, tokens[0])
        second = self.follow(id, self.take(id, 1, salt=SALT))
        self.assertEqual(first.until("entry")["name"], "Bo")
        state = first.until("state", n=1)
        self.assertEqual(state["table"]["seats"][1]["salt"], SALT)
        self.assertEqual(state["table"]["phase"], "racing")
        second.send("bot rookie")
        self.assertEqual(first.until("entry", what="bot")["level"], "rookie")
        self.assertEqual(first.until("state")["table"]["seats"][1]["driver"], "rookie")
        self.complains(second, "start", "not_now")
        self.complains(second, "rematch", "not_now")
        second.send("back")
        first.until("entry", what="back")

    def test_a_rematch_keeps_the_seats(self):
        id, tokens = self.open([person(), person("Bo", "blue"), ROOKIE])
        self.refused(409, "not_now", "POST", f"/api/tables/{id}/rematch", token=tokens[0])
        followers = [self.follow(id, tokens[seat]) for seat in (0, 1)]
        other = threading.Thread(target=race, args=[followers[1], 1])
        other.start()
        race(followers[0], 0)
        other.join()
        self.refused(401, "no_token", "POST", f"/api/tables/{id}/rematch")
        self.refused(401, "wrong_token", "POST", f"/api/tables/{id}/rematch", token="0" * 32)
        again = self.server.post(f"/api/tables/{id}/rematch", token=tokens[1])["id"]
        self.assertEqual(followers[0].until("entry", what="rematch")["id"], again)
        self.assertEqual(followers[0].until("state")["table"]["rematch"], again)
        self.assertEqual(self.server.post(f"/api/tables/{id}/rematch", token=tokens[0])["id"], again)
        followers[0].send("rematch")  # there is one already
        notice = self.server.get(f"/api/tables/{again}")
        self.assertEqual([seat["kind"] for seat in notice["seats"]], ["open", "open", "bot"])
        self.assertEqual([seat.get("kept") for seat in notice["seats"]], [True, True, None])
        self.assertNotEqual(notice["commitment"], self.server.get(f"/api/tables/{id}")["commitment"])
        path = f"/api/tables/{again}/seats/0"
        self.refused(409, "seat_kept", "POST", path, {"name": "Cy", "colour": "red"})
        self.refused(409, "seat_kept", "POST", path, {}, tokens[1])
        for _ in range(2):  # once more, if the answer was lost
            self.assertEqual(self.server.post(path, {}, tokens[0]), {"seat": 0, "token": tokens[0]})
        self.assertEqual(self.server.get(f"/api/tables/{again}")["seats"][0]["name"], "Ada")
        self.server.post(f"/api/tables/{again}/seats/1", {"colour": "white"}, tokens[1])
        notice = self.server.get(f"/api/tables/{again}")
        self.assertEqual((notice["phase"], notice["seats"][1]["colour"]), ("racing", "white"))


class Shuffle(Case):
    def test_anybody_can_check_it(self):
        opened = self.server.post("/api/tables", {"circuit_file": ONE_CORNER, "laps": 1,
                                                  "seats": [OPEN, person(salt=SALT), ROOKIE]})
        id, token = opened["id"], opened["tokens"][0]["token"]
        own = os.urandom(32).hex()
        follower, watcher = self.follow(id, token), self.follow(id)
        before = json.dumps(opened) + json.dumps(self.server.get(f"/api/tables/{id}"))
        other = self.follow(id, self.take(id, 0, salt=own))
        thread = threading.Thread(target=race, args=[other, 0])
        thread.start()
        state = race(follower, 1)
        thread.join()
        watcher.until("state", n=state["n"])
        notice = self.server.get(f"/api/tables/{id}")
        self.assertEqual([seat.get("salt") for seat in notice["seats"]], [own, SALT, None])
        status, text = self.server.ask("GET", f"/api/tables/{id}/race")
        self.assertEqual(status, 200)
        secret, seed = re.search("^secret (.*)$", text, re.M).group(1), re.search("^seed (.*)$", text, re.M).group(1)
        self.assertEqual(hashlib.sha256(bytes.fromhex(secret)).hexdigest(), opened["table"]["commitment"])
        self.assertEqual(hashlib.sha256(bytes.fromhex(secret + own + SALT + "0" * 64)).hexdigest(), seed)
        self.assertEqual(re.findall("^salt (.*)$", text, re.M), ["0 " + own, "1 " + SALT])
        for place in [before.encode(), other.received, follower.received, watcher.received, json.dumps(notice).encode()]:
            self.assertNotIn(secret.encode(), place)
            self.assertNotIn(seed.encode(), place)
        with tempfile.NamedTemporaryFile("w", suffix=".race") as file:
            file.write(text)
            file.flush()
            result = subprocess.run([HAIRPIN, "replay", file.name, "--verify"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            events = self.server.ask("GET", f"/api/tables/{id}/events")[1]
            with tempfile.NamedTemporaryFile("r") as out:
                subprocess.run([HAIRPIN, "replay", file.name, "--events", out.name], check=True, capture_output=True)
                self.assertEqual(out.read(), events)

    def test_nothing_but_the_notice_before_the_end(self):
        id, tokens = self.open([person(), OPEN])
        for _ in range(2):
            for what in ["race", "events"]:
                self.refused(409, "not_now", "GET", f"/api/tables/{id}/{what}")
                self.refused(409, "not_now", "GET", f"/api/tables/{id}/{what}", token=tokens[0])
            self.server.ask("POST", f"/api/tables/{id}/start", token=tokens[0])
        race(self.follow(id, tokens[0]), 0)
        for what in ["race", "events"]:
            self.assertEqual(self.server.ask("GET", f"/api/tables/{id}/{what}")[0], 200)

    def test_the_referee_finds_nothing(self):
        if not REFEREE.exists():
            self.skipTest("no referee here")
        for circuit, bots in [("italy", 1), ("usa", 5)]:
            id, _ = self.raced([ROOKIE] * bots, circuit=circuit)
            events = self.server.ask("GET", f"/api/tables/{id}/events")[1]
            result = subprocess.run([sys.executable, "-B", REFEREE], input=events, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


# ---- Racing


class Racing(Case):
    def two(self, **more):
        id, tokens = self.open([person(), person("Bo", "blue")], **more)
        followers = [self.follow(id, tokens[seat]) for seat in (0, 1)]
        for follower in followers:
            follower.until("state", n=1)
        return id, tokens, followers

    def test_the_clock(self):
        id, tokens, (first, second) = self.two(clock=3, substitute="champion", circuit="usa")
        began = self.follow(id).until("entry", n=1)["t"]
        late = [first.until("entry", what="late") for _ in (0, 1)]
        self.assertGreaterEqual(late[0]["t"] - began, 3000)
        self.assertEqual(sorted(entry["for"] for entry in late), [0, 1])
        self.assertEqual(late[0]["seat"], -1)
        drive = second.until("entry", what="drive", seat=1)
        self.assertIn("act", drive)  # its own
        second.send("back")
        second.until("entry", what="back")
        notice = second.until("state")["table"]
        self.assertEqual([seat["driver"] for seat in notice["seats"]], ["champion", "person"])

    def test_back_at_the_wheel(self):
        id, tokens = self.open([person(), {"kind": "bot", "level": "champion"}], circuit="usa")
        first = self.follow(id, tokens[0])
        state = first.until("state")
        first.send("leave")
        self.assertEqual(first.until("entry", what="leave")["seat"], 0)
        state = first.until("state")
        self.assertTrue(state["table"]["seats"][0]["away"])
        self.assertNotIn("acts", state)
        first.until("entry", what="drive", seat=0)
        first.send("back")
        first.until("entry", what="back")
        state = first.until("state")
        self.assertFalse(state["table"]["seats"][0]["away"])
        self.complains(first, "back", "bot_does_not")
        state = race(self.follow(id, tokens[0]), 0, until=lambda state: "acts" in state and waits_for(state, 0))
        act = random.choice(state["acts"])
        first.send(f"act {state['n']} {act}")
        self.assertEqual(first.until("entry", what="act")["act"], act)

    def test_who_may_not_agree(self):
        id, tokens, (first, second) = self.two()
        self.complains(first, "agree 0", "not_awaited")  # about oneself
        self.complains(first, "agree 1", "not_awaited")  # so soon
        self.complains(first, "agree 2", "not_a_line")
        self.complains(first, "agree", "not_a_line")
        self.assertFalse(self.server.get(f"/api/tables/{id}")["seats"][1]["away"])
        first.send("leave")
        first.until("entry", what="leave")
        self.complains(first, "agree 1", "bot_drives")

    def test_phrases(self):
        id, tokens, (first, second) = self.two()
        for phrase in (1, 12):
            first.send(f"phrase {phrase}")
            entry = second.until("entry", what="phrase")
            self.assertEqual((entry["seat"], entry["phrase"]), (0, phrase))
        for line in ["phrase 0", "phrase 13", "phrase", "phrase x", "phrase -1"]:
            self.complains(first, line, "no_such_phrase")
        self.complains(first, "phrase 1 2", "not_a_line")

    def test_foresight_is_nobody_elses_business(self):
        id, tokens, (first, second) = self.two()
        acts = self.follow(id, tokens[0]).until("state")["acts"]
        for act in acts:
            first.send(f"foresee {act}")
            answer = first.next()
            self.assertEqual((answer["m"], answer["act"], answer["ok"]), ("foresee", act, True))
        for act, code, rule in [("plan 4 1 1 1 1", None, True), ("done", "wrong_step", False), ("dance", "not_a_line", 0),
                                ("plan 9 1", None, False), ("", "not_a_line", False)]:
            first.send(f"foresee {act}")
            answer = first.until("foresee")
            self.assertFalse(answer["ok"])
            self.assertLessEqual({"code", "text"}, set(answer))
            self.assertIn(answer["code"], [code] if code else [answer["code"]])
            if rule:
                self.assertRegex(answer["rule"], r"^R\d")
        self.assertFalse(second.ready(0))
        self.assertEqual(self.server.get(f"/api/tables/{id}")["n"], 1)

    def test_coming_back_with_what_was_seen(self):
        id, token = self.raced()
        for who in (token, None):
            whole = self.follow(id, who)
            entries = []
            while (message := whole.next())["m"] == "entry":
                entries.append(message)
            self.assertEqual([entry["n"] for entry in entries], list(range(1, message["n"] + 1)))
            self.assertEqual(message["table"]["phase"], "over")
            for since in {0, 1, len(entries) // 2, len(entries) - 1, len(entries)}:
                again = self.follow(id, who, since)
                self.assertEqual([again.next() for _ in entries[since:]], entries[since:])
                self.assertEqual(again.next(), message)
                again.send("ping")
                self.assertEqual(again.next(), {"m": "pong"})
        ahead = self.follow(id, token, len(entries) + 5)
        self.error(ahead.next(), "ahead")
        self.assertEqual(ahead.next()["n"], len(entries))

    def test_several_connections_of_a_seat_and_spectators(self):
        id, tokens = self.open([person(), ROOKIE])
        same = [self.follow(id, tokens[0]) for _ in range(3)]
        watchers = [self.follow(id) for _ in range(3)]
        end = race(same[0], 0)
        for others in (same, watchers):
            heard = []
            for follower in others:
                again = self.follow(id, tokens[0] if others is same else None)
                heard.append([again.next() for _ in range(end["n"] + 1)])
            self.assertEqual(heard[0], heard[1])
            for follower in others[1:]:
                self.assertEqual(follower.until("state", n=end["n"]), heard[0][-1])
        watched = heard[0]
        self.assertEqual(watched[-1]["you"], -1)
        self.assertNotIn("acts", watched[-1])
        self.assertNotIn("hand", watched[-1]["view"])
        self.assertFalse([entry for entry in watched if "act" in entry])
        for entry in watched:
            for event in entry.get("events", []):
                if event["e"] == "draw":
                    self.assertEqual(set(event["cards"]), {"?"})
        for line in ["act 1 done", "phrase 1", "back", "start", "leave", "rematch", "foresee done", "seat x 0", ""]:
            self.complains(watchers[0], line, "not_seated")
        watchers[0].send("ping")
        self.assertEqual(watchers[0].next(), {"m": "pong"})

    def test_old_doubled_and_early_acts(self):
        id, tokens, (first, second) = self.two()
        state = self.follow(id, tokens[0]).until("state")
        act = state["acts"][0]
        self.complains(first, f"act 0 {act}", "old")
        self.complains(first, f"act 99 {act}", "ahead")
        self.complains(first, f"act 1 {act} 1", None)
        self.complains(first, "act 1 retire", "too_early_to_retire")
        self.complains(first, "act 1 done", "wrong_step")
        self.complains(first, "act 1 unplan", "nothing_planned")
        first.send(f"act 1 {act}")
        first.send(f"act 1 {act}")
        self.assertEqual(first.until("entry", what="act")["act"], act)
        self.error(first.until("error"), "old")
        entry = second.until("entry", what="act", seat=0)
        self.assertNotIn("act", entry)
        self.assertTrue(entry["planned"])
        second.send(f"act 1 {second_act(self, id, tokens[1])}")  # has not seen the other's, and need not
        second.until("entry", seat=1)
        for line in ["take red - 00 Eve", "drive 1 done", "late 0", "resume", "rematch " + "x" * 22, "act", "act 1", "",
                     "act x done", "act -1 done", "act 99999999999 done", " ", "foresee", "bot", "back 1", "start now"]:
            self.complains(first, line, None)
        self.complains(first, "bot null", "no_such_level")

    def test_other_peoples_acts(self):
        id, tokens, (first, second) = self.two()
        for follower, seat in [(first, 0), (second, 1)]:
            follower.send(f"act 1 {second_act(self, id, tokens[seat])}")
        state = first.until("state", n=3)
        waiting = state["table"]["awaited"][0]["seat"]
        other = 1 - waiting
        acts = self.follow(id, tokens[waiting]).until("state")["acts"]
        self.complains([first, second][other], f"act 3 {acts[0]}", "not_your_turn")
        self.assertEqual(self.server.get(f"/api/tables/{id}")["n"], 3)


def second_act(case, id, token):
    return case.follow(id, token).until("state")["acts"][0]


# ---- Rubbish


@contextlib.contextmanager
def undisturbed(server):
    """Races go on at the same server meanwhile, and nothing disturbs them."""
    ended, faults, races = threading.Event(), [], []

    def run():
        try:
            while not ended.is_set() or not races:
                opened = server.post("/api/tables", {"circuit_file": ONE_CORNER, "laps": 1,
                                                     "seats": [person(), ROOKIE, ROOKIE]})
                follower = server.follow(opened["id"], opened["tokens"][0]["token"])
                follower.socket.settimeout(30)
                race(follower, 0)
                follower.close()
                races.append(opened["id"])
        except BaseException as fault:
            faults.append(fault)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    assert not faults, faults


def converse(server, data):
    """Sends bytes as they are; the status, and the body of the answer. None when there is none."""
    with socket.create_connection(("127.0.0.1", server.port), 20) as s:
        try:
            s.sendall(data)
            answer = http.client.HTTPResponse(s)
            answer.begin()
            return answer.status, answer.read().decode()
        except (http.client.HTTPException, ConnectionError):
            return None, ""


class RubbishByHttp(Case):
    def test_bodies(self):
        deep = b"[" * 60000
        with undisturbed(self.server):
            for body in [b"", b"x", b"{", b"{}x", b"\xff\xfe", b"\0" * 100, b"null", b'"x"', b"[]", b"{'a':1}",
                         b'{"circuit":"usa","circuit":"usa","seats":[{"kind":"open"}]}',
                         b'{"circuit":"usa","seats":[{"kind":"open","kind":"open"}]}', deep, b'{"a":' * 10000,
                         b'{"circuit":"\\ud800","seats":[]}', b'{"laps":1e999}', b'{"laps":%s}' % (b"9" * 5000),
                         b'{"circuit":"usa","seats":[{"kind":"open"}],"x":"' + b"y" * 60000 + b'"}',
                         b"\xef\xbb\xbf{}", b"{" + b" " * 65000]:
                self.refused(400, "bad_request", "POST", "/api/tables", raw=body)
            fits = json.dumps({"circuit": "usa", "seats": [OPEN]}).encode().ljust(65536)
            self.assertEqual(self.server.ask("POST", "/api/tables", raw=fits)[0], 201)
            self.refused(413, "too_large", "POST", "/api/tables", raw=fits + b" ")

    def test_requests(self):
        get, host = b"GET /healthz HTTP/1.1\r\n", b"Host: x\r\n"
        post = b"POST /api/tables HTTP/1.1\r\n" + host
        body = json.dumps({"circuit": "usa", "seats": [OPEN], "listed": True}).encode()
        before = figures(self.server)["hairpin_tables_opened_total"]
        with undisturbed(self.server):
            for data, status, code in [
                (post + b"Content-Length: 10000000000\r\n\r\n", 413, "too_large"),
                (post + b"Content-Length: 99999999999999999999999\r\n\r\n", 413, "too_large"),
                (post + b"Content-Length: -1\r\n\r\n", 413, "too_large"),
                (post + b"Content-Length: x\r\n\r\n" + body, 400, "bad_request"),
                (post + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body), 400, "bad_request"),
                (post + b"\r\n", 400, "bad_request"),
                (b"GET /" + b"a" * 2000 + b" HTTP/1.1\r\n" + host + b"\r\n", 404, "no_such_page"),
                (b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n", 404, "no_such_page"),
                (b"GET /api/tables/%2e%2e HTTP/1.1\r\n" + host + b"\r\n", 404, None),
                (b"GET /api/tables/" + b"x" * 23 + b" HTTP/1.1\r\n" + host + b"\r\n", 404, "no_such_page"),
                (b"GET /api/tables/" + b"x" * 22 + b" HTTP/1.1\r\n" + host + b"\r\n", 404, "no_such_table"),
                *[(method + b" /api/tables HTTP/1.1\r\n" + host + b"\r\n", 405, "wrong_method")
                  for method in (b"PUT", b"DELETE", b"PATCH", b"OPTIONS")],
            ]:
                got, text = converse(self.server, data)
                self.assertEqual(got, status, data[:80])
                self.error(text, code)
            for path in ["/", "/healthz", "/metrics", "/api/circuits"]:
                self.refused(405, "wrong_method", "POST", path)
            for path in ["/x", "/api", "/api/tables/", "/api/table", "/healthz/"]:
                self.refused(404, "no_such_page", "GET", path)
            # What is no HTTP, too large a head, or another protocol may be answered by hanging up.
            for data in [get + host + b"X-Much: " + b"a" * 10000 + b"\r\n\r\n",
                         get + host + b"User-Agent: " + b"a" * 10000 + b"\r\n\r\n",
                         get + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n",
                         b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", b"\0\1\2\3\r\n\r\n", b"\r\n\r\n\r\n\r\n",
                         b"FLY / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\0\1\0\1\xfc\3\3" + b"x" * 500, b"x" * 100000,
                         b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                         get + host + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                         b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"]:
                got, _ = converse(self.server, data)
                self.assertIn(got, [None, 400, 403, 404, 413, 431])
            for length in range(1, 60):
                with socket.create_connection(("127.0.0.1", self.server.port)) as s:
                    s.sendall(post[:length])
        self.assertEqual(self.server.ask("GET", "/healthz"), (200, "ok\n"))
        opened = figures(self.server)["hairpin_tables_opened_total"]
        self.assertEqual(self.server.get("/api/tables")["tables"], [])
        self.assertGreater(opened, before)  # by those who raced

    def test_what_follows_a_refused_head_is_not_obeyed(self):
        body = json.dumps({"circuit": "usa", "seats": [OPEN], "listed": True}).encode()
        host = b"Host: 127.0.0.1:%d\r\n" % self.server.port
        head = b"POST /api/tables HTTP/1.1\r\n" + host + b"Origin: http://evil.example\r\n"
        with socket.create_connection(("127.0.0.1", self.server.port), 20) as s:
            s.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body))
            answer = http.client.HTTPResponse(s)
            answer.begin()
            self.error(answer.read().decode(), "wrong_origin")
            with contextlib.suppress(ConnectionError):
                s.sendall(body + head.replace(b"evil", b"good") + b"\r\n")
                self.assertEqual(s.recv(1000), b"")
        self.assertEqual(self.server.get("/api/tables")["tables"], [])

    def test_requests_in_pieces_and_in_a_row(self):
        body = json.dumps({"circuit": "usa", "seats": [OPEN]}).encode()
        head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % len(body)
        post, get = head + b"\r\n" + body, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        evil = head + b"Origin: http://evil\r\n\r\n"
        huge = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
        # Only the first is answered: rows of them once made the server go round in circles.
        for status, parts in [(201, [bytes([byte]) for byte in post]), (201, [post + post]), (201, [post, post]),
                              (200, [get + post]), (201, [post + get]), (403, [evil, body + post + post]),
                              (413, [huge, bytes(200000) + post]), (413, [huge + bytes(200000) + post]),
                              (200, [get + get + get]), (201, [post + post[:20], post[20:]])]:
            with socket.create_connection(("127.0.0.1", self.server.port), 20) as s:
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with contextlib.suppress(ConnectionError):
                    for part in parts:
                        s.sendall(part)
                answer = http.client.HTTPResponse(s)
                answer.begin()
                self.assertEqual(answer.status, status)
                self.assertEqual(self.server.ask("GET", "/healthz"), (200, "ok\n"))

    def test_headers_that_keep_browsers_careful(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        connection.request("GET", "/api/circuits")
        answer = connection.getresponse()
        for name in ["x-content-type-options", "content-security-policy", "referrer-policy", "x-frame-options"]:
            self.assertIsNotNone(answer.getheader(name), name)
        self.assertEqual(answer.getheader("cache-control"), "no-store")
        self.assertIsNone(answer.getheader("access-control-allow-origin"))
        connection.close()


class RubbishBySocket(Case):
    def setUp(self):
        self.id, tokens = self.open([person(), ROOKIE], circuit="usa")
        self.token = tokens[0]

    def seat(self):
        follower = self.follow(self.id, self.token)
        follower.until("state")
        return follower

    def test_frames(self):
        with undisturbed(self.server):
            follower = self.seat()
            follower.send_frame(2, b"ping")
            self.closes(follower, 1003)
            for size in (513, 70000, 300000):
                follower = self.seat()
                follower.send_frame(1, b"x" * size)
                self.closes(follower, 1009)
            follower = self.seat()
            follower.send_frame(1, b"x" * 100, final=False)
            with contextlib.suppress(ConnectionError):
                for _ in range(10):  # and no end of it
                    follower.send_frame(0, b"x" * 100, final=False)
            self.closes(follower, 1009)
            follower = self.seat()
            follower.send(b"x" * 512)
            self.error(follower.until("error"))
            follower.send_frame(1, b"pi", final=False)
            follower.send_frame(9, b"alive?")  # may come between
            follower.send_frame(0, b"n", final=False)
            follower.send_frame(0, b"", final=False)
            follower.send_frame(0, b"g")
            self.assertEqual(follower.until("pong"), {"m": "pong"})
            for line in [b"\xff\xfe", b"phrase \xc3", b"act 1 \x80", b"foresee \xff", b"a\0b", b"ping\0", b"phrase 1\n"]:
                follower.send(line)
                answer = follower.next()
                while answer["m"] in ("entry", "state"):
                    answer = follower.next()
                self.assertIn(answer["m"], ["error", "foresee"])
                self.assertIn("code", answer)

    def test_the_first_line_may_come_with_the_request(self):
        line = f"seat {self.token} 0".encode()
        wire = socket.create_connection(("127.0.0.1", self.server.port), 20)
        self.addCleanup(wire.close)
        follower = Wire(wire, f"/api/tables/{self.id}/live", bytes([0x81, 0x80 | len(line)]) + bytes(4) + line)
        self.assertEqual(follower.until("state")["you"], 0)

    def test_greetings(self):
        with undisturbed(self.server):
            for line in ["", "hello", "ping", "watch", "watch x", "watch 0 0", "seat", "seat 0", "act 1 done", "seat x 0",
                         f"seat {self.token}", f"seat {self.token} x", f"seat {self.token[:-1]} 0", "watch 0\0",
                         f"seat {self.token.upper()}Z 0", f"seat {self.token}0 0", b"\xff" * 20, "x" * 512]:
                follower = live.Socket(self.server.port, f"/api/tables/{self.id}/live")
                self.addCleanup(follower.close)
                follower.send(line)
                self.error(follower.next(), "not_a_line")
                self.closes(follower, 1008)
            wrong = self.follow(self.id, "0" * 32)
            self.error(wrong.next(), "wrong_token")
            self.closes(wrong, 1008)
            other, tokens = self.open([person(), OPEN])
            elsewhere = self.follow(self.id, tokens[0])
            self.error(elsewhere.next(), "wrong_token")
            self.closes(elsewhere, 1008)
            for path in ["/api/tables/x/live", f"/api/tables/{'x' * 22}/live", "/", "/api/tables", "/live",
                         f"/api/tables/{self.id}", f"/api/tables/{self.id}/live/", f"/api/tables/{self.id}/race"]:
                self.turned_away(404, "no_such_table", self.server, path)

    def test_ten_thousand_lines(self):
        dice = random.Random(7)
        words = ["act", "plan", "1", "4", "-1", "99999999999", "S", "H", "done", "foresee", "phrase", "agree", "back",
                 "take", "drive", "late 0", "resume", "rematch", "seat", "watch", "red", "\u00e9", "\u202e", "ping", "\t"]

        def line():
            kind = dice.random()
            if kind < 0.2:
                return bytes(dice.randrange(256) for _ in range(dice.randrange(60)))
            if kind < 0.3:
                return b"act %d %s" % (dice.randrange(99), bytes(dice.choice(b"plan 1234SH") for _ in range(20)))
            return " ".join(dice.choice(words) for _ in range(dice.randrange(1, 7))).encode()
        follower, answers = self.seat(), 0
        with undisturbed(self.server):
            for _ in range(20 if SANITIZED else 100):
                for _ in range(100):
                    follower.send(b"x" + line() if dice.random() < 0.01 else line())
                follower.send("ping")
                while (message := follower.next())["m"] != "pong":
                    answers += 1
                    if message["m"] == "error":
                        self.error(message)
        self.assertGreater(answers, 1000)
        self.assertEqual(self.server.ask("GET", "/healthz"), (200, "ok\n"))
        state = self.follow(self.id).until("state")
        self.assertEqual(state["table"]["id"], self.id)


class Waiting(Case):
    """Those who begin and do not go on are let go. It takes seconds, and so it happens beside everything else."""

    @classmethod
    def begin(cls):
        manager = serving()
        cls.patient = manager.__enter__()
        cls.end = manager.__exit__
        id = cls.patient.open_table([OPEN])["id"]
        cls.silent = live.Socket(cls.patient.port, f"/api/tables/{id}/live")
        cls.halves = []
        for half in [b"", b"GET", b"GET /healthz HTTP/1.1\r\nHost:", b"POST /api/tables HTTP/1.1\r\nHost: x\r\n"
                     b"Content-Length: 100\r\n\r\n{"]:
            cls.halves.append(socket.create_connection(("127.0.0.1", cls.patient.port), 60))
            cls.halves[-1].sendall(half)
        # A byte now and then is not enough: all of a request has one deadline, and one that is refused a shorter one.
        post = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n"
        cls.dribbles = {half: cls.dribble(half) for half in
                        [b"GET /", b"GET /healthz HTTP/1.1\r\nX-A: ", post + b"\r\n{", post + b"Origin: http://evil\r\n\r\n"]}
        opened = cls.patient.open_table([person("A", "red"), person("B", "blue"), person("C", "green")])
        followers = [cls.patient.follow(opened["id"], each["token"]) for each in opened["tokens"]]
        cls.agreed = concurrent.futures.ThreadPoolExecutor(1).submit(cls.agree, cls(), followers)

    @classmethod
    def dribble(cls, half):
        """A thread, and the list where it leaves how many seconds its connection was kept."""
        kept = []

        def run():
            began = time.monotonic()
            with socket.create_connection(("127.0.0.1", cls.patient.port), 60) as wire, \
                    contextlib.suppress(ConnectionError):
                wire.sendall(half)
                while time.monotonic() < began + 90:
                    wire.sendall(b"x")
                    if select.select([wire], [], [], 0.2)[0] and wire.recv(4096) == b"":
                        break
            kept.append(time.monotonic() - began)
        thread = threading.Thread(target=run)
        thread.start()
        return thread, kept

    def test_who_asks_a_byte_at_a_time(self):
        for half, (thread, kept) in self.dribbles.items():
            thread.join()
            self.assertTrue((1 if b"evil" in half else 8) < kept[0] < 80, (half, kept))
        sooner = [kept[0] for half, (_, kept) in self.dribbles.items() if b"evil" in half]
        self.assertLess(sooner[0], max(kept[0] for _, kept in self.dribbles.values()))

    def agree(self, followers):
        """About somebody who has been awaited for long, but not so long that the others seem to be gone too."""
        a, b, c = followers
        time.sleep(15.5)
        states = [follower.until("state", n=1) for follower in followers]
        a.send("agree 2")
        self.assertEqual(c.until("entry", what="agree")["for"], 2)
        self.assertEqual(c.until("state")["table"]["seats"][2]["agreed"], [0])
        self.assertFalse(b.until("state", n=2)["table"]["seats"][2]["away"])
        b.send("agree 2")
        c.until("entry", what="drive", seat=2)
        self.assertTrue(c.until("state")["table"]["seats"][2]["away"])
        self.complains(c, "agree 0", "bot_drives")
        self.complains(c, "act 4 " + states[2]["acts"][0], "bot_drives")
        c.send("back")
        c.until("entry", what="back")
        for follower in followers:
            follower.close()

    def test_agreeing_about_somebody_who_has_long_been_awaited(self):
        self.agreed.result()

    def test_they_are_let_go(self):
        with self.assertRaises(Closed) as caught:
            self.silent.next()
        self.assertEqual(caught.exception.args[0], 1008)
        self.silent.close()
        for half in self.halves:
            with half:
                half.recv(1000)  # hangs up, with or without an answer
        self.assertEqual(self.patient.ask("GET", "/healthz"), (200, "ok\n"))
        type(self).end(None, None, None)


def setUpModule():
    Waiting.begin()


# ---- Who may ask, and how much


class Origins(Case):
    def both(self, server, origin):
        """Statuses of a request and of a WebSocket that come from a page."""
        body = {"circuit": "usa", "seats": [OPEN]}
        status, text = server.ask("POST", "/api/tables", body, headers={"Origin": origin})
        if status == 403:
            self.error(text, "wrong_origin")
        id = server.open_table([OPEN])["id"]
        try:
            server.follow(id, headers={"Origin": origin}).close()
            return status, 101
        except Closed as closed:
            return status, closed.args[0]

    def test_only_own_pages(self):
        port = self.server.port
        self.assertEqual(self.both(self.server, f"http://127.0.0.1:{port}"), (201, 101))
        for origin in ["http://evil.example", "null", f"http://127.0.0.1:{port}.evil.example", "http://127.0.0.1",
                       f"http://evil.example/127.0.0.1:{port}", "x" * 300, f"http://127.0.0.1:{port + 1}"]:
            self.assertEqual(self.both(self.server, origin), (403, 403), origin)
        self.assertGreaterEqual(figures(self.server)["hairpin_refused_origin_total"], 14)

    def test_the_public_address(self):
        with serving(*FREE, "--public-url", "https://race.example.org/heat/") as server:
            self.assertEqual(self.both(server, "https://race.example.org"), (201, 101))
            for origin in ["http://race.example.org", "https://race.example.org.evil.example", "https://race.example.or"]:
                self.assertEqual(self.both(server, origin), (403, 403))


def ask_from(server, address, path="/api/circuits", headers=()):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=(address, 0))
    connection.request("GET", path, headers=dict(headers))
    answer = connection.getresponse()
    status, text = answer.status, answer.read().decode()
    connection.close()
    return status, text


def codes(follower):
    """Of the errors before the next pong."""
    found = []
    while (message := follower.next())["m"] != "pong":
        found += [message["code"]] if message["m"] == "error" else []
    return found


class Limits(Case):
    def test_requests_and_lines_in_a_second(self):
        with serving("--rate", 5, "--reserve", 10) as server:
            id = server.open_table([OPEN])["id"]
            follower = server.follow(id)
            answers = [server.ask("GET", "/api/circuits") for _ in range(40)]
            refused = [text for status, text in answers if status == 429]
            self.assertGreaterEqual(len(refused), 1)
            self.assertGreaterEqual(40 - len(refused), 8)
            self.error(refused[0], "too_fast")
            self.turned_away(429, "too_fast", server, f"/api/tables/{id}/live", within=40)
            self.assertEqual(ask_from(server, "127.0.0.2")[0], 200)  # somebody else
            with contextlib.suppress(ConnectionError):
                for _ in range(40):
                    follower.send("ping")
            self.closes(follower, 1008)
            follower.close()
            poll(lambda: server.ask("GET", "/healthz")[0] == 200)  # and later again

    def test_phrases_and_the_like_of_a_seat(self):
        with serving("--rate", 1000, "--reserve", 1000) as server:
            opened = server.open_table([person(), person("Bo", "blue")])
            id, tokens = opened["id"], [each["token"] for each in opened["tokens"]]
            several = [server.follow(id, tokens[0]) for _ in range(3)]  # which count together
            other = server.follow(id, tokens[1])
            other.until("state")
            for line in ["phrase 1", "leave", "back", "bot rookie", "agree 1"] * 12 + ["ping"]:
                several[0].send(line)
                several[1].send(line)
            for follower in several[:2]:
                follower.until("pong")  # all of it was heard
            for line in ["phrase 2"] * 12 + ["ping"]:  # a slow machine may have saved up a few
                several[2].send(line)
            several[2].until("error", code="too_fast")
            several[2].until("pong")

            def enough():
                status, text = server.ask("POST", f"/api/tables/{id}/seats/0/leave", token=tokens[0])
                return status == 429 and self.error(text) == "too_fast"

            poll(enough)
            other.send("phrase 3")  # somebody else
            other.until("entry", seat=1, what="phrase")
            said = server.get(f"/api/tables/{id}")["n"]
            self.assertLess(said, 60)
            time.sleep(1.1)
            if server.get(f"/api/tables/{id}")["seats"][0]["away"]:
                several[2].send("back")
            else:
                several[2].send("phrase 2")
            several[2].until("entry", n=said + 1)
            for follower in several + [other]:
                follower.close()

    def test_plans_made_again(self):
        with serving("--rate", 1000, "--reserve", 1000) as server:
            opened = server.open_table([person(), person("Bo", "blue")])
            id, tokens = opened["id"], [each["token"] for each in opened["tokens"]]
            first, other = (server.follow(id, token) for token in tokens)
            states = [follower.until("state") for follower in (first, other)]
            for k in range(80):  # each seen by the next, whether or not it was answered yet
                first.send(f"act {states[0]['n'] + k} {states[0]['acts'][k % 2]}")
            first.send("ping")
            self.assertIn("too_fast", codes(first))
            said = server.get(f"/api/tables/{id}")["n"]
            self.assertLess(said, 40)
            for k in range(48):  # a slow machine may have saved up a few; to plan what is not planned is always free
                first.send(f"act {said + k} {states[0]['acts'][0] if k % 2 else 'unplan'}")
            first.send("ping")
            self.assertIn("too_fast", codes(first))
            other.send(f"act {states[1]['n']} {states[1]['acts'][0]}")  # that the race waits for
            until = lambda state: state["view"]["round"] == 2
            rest = threading.Thread(target=race, args=(other, 1, until))
            rest.start()
            again = server.follow(id, tokens[0])
            race(again, 0, until)  # and so for the first seat
            rest.join()
            for follower in (first, other, again):
                follower.close()

    def test_a_table_has_an_end_of_phrases(self):
        with serving() as server:
            opened = server.open_table([person(), person("Bo", "blue")])
            id, token = opened["id"], opened["tokens"][0]["token"]
            talker = server.follow(id, token)
            talker.until("state")
            errors = 0
            while errors == 0:
                for _ in range(500):
                    talker.send("phrase 1")
                talker.send("ping")
                while (message := talker.next())["m"] != "pong":
                    errors += message["m"] == "error"
            poll(lambda: server.get(f"/api/tables/{id}")["n"] == 10000)
            self.complains(talker, "phrase 1", "not_now")
            talker.send("leave")
            talker.until("entry", what="leave")
            again = server.follow(id, token)  # who comes from elsewhere is told everything, and is not cut off
            self.assertGreater(again.until("state")["n"], 10000)
            talker.close(), again.close()

    def test_the_longest_of_races_can_be_followed(self):
        with serving() as server:
            opened = server.open_table([person(), person("Bo", "blue"), *4 * [ROOKIE]], laps=9)
            id, tokens = opened["id"], [each["token"] for each in opened["tokens"]]
            first = server.follow(id, tokens[0])
            poll(lambda: server.get(f"/api/tables/{id}")["n"] == 5)  # all bots have planned
            plan = max(first.until("state")["acts"], key=len)
            for n in range(5, 20000, 500):
                for k in range(n, n + 500):
                    first.send(f"act {k} {plan}")
                first.send("ping")
                refused = codes(first)
            self.assertEqual(set(refused), {"not_now"})
            poll(lambda: server.get(f"/api/tables/{id}")["n"] == 20000)
            first.close()
            again, other = (server.follow(id, token) for token in tokens)
            rest = threading.Thread(target=race, args=(other, 1))
            rest.start()
            race(again, 0)
            rest.join()
            last = server.follow(id, tokens[0])
            self.assertGreater(race(last, 0)["n"], 21000)
            self.assertGreater(len(last.received), 2e6)
            for follower in (other, again, last):
                follower.close()

    def test_behind_a_proxy(self):
        for trusted in (False, True):
            with serving("--rate", 1, "--reserve", 5, *["--trust-proxy"] * trusted) as server:
                each = [ask_from(server, "127.0.0.1", headers={"X-Forwarded-For": f"6.6.6.6, 10.0.0.{n}"})[0]
                        for n in range(20)]
                self.assertEqual(each.count(429) == 0, trusted)
                same = [ask_from(server, "127.0.0.1", headers={"X-Forwarded-For": f"10.0.9.{n}, 10.0.0.99"})[0]
                        for n in range(20)]
                self.assertGreater(same.count(429), 10)  # only what the proxy wrote counts
                network = [ask_from(server, "127.0.0.1", headers={"X-Forwarded-For": f"2001:db8::{n + 1:x}:1"})[0]
                           for n in range(20)]
                self.assertGreater(network.count(429), 10)  # who has one address of it has all
                each = [ask_from(server, "127.0.0.1", headers={"X-Forwarded-For": f"2001:db8:0:{n + 1:x}::1"})[0]
                        for n in range(20)]
                self.assertEqual(each.count(429) == 0, trusted)

    def test_connections_of_an_address(self):
        with serving("--rate", 0, "--address-connections", 2) as server:
            id = server.open_table([OPEN])["id"]
            first, second = server.follow(id), server.follow(id)
            self.turned_away(429, "too_many", server, f"/api/tables/{id}/live")
            self.assertEqual(server.ask("GET", "/healthz")[0], 200)
            first.close()
            third = poll(lambda: self.try_to_follow(server, id))
            self.turned_away(429, "too_many", server, f"/api/tables/{id}/live")
            for follower in (second, third):
                follower.until("state")
                follower.close()

    def test_connections_of_an_address_that_are_no_sockets(self):
        with serving("--rate", 0, "--address-connections", 2) as server:
            for _ in range(3):  # each that goes makes room
                poll(lambda: self.healthy(server))
                idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]
                idle[0].sendall(b"GET /healthz HT")
                idle[1].sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
                poll(lambda: not self.healthy(server))
                self.assertEqual(ask_from(server, "127.0.0.2", "/healthz"), (200, "ok\n"))
                for one in idle:
                    one.close()
            poll(lambda: self.healthy(server))
            id = server.open_table([OPEN])["id"]
            followers = [server.follow(id), server.follow(id)]  # which are not counted twice
            idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(7)]
            self.assertTrue(self.healthy(server))
            for one in idle + followers:
                one.close()
        with serving("--rate", 0, "--address-connections", 2, "--trust-proxy") as server:  # all come from there
            idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
            self.assertTrue(self.healthy(server))
            for one in idle:
                one.close()

    def healthy(self, server):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return server.ask("GET", "/healthz")[0] == 200

    def try_to_follow(self, server, id):
        try:
            return server.follow(id)
        except Closed:
            return None

    def test_connections_and_tables_in_all(self):
        with serving(*FREE, "--max-connections", 2, "--max-tables", 2) as server:
            self.server = server
            id, tokens = self.open([person(), ROOKIE])
            other, _ = self.open([OPEN])
            self.refused(503, "full", "POST", "/api/tables", {"circuit": "usa", "seats": [OPEN]})
            first = self.follow(id, tokens[0])
            second = self.follow(other)
            self.turned_away(503, "full", server, f"/api/tables/{id}/live")
            race(first, 0)
            again = server.post(f"/api/tables/{id}/rematch", token=tokens[0])["id"]  # in the place of the old one
            self.refused(503, "full", "POST", "/api/tables", {"circuit": "usa", "seats": [OPEN]})
            self.assertEqual(server.get(f"/api/tables/{again}")["phase"], "gathering")
            second.close()
            poll(lambda: self.try_to_follow(server, id)).close()
            self.assertGreaterEqual(figures(server)["hairpin_refused_full_total"], 3)


class Wire(live.Socket):
    """A WebSocket over a connection that is there already."""

    def __init__(self, wire, path, more=b""):
        self.socket, self.received, self.at = wire, bytearray(), 0
        key = base64.b64encode(os.urandom(16)).decode()
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode() + more)
        while b"\r\n\r\n" not in self.received:
            self._more()
        self.at = self.received.index(b"\r\n\r\n") + 4


class SlowReaders(Case):
    def stuck(self, server, opened, megabytes):
        """A seat that asks for so much, and reads nothing."""
        wire = socket.socket()
        self.addCleanup(wire.close)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        wire.settimeout(30)
        wire.connect(("127.0.0.1", server.port))
        slow = Wire(wire, f"/api/tables/{opened['id']}/live")
        slow.send(f"seat {opened['tokens'][0]['token']} 0")
        line = f"foresee {slow.until('state')['acts'][0]}"
        slow.send(line)
        size = len(json.dumps(slow.until("foresee"), separators=(",", ":")))
        frame = bytes([0x81, 0x80 | len(line)]) + b"\0\0\0\0" + line.encode()  # masked with zeroes
        wire.sendall(frame * int(megabytes * 1e6 / size))
        return slow

    def test_who_neither_reads_nor_speaks_is_given_up(self):
        with serving(*FREE, "--ping", 5) as server:
            opened = server.open_table([person(), ROOKIE])
            silent, wrong = self.stuck(server, opened, 3.5), self.stuck(server, opened, 3.5)
            self.assertEqual(figures(server)["hairpin_sockets"], 2)
            wrong.send_frame(2, b"to be closed with 1003")
            poll(lambda: figures(server)["hairpin_sockets"] == 0, 60)
            self.assertEqual(figures(server)["hairpin_cut_off_total"], 0)  # it had not become too much

    def test_who_does_not_read_is_cut_off_and_costs_little(self):
        with serving() as server:
            opened = server.open_table([person(), ROOKIE])
            wire = socket.socket()
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            wire.settimeout(30)
            wire.connect(("127.0.0.1", server.port))
            slow = Wire(wire, f"/api/tables/{opened['id']}/live")
            slow.send(f"seat {opened['tokens'][0]['token']} 0")
            act = slow.until("state")["acts"][0]
            before = figures(server)["hairpin_memory_bytes"]
            line = f"foresee {act}".encode()
            lines = (bytes([0x81, 0x80 | len(line)]) + b"\0\0\0\0" + line) * 1000  # masked with zeroes
            highest = 0
            with undisturbed(server):
                with contextlib.suppress(OSError):
                    for _ in range(1000):
                        slow.socket.sendall(lines)
                        now = figures(server)
                        highest = max(highest, now["hairpin_memory_bytes"])
                        if now["hairpin_cut_off_total"]:
                            break
                poll(lambda: figures(server)["hairpin_cut_off_total"] == 1)
            if not SANITIZED:
                self.assertLess(highest, before + 24e6)
            poll(lambda: figures(server)["hairpin_sockets"] == 0)
            with self.assertRaises((Closed, ConnectionError)):
                while True:
                    slow.next()
            wire.close()
            again = server.follow(opened["id"])
            self.assertEqual(again.until("state")["n"], server.get(f"/api/tables/{opened['id']}")["n"])
            again.close()


# ---- Starting, stopping, and what hosts see


def serve(*arguments):
    """A server that is expected not to start: its exit code, and what it says."""
    result = subprocess.run([HAIRPIN, "serve", "--lang", "en", *map(str, arguments)], capture_output=True, text=True,
                            timeout=60)
    return result.returncode, result.stderr


WRONG_URLS = ["", "race.example.org", "ftp://race.example.org", "https://", "https:///x", "http:/race.example.org",
              "https://x.org/\"a", "https://x.org/a b", "https://x.org/?a", "https://x.org/#a", "https://me@x.org",
              "https://" + 300 * "x", "--trust-proxy"]


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Stalled(Server):
    """Its log goes into a pipe that nobody reads."""

    def launch(self):
        self.process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.log = self.process.stderr

    def said(self):
        return ""


class Shut(Server):
    """Its standard input, output and error are closed."""

    def launch(self):
        self.log = open(self.folder / "log", "ab")
        command = "exec " + " ".join(map(shlex.quote, self.command())) + " <&- >&- 2>&-"
        self.process = subprocess.Popen(["sh", "-c", command])


class Few(Server):
    """May have so many files open, and no more."""
    files = 240

    def launch(self):
        self.log = open(self.folder / "log", "ab")
        bounds = ["setpriv", "--bounding-set", "-sys_resource", "--inh-caps", "-sys_resource"]  # else root may raise it
        command = [*bounds, *self.command()] if os.geteuid() == 0 and shutil.which("setpriv") else self.command()
        few = (self.files, self.files)
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log,
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, few))


class TooFew(Few):
    files = 100

    def wait(self):
        self.code = self.process.wait(20)


class Hosting(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_stopping_is_told_to_everybody(self):
        with serving() as server:
            opened = server.open_table([person(), {"kind": "bot", "level": "champion"}])
            followers = [server.follow(opened["id"], opened["tokens"][0]["token"]), server.follow(opened["id"])]
            for follower in followers:
                follower.until("state")
            server.process.terminate()
            for follower in followers:
                self.closes(follower, 1001)
                follower.close()
            self.assertEqual(server.process.wait(20), 0)
            self.assertIn("stopping", server.said())

    def test_stopping_is_told_by_a_server_that_stalls(self):
        with serving() as server:
            id = server.open_table([OPEN, OPEN])["id"]
            for _ in range(6):  # where it stalls is luck
                followers = [server.follow(id) for _ in range(300)]
                for follower in followers:
                    self.addCleanup(follower.close)
                    follower.until("state")
                server.process.send_signal(signal.SIGSTOP)
                server.process.terminate()
                for _ in range(4):  # it has a moment now and then
                    server.process.send_signal(signal.SIGCONT)
                    time.sleep(0.0003)
                    server.process.send_signal(signal.SIGSTOP)
                    time.sleep(0.35)
                server.process.send_signal(signal.SIGCONT)
                for follower in followers:
                    self.closes(follower, 1001)
                    follower.close()
                self.assertEqual(server.process.wait(60), 0)  # not told again: that would kill it at its end
                server.stop()
                server.start()

    def test_whoever_has_a_seat_on_the_disk_is_told_so(self):
        body = b'{"name":"Bo","colour":"blue"}'
        with serving() as server:
            ids = [server.open_table([OPEN, OPEN])["id"] for _ in range(12)]
            for k, id in enumerate(ids):
                with socket.create_connection(("127.0.0.1", server.port), 20) as wire:
                    wire.sendall(b"POST /api/tables/%b/seats/1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b"
                                 % (id.encode(), len(body), body))
                    time.sleep(0.0003 * (k + 1))
                    server.process.terminate()
                    answer = b""
                    with contextlib.suppress(ConnectionError):
                        while part := wire.recv(4096):
                            answer += part
                    self.assertEqual(server.process.wait(20), 0)
                server.stop()
                server.start()
                taken = server.get(f"/api/tables/{id}")["n"] > 0
                self.assertEqual(taken, b'"token"' in answer, (k, answer))

    def test_a_second_server_on_the_same_folder_is_refused(self):
        code, said = serve("--port", live.free_port(), "--data", self.server.folder / "data")
        self.assertEqual(code, 1)
        self.assertIn(str(self.server.folder / "data"), said)
        self.assertEqual(self.server.ask("GET", "/healthz")[0], 200)

    def test_a_port_in_use_is_told(self):
        code, said = serve("--port", self.server.port, "--data", self.folder / "data")
        self.assertEqual(code, 1, said)
        self.assertIn(f"127.0.0.1:{self.server.port}", said)

    def test_what_cannot_be(self):
        for arguments, word in [(["--port", -1], "--port"), (["--port", 65536], "--port"), (["--rate", "x"], "--rate"),
                                (["--reserve", 0], "--reserve"), (["--tls-cert", "x"], "--tls-key"),
                                (["--fly"], "--fly"), (["--max-tables", 0], "--max-tables"), (["extra"], "usage"),
                                (["--bind", "::1"], "--bind"), (["--bind", "::"], "--bind"),
                                (["--bind", "::ffff:127.0.0.1"], "--bind"), (["--bind", "lo"], "--bind"),
                                (["--bind", ""], "--bind"), (["--bind", "127.0.0.1 "], "--bind"),
                                *((["--public-url", url], "--public-url") for url in WRONG_URLS)]:
            code, said = serve("--data", self.folder / "data", *arguments)
            self.assertEqual(code, 2, said)
            self.assertIn(word, said)
        self.assertFalse((self.folder / "data").exists())
        (self.folder / "file").write_text("")
        code, said = serve("--port", live.free_port(), "--data", self.folder / "file")
        self.assertEqual(code, 1)
        self.assertIn(str(self.folder / "file"), said)

    def test_the_public_url_is_as_browsers_write_it(self):
        for given, written in [("https://Race.Example.org:443", "https://race.example.org/"),
                               ("http://h:80/a", "http://h/a/"), ("https://h:8443/A/", "https://h:8443/A/")]:
            with serving(*live.FREE, "--public-url", given) as server:
                self.assertEqual(json.loads(server.ask("GET", "/api/server")[1])["addresses"], [written])
                origin = written.rsplit("/", written.count("/") - 2)[0]
                self.assertEqual(server.ask("POST", "/api/tables", {"circuit": "usa", "seats": [OPEN]},
                                            headers={"Origin": origin})[0], 201)

    def test_a_hang_up_is_a_stop_unless_it_is_to_be_ignored(self):
        with serving() as server:
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(server.process.wait(20), 0)
            self.assertIn("stopping", server.said())
            server.stop()
            server.start()
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        try:
            with serving() as server:
                server.process.send_signal(signal.SIGHUP)
                self.assertEqual(server.ask("GET", "/healthz")[0], 200)
        finally:
            signal.signal(signal.SIGHUP, before)

    def test_a_log_that_nobody_reads_stops_no_race(self):
        server = Stalled(*live.FREE)
        self.addCleanup(shutil.rmtree, server.folder)
        self.addCleanup(server.kill)
        for _ in range(2500):  # a line each: more than a pipe holds
            server.open_table([person()])
        self.assertEqual(server.ask("GET", "/healthz")[0], 200)
        while select.select([server.log], [], [], 0)[0]:
            os.read(server.log.fileno(), 1 << 16)
        server.open_table([person()])
        self.assertRegex(os.read(server.log.fileno(), 1 << 16).decode(), r"\d+ lines of the log are lost\n.*race opened")
        server.process.terminate()
        self.assertEqual(server.process.wait(20), 0)
        server.log.close()

    def test_what_is_closed_is_not_taken_for_the_log(self):
        server = Shut(*FREE)
        self.addCleanup(shutil.rmtree, server.folder)
        self.addCleanup(server.kill)
        server.open_table([person()])
        self.assertEqual([os.readlink(f"/proc/{server.process.pid}/fd/{i}") for i in range(3)], 3 * ["/dev/null"])
        server.process.terminate()
        self.assertEqual(server.process.wait(20), 1)  # it could not say where it serves

    def test_few_files_are_shared_and_never_used_up(self):
        server = TooFew()
        self.addCleanup(shutil.rmtree, server.folder)
        self.assertEqual((server.code, "ulimit -n" in server.said()), (1, True), server.said())
        server.log.close()
        server = Few()
        self.addCleanup(shutil.rmtree, server.folder)
        self.addCleanup(server.kill)
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(400)]
        spent = cpu_seconds(server.process.pid)
        time.sleep(1)
        self.assertLess(cpu_seconds(server.process.pid) - spent, 0.5, "busy with those that it cannot take")
        for one in idle:
            one.close()
        self.assertEqual(server.ask("GET", "/healthz")[0], 200)
        self.assertIn("ulimit -n 240", server.said())
        self.assertLess(len(server.said()), 10000)

    def test_a_database_that_is_gone_confirms_nothing(self):
        server = Server()
        self.addCleanup(shutil.rmtree, server.folder)
        server.open_table([person()])
        shutil.rmtree(server.folder / "data")
        with contextlib.suppress(OSError):  # it may end before it answers
            self.assertNotEqual(server.ask("POST", "/api/tables", {"circuit": "usa", "seats": [OPEN]})[0], 201)
        self.assertNotEqual(server.process.wait(20), 0)
        server.log.close()
        self.assertIn("races.db is no longer in its folder", server.said())

    def test_settings_from_a_file(self):
        path = self.folder / "settings"
        path.write_text("# what we like\n\nrate 3\n  reserve\t4  \r\ntrust-proxy\nmax-tables 1\n")
        with serving("--settings", path, "--max-tables", 2) as server:  # the command line wins
            self.assertGreater([server.ask("GET", "/api/circuits")[0] for _ in range(40)].count(429), 3)
            for address in ("1.1.1.1", "1.1.1.2", "1.1.1.3"):
                status, _ = server.ask("POST", "/api/tables", {"circuit": "usa", "seats": [OPEN]},
                                       headers={"X-Forwarded-For": address})
            self.assertEqual(status, 503)
        for text, place in [("rate 3\nrat 3\n", ":2:"), ("rate\n", ":1:"), ("trust-proxy yes\n", ":1:"),
                            ("\n\n--rate 3\n", ":3:"), ("settings x\n", ":1:"), ("rate 3\nport 0\nrate 4\n", ":3:")]:
            path.write_text(text)
            code, said = serve("--settings", path)
            self.assertEqual(code, 2)
            self.assertIn(f"{path}{place}", said)
        path.write_bytes(b"rate 3\0\nbind 0.0.0.0\n")
        self.assertEqual(serve("--settings", path), (2, f"hairpin: “{path}” is not text\n"))
        path.write_text("rate much\n")
        self.assertEqual(serve("--settings", path)[0], 2)
        self.assertEqual(serve("--settings", self.folder / "none")[0], 1)

    def test_tls(self):
        made = live.certificate(self.folder)
        if made is None:
            self.skipTest("no openssl here")
        cert, key = made
        with serving(*FREE, "--tls-cert", cert, "--tls-key", key) as server:
            trust = ssl.create_default_context(cafile=cert)
            connection = http.client.HTTPSConnection("localhost", server.port, timeout=20, context=trust)
            connection.request("POST", "/api/tables", json.dumps({"circuit": "usa", "seats": [person(), OPEN]}))
            answer = connection.getresponse()
            self.assertIsNotNone(answer.getheader("strict-transport-security"))
            opened = json.load(answer)
            connection.close()
            wire = trust.wrap_socket(socket.create_connection(("localhost", server.port), 20), server_hostname="localhost")
            follower = Wire(wire, f"/api/tables/{opened['id']}/live")
            follower.send(f"seat {opened['tokens'][0]['token']} 0")
            self.assertEqual(follower.until("state")["you"], 0)
            wire.close()
            converse(server, b"GET /healthz HTTP/1.1\r\n\r\n")  # without TLS: whatever it is, nobody minds
            result = subprocess.run([sys.executable, "-B", CLIENT, f"https://127.0.0.1:{server.port}"], timeout=60,
                                    capture_output=True, text=True, env={**os.environ, "SSL_CERT_FILE": str(cert)})
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("Places: ", result.stdout)
        code, said = serve("--port", live.free_port(), "--data", self.folder / "x", "--tls-cert", self.folder / "none",
                           "--tls-key", key)
        self.assertEqual(code, 1, said)

    def test_figures(self):
        with serving() as server:
            self.server = server
            self.assertEqual(server.ask("GET", "/healthz"), (200, "ok\n"))
            id, tokens = self.open([person(), ROOKIE])
            other, _ = self.open([OPEN])
            follower, lines = self.follow(id, tokens[0]), 1
            while (state := follower.until("state"))["table"]["phase"] != "over":
                if waits_for(state, 0) and "acts" in state:
                    follower.send(f"act {state['n']} {state['acts'][-1]}")
                    lines += 1
            self.complains(follower, "act 1 done", "not_now")
            text = server.ask("GET", "/metrics")[1]
            declared = {}
            for line in text.splitlines():
                if line.startswith("#"):
                    self.assertRegex(line, r"^# (HELP hairpin_\w+ \S.*|TYPE hairpin_\w+ (counter|gauge|histogram))$")
                    if line.startswith("# TYPE"):
                        _, _, name, kind = line.split()
                        self.assertNotIn(name, declared)
                        declared[name] = kind
                else:
                    name = re.fullmatch(r'(hairpin_\w+)(\{\w+="[^"]*"\})? \d+(\.\d+)?', line).group(1)
                    self.assertIn(re.sub("_(bucket|sum|count)$", "", name) if name not in declared else name, declared)
            now = figures(server)
            race_file = server.ask("GET", f"/api/tables/{id}/race")[1]
            acts = len(re.findall("^0 ", race_file, re.MULTILINE))
            bot_acts = len(re.findall("^1 ", race_file, re.MULTILINE))
            for name, value in [("tables_opened_total", 2), ("races_over_total", 1), ("acts_total", acts), ("sockets", 1),
                                ("bot_acts_total", bot_acts), ("entries_total", acts + bot_acts + 1), ("followers", 1),
                                ('tables{phase="over"}', 1), ('tables{phase="gathering"}', 1), ("seats", 0),
                                ("lines_total", lines + 1), ("lines_refused_total", lines - acts),
                                ("confirm_seconds_count", acts + bot_acts + 1)]:
                self.assertEqual(now["hairpin_" + name], value, name)
            self.assertGreater(now["hairpin_memory_bytes"], 1e6)
            self.assertGreater(now["hairpin_database_bytes"], 1000)


class Silence(unittest.TestCase):
    def test_who_answers_stays_and_who_does_not_is_given_up(self):
        server = live.Server("--ping", "8")
        try:
            table = server.open_table([{"kind": "open"}])
            here, gone = (server.follow(table["id"]) for _ in range(2))
            for follower in (here, gone):
                self.addCleanup(follower.close)
                follower.until("state")
            gone.send_frame = lambda *frame: None  # hears, and does not answer
            heard = []
            listening = threading.Thread(target=lambda: heard.append(here.next()))
            listening.start()  # answers whatever it is asked
            with self.assertRaises(live.Closed) as closed:
                gone.next()
            self.assertEqual(closed.exception.args[0], 1001)
            time.sleep(2)  # longer in all than the other was given
            here.send("ping")
            listening.join()
            self.assertEqual(heard, [{"m": "pong"}])
        finally:
            server.close()


if __name__ == "__main__":
    faulthandler.dump_traceback_later(1400, exit=True)  # rather than wait for ever
    unittest.main()
