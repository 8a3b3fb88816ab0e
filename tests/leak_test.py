"""Nothing leaks: races over real sockets, and every byte that anybody got held against what they might know.

The race file and the event log, which come after the race, are the truth. Played again they say for each entry
what is told to whom, and what each viewer sees (R13). Messages may have what is known here and nothing else, so
that something new that is told has to be thought about here first."""
import base64
import collections
import copy
import hashlib
import json
import os
import random
import re
import socket
import time
import unittest

import live
import racers

SEED = int(os.environ.get("LEAK_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
WATCHER = racers.WATCHER
ACT = re.compile(r"^([0-5]) (.*)$")
COOLDOWN = {1: 3, 2: 1, 3: 0, 4: 0}
NAMES = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Fay"]
COLOURS = ["red", "blue", "green", "black", "white", "purple"]


# ---- The truth ------------------------------------------------------------------------------------


class Car:
    def __init__(self):
        self.hand, self.covered, self.play = [], [], []
        self.plan = self.top = self.last = None
        self.gear = 1
        self.cooled = False

    def lose(self, cards):
        for card in cards:
            self.hand.remove(card)

    def hear(self, event):
        """What an event means for the cards of its car, by EVENTS.md."""
        kind = event["e"]
        if kind == "draw":
            self.hand += event["cards"]
        elif kind == "reshuffle":
            self.top = None
        elif kind == "shift":
            self.gear = event["to"]
            self.covered = self.plan.split()[2:]
            self.lose(self.covered)
        elif kind == "reveal":
            assert sorted(event["cards"]) == sorted(self.covered)
            self.plan, self.covered, self.play, self.cooled = None, [], list(event["cards"]), False
            self.last = self.play[-1]
        elif kind == "cluttered":
            self.gear = 1
        elif kind == "flip":
            if event["kept"]:
                self.play.append(event["card"])
                self.last = event["card"]
            else:
                self.top = event["card"]
        elif kind == "cool":
            self.lose(["H"] * event["n"])
            self.cooled |= event["why"] == "gear"
        elif kind == "spin":
            self.hand += ["S"] * event["stress"]
            self.gear = 1
        elif kind == "discard":
            self.lose(event["cards"])
            self.top = event["cards"][-1]
        elif kind == "replenish":
            self.play, self.top = [], self.last
        elif kind == "retire":
            self.plan = None
        if kind == "boost" or event.get("paid", 0) > 0:
            self.top = "H"

    def seen(self):
        return {"hand": sorted(self.hand), "covered": len(self.covered), "play": sorted(self.play), "top": self.top,
                "plan": self.plan, "gear": self.gear, "cooled": self.cooled, "face_down": sorted(self.covered)}


class Truth:
    """A race that is over: what was done by each entry, and each car's cards after it."""

    def __init__(self, race, log, entries):
        """entries: those of anybody, for which of them were acts and how many events they had."""
        head = dict(re.findall(r"^(secret|seed|cars) (\S+)$", race, re.MULTILINE))
        self.secret, self.seed = head["secret"], head["seed"]
        self.hashes = re.findall(r"^(?:round \d+|end) ([0-9a-f]{16})", race, re.MULTILINE)
        acts = [ACT.match(line).groups() for line in race.splitlines() if ACT.match(line)]
        events = [json.loads(line) for line in log.splitlines()][1:]
        cars = [Car() for _ in range(int(head["cars"]))]
        self.acts, self.events, self.cars = {}, {}, {}
        for n, entry in enumerate(entries, 1):
            if entry["what"] in ("act", "drive"):
                seat, self.acts[n] = acts.pop(0)
                assert int(seat) == entry["seat"]
                word = self.acts[n].split()[0]
                if word in ("plan", "retire", "unplan"):
                    cars[int(seat)].plan = None if word == "unplan" else self.acts[n]
            self.events[n] = [events.pop(0) for _ in entry.get("events", [])]
            for event in self.events[n]:
                if "car" in event:
                    cars[event["car"]].hear(event)
            self.cars[n] = [car.seen() for car in cars]
        assert not acts and not events, "the truth goes on behind the last entry"
        self.draws = [event for told in self.events.values() for event in told if event["e"] == "draw"]


def told_to(viewer, event):
    """R13.2, R13.4: the event as that viewer may hear of it."""
    if event.get("car") == viewer or event["e"] not in ("draw", "discard"):
        return event
    hidden = len(event["cards"]) - (event["e"] == "discard")
    return {**event, "cards": ["?"] * hidden + event["cards"][hidden:]}


# ---- What may be in a message ---------------------------------------------------------------------

ENTRY = {"m", "n", "t", "seat", "what"}
STATE = {"m", "n", "you", "table", "view", "standings"}
ENTRY_MORE = {"act": {"act", "planned"}, "drive": {"act", "planned"}, "phrase": {"phrase"}, "agree": {"for"},
              "late": {"for"}, "bot": {"level"}, "take": {"name", "colour"}, "rematch": {"id"}, "leave": set(),
              "start": set(), "back": set(), "resume": set()}
NOTICE = {"m", "id", "n", "phase", "circuit", "laps", "clock", "substitute", "commitment", "opened", "seats",
          "awaited", "rematch", "places"}
SEAT = {"kind", "level", "name", "colour", "handicap", "kept", "salt", "away", "driver", "agreed"}
VIEW = {"seat", "round", "step", "laps", "spaces", "heat", "stress", "corners", "reserve", "order", "adrenaline",
        "cars", "turn"}
OWN = {"hand", "plan", "may"}
CAR = {"at", "spot", "gear", "engine", "hand", "covered", "play", "draw", "discard", "top", "heat", "stress",
       "planned", "status", "place"}
TURN = {"car", "from", "speed", "cool", "adrenaline_cool", "adrenaline_move", "boost", "last"}
MAY = {"step", "cool", "adrenaline_cool", "adrenaline_move", "boost", "retire", "unplan", "has_adrenaline",
       "adrenaline_moved"}
OTHERS = {"error": {"m", "code", "text", "rule"}, "pong": {"m"},
          "foresee": {"m", "act", "ok", "gear", "shift", "speed", "chance", "cluttered", "spins", "price", "engine",
                      "stress", "to", "corners", "odds", "risk_per_mille", "code", "text", "rule"}}
ODDS = {"speed", "per_mille", "to", "price", "engine", "spins", "corners"}


class Audit:
    """Collects what a viewer should not have been told."""

    def __init__(self, truth, viewer):
        self.truth, self.viewer, self.leaks = truth, viewer, []

    def check(self, fine, *what):
        if not fine:
            self.leaks.append(what)

    def keys(self, found, allowed, where):
        self.check(set(found) <= allowed, where, "unknown keys", set(found) - allowed)

    def message(self, message):
        if message["m"] == "entry":
            self.entry(message)
        elif message["m"] == "state":
            self.state(message)
        else:
            self.keys(message, OTHERS[message["m"]], message["m"])
            if message["m"] == "foresee":
                self.foresee(message)

    def foresee(self, message):
        """Nothing here comes from what is hidden: table_foresight makes it of the seat's own view, so that races which
        look the same to it give the same message (foresight_tells_nothing_hidden, tests/test_table_races.c). The odds are
        over every speed card that the viewer cannot place; were one of them left out, or a card that it can see
        counted, that would tell where the others are. So: as many outcomes as such cards can add up to."""
        self.check(self.viewer != WATCHER, "foresee for a spectator", message)
        for each in message.get("odds", []):
            self.keys(each, ODDS, "odds")
        if "odds" in message:
            self.check(sum(each["per_mille"] for each in message["odds"]) == 1000, "odds", message)
            flips = message["act"].split()[2:].count("S") if message["act"] != "boost" else 1
            least, most = (edge([each["speed"] for each in message["odds"]]) for edge in (min, max))
            self.check(flips <= least - message["speed"] and most - message["speed"] <= 4 * flips, "odds", message)
        for each in [message, *message.get("odds", [])]:
            for corner in each.get("corners", []):
                self.keys(corner, {"corner", "limit", "pays"}, "corners")

    def entry(self, entry):
        n, own = entry["n"], entry["seat"] == self.viewer
        self.keys(entry, ENTRY | {"events"} | ENTRY_MORE[entry["what"]], entry["what"])
        self.check(entry.get("act") == (self.truth.acts.get(n) if own else None), n, "act", entry)
        word = self.truth.acts.get(n, "").split(" ")[0]
        planned = {"plan": True, "retire": True, "unplan": False}.get(word)
        self.check(entry.get("planned") is planned, n, "planned", entry)
        told = [told_to(self.viewer, event) for event in self.truth.events[n]]
        self.check(entry.get("events", []) == told, n, "events", entry, told)

    def state(self, state):
        n, viewer = state["n"], self.viewer
        self.keys(state, STATE | ({"acts"} if viewer != WATCHER else set()), "state")
        self.check(state["you"] == viewer, n, "you", state["you"])
        self.notice(state["table"])
        if "view" not in state:
            self.check("acts" not in state, n, "acts before the race")
            return
        view, cars = state["view"], self.truth.cars[n]
        self.keys(view, VIEW | (OWN if viewer != WATCHER else set()), "view")
        self.keys(view.get("may", {}), MAY, "may")
        self.check(view["seat"] == viewer, n, "seat", view["seat"])
        for number, (car, true) in enumerate(zip(view["cars"], cars, strict=True)):
            self.keys(car, CAR, "car")
            self.check(car["hand"] == len(true["hand"]), n, number, "hand", car["hand"], true)
            for key in ("covered", "gear"):
                self.check(car[key] == true[key], n, number, key, car[key], true)
            self.check(sorted(car["play"]) == true["play"], n, number, "play", car["play"], true)
            self.check(car.get("top") == true["top"], n, number, "top", car.get("top"), true)
        by_status = {"finished": lambda car: (0, car["place"]), "racing": lambda car: (1, -car["at"], car["spot"]),
                     "retired": lambda car: (2, car["place"])}
        standing = sorted(range(len(cars)), key=lambda i: by_status[view["cars"][i]["status"]](view["cars"][i]))
        self.check(state["standings"] == standing, n, "standings (R2.2)", state["standings"], standing)
        if "turn" in view:
            self.turn(n, view, cars)
        if viewer != WATCHER:
            self.own(n, state, cars[viewer])

    def turn(self, n, view, cars):
        """The symbols that are left are those of the gear, whatever is in the hand."""
        turn, car = view["turn"], cars[view["turn"]["car"]]
        self.keys(turn, TURN, "turn")
        self.check(turn.get("last") in car["play"] + [None], n, "last", turn, car)
        due = COOLDOWN[car["gear"]] if view["step"] == "react" and not car["cooled"] else 0
        self.check(turn["cool"] == due, n, "cool", turn, car)

    def own(self, n, state, car):
        view = state["view"]
        self.check(sorted(view.get("hand", [])) == car["hand"], n, "own hand", view.get("hand"), car)
        self.check(view.get("plan") == car["plan"], n, "own plan", view.get("plan"), car)
        at_hand = collections.Counter(car["hand"])
        for act in state.get("acts", []):
            word, *rest = act.split()
            cards = rest[1:] if word == "plan" else rest if word == "discard" else []
            self.check(not collections.Counter(cards) - at_hand, n, "an act with others' cards", act, car)

    def notice(self, notice):
        self.keys(notice, NOTICE, "notice")
        for seat in notice["seats"]:
            self.keys(seat, SEAT, "notice's seat")
        for awaited in notice["awaited"]:
            self.keys(awaited, {"seat", "since", "until"}, "awaited")


def find_leaks(truth, viewer, messages):
    audit = Audit(truth, viewer)
    for message in messages:
        audit.message(message)
    return audit.leaks


# ---- What must not be in the bytes ----------------------------------------------------------------


def needles_of(truth, tokens):
    """What no byte string of the server has before the end, as (what, bytes): in all the shapes that a slip of
    the pen would give it, and in parts."""
    needles = []

    def add(what, digits):
        data = bytes.fromhex(digits)
        shapes = [data, base64.b64encode(data).rstrip(b"="), base64.urlsafe_b64encode(data).rstrip(b"=")]
        for at in range(0, len(digits), 16):
            shapes += [digits[at:at + 16].encode(), digits[at:at + 16].upper().encode()]
        for order in ("little", "big"):
            shapes += [str(int.from_bytes(data[at:at + 8], order)).encode() for at in range(0, len(data), 8)]
        needles.extend((what, shape) for shape in shapes)

    add("secret", truth.secret)
    add("seed", truth.seed)
    for digits in truth.hashes:
        needles.append(("hash", digits.encode()))
    for token in tokens:
        add("token", token)
        add("key", hashlib.sha256(token.encode()).hexdigest())
    for seat in range(6):
        add("a bot's seed", hashlib.sha256(bytes.fromhex(truth.secret) + bytes([seat])).hexdigest()[:16])
    return needles


def list_text(cards):
    return json.dumps(cards, separators=(",", ":")).encode()


def draws_hidden_from(truth, viewer):
    """Lists of cards drawn by others, unless the viewer may have seen the same list elsewhere. Hands and what lies
    open are sorted lists, so that a list in order says nothing."""
    seen = {list_text(told_to(viewer, event)["cards"])
            for told in truth.events.values() for event in told if "cards" in event}
    lists = {list_text(event["cards"]) for event in truth.draws
             if event["car"] != viewer and event["cards"] != sorted(event["cards"])}
    return [("draw", text) for text in lists - seen]


def find_bytes(data, needles):
    return [what for what, needle in needles if needle in data]


# ---- Racing ---------------------------------------------------------------------------------------


def ask_raw(server, path, token=None):
    """All bytes of an answer, its head included."""
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        token = f"Authorization: Bearer {token}\r\n" if token else ""
        s.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{token}\r\n".encode())
        data = b""
        while part := s.recv(65536):
            data += part
    return data


def status_of(answer):
    return int(answer.split(b" ", 2)[1])


class Table:
    """A race on a server: racers in some seats, bots in the others, two who watch; and what HTTP said of it."""

    def __init__(self, server, dice, people, bots, **more):
        self.server, self.dice = server, dice
        seats = [{"kind": "open"} if i % 2 else
                 {"kind": "person", "name": NAMES[i], "colour": COLOURS[i], "salt": f"{i + 1:064x}"}
                 for i in range(people)]
        seats += [{"kind": "bot", "level": dice.choice(["rookie", "driver"])} for _ in range(bots)]
        opened = server.open_table(seats, listed=True, **more)
        self.id = opened["id"]
        self.http = [json.dumps(opened["table"]).encode(), ask_raw(server, "/api/tables")]
        self.tokens = {one["seat"]: one["token"] for one in opened["tokens"]}
        self.watchers = [racers.Racer(server, self.id, dice) for _ in range(2)]
        self.watchers[0].connect(0)
        for i in range(1, people, 2):
            taken = server.post(f"/api/tables/{self.id}/seats/{i}", {"name": NAMES[i], "colour": COLOURS[i]})
            self.tokens[i] = taken["token"]
        self.people = [racers.Racer(server, self.id, dice, seat, token, lively=0.2)
                       for seat, token in sorted(self.tokens.items())]
        self.racers = self.people + self.watchers
        for racer in self.people + self.watchers[1:]:
            racer.connect(0)

    @property
    def over(self):
        return all(racer.over for racer in self.racers)

    def disturb(self):
        """Somebody comes again, from the beginning or where they were; somebody asks by HTTP."""
        racer = self.dice.choice(self.racers)
        racer.hang_up()
        racer.connect(self.dice.choice([0, 0, racer.last, racer.last // 2]))
        page = self.dice.choice(["", "/circuit", "/race", "/events", "/seats/0", "/seats/0/leave", "/live", "/x"])
        token = self.dice.choice([None, *self.tokens.values()])
        answer = ask_raw(self.server, f"/api/tables/{self.id}{page}", token)
        if page in ("/race", "/events") and status_of(answer) != 409:
            notice = self.server.get(f"/api/tables/{self.id}")
            assert notice["phase"] == "over", (page, answer)
        else:
            self.http.append(answer)

    def finish(self):
        """After the race: everybody from the beginning once more, and the truth."""
        for racer in self.racers:
            racer.hang_up()
            racer.connect(0)
            while racer.state is None:
                racer.hear()
            racer.hang_up()
        race, log = ([self.server.ask("GET", f"/api/tables/{self.id}/{what}")] for what in ("race", "events"))
        assert race[0][0] == log[0][0] == 200
        entries = [json.loads(text) for _, text in sorted(self.watchers[0].entries.items())]
        self.truth = Truth(race[0][1], log[0][1], entries)


def play(tables, seconds=1200):
    until = time.monotonic() + seconds
    while going := [table for table in tables if not table.over]:
        assert time.monotonic() < until, "races do not end"
        racers.pump([racer for table in going for racer in table.racers], 1)
        table = going[0].dice.choice(going)
        if table.dice.random() < 0.1:
            table.disturb()


class Races(unittest.TestCase):
    """All races are played once; each test looks at all that was told in them."""

    @classmethod
    def setUpClass(cls):
        print(f"LEAK_SEED={SEED}", flush=True)
        dice = random.Random(SEED)
        cls.server = live.Server()
        cls.addClassCleanup(cls.server.close)
        sizes = [(2, 0), (1, 1), (3, 0), (2, 2), (3, 2), (4, 2), (6, 0)]
        circuits = ["usa", "italy", "france", "great-britain"]
        cls.tables = [Table(cls.server, dice, people, bots, circuit=circuits[i % 4], clock=600 * (i % 2))
                      for i, (people, bots) in enumerate(sizes)]
        play(cls.tables)
        cls.log_before_end = cls.server.said()
        for table in cls.tables:
            table.finish()

    def everything(self):
        """Each viewer of each race with the messages of all its connections."""
        for table in self.tables:
            for racer in table.racers:
                yield table, racer, [json.loads(text) for c in racer.connections for text in c.texts]

    def test_there_was_something_to_leak(self):
        words = collections.Counter(act.split()[0] for t in self.tables for act in t.truth.acts.values())
        self.assertTrue({"plan", "unplan", "discard", "cool", "boost"} <= set(words), words)
        kinds = collections.Counter(message["m"] for _, _, messages in self.everything() for message in messages)
        self.assertTrue({"entry", "state", "error", "foresee"} <= set(kinds), kinds)
        closed = [event for t in self.tables for told in t.truth.events.values() for event in told
                  if event["e"] == "discard" and len(event["cards"]) > 1]
        self.assertGreater(len(closed), 10)
        self.assertGreater(sum(len(racer.connections) > 3 for t in self.tables for racer in t.racers), 5)
        self.assertGreater(sum(len(table.http) for table in self.tables), 20)

    def test_messages_tell_what_their_viewer_may_know_and_nothing_else(self):
        for table, racer, messages in self.everything():
            self.assertEqual(find_leaks(table.truth, racer.seat, messages), [], (table.id, racer.seat))

    def test_no_byte_of_a_secret_is_sent_to_anybody(self):
        for table, racer, _ in self.everything():
            needles = needles_of(table.truth, table.tokens.values()) + draws_hidden_from(table.truth, racer.seat)
            for connection in racer.connections:
                self.assertEqual(find_bytes(connection.live.received, needles), [], (table.id, racer.seat))

    def test_http_and_the_log_tell_nothing(self):
        every_page = b"".join(ask_raw(self.server, page) for page in ("/", "/metrics", "/healthz", "/api/circuits"))
        for table in self.tables:
            needles = needles_of(table.truth, table.tokens.values())
            data = b"".join(table.http) + every_page + self.log_before_end.encode()
            self.assertEqual(find_bytes(data, needles), [], table.id)

    def test_spectators_are_all_told_the_same(self):
        for table in self.tables:
            self.assertEqual(table.watchers[0].entries, table.watchers[1].entries)

    # ---- That the tests above can fail

    def forge(self, kind, change, viewers=lambda racer: True):
        """Some message of some viewer can be changed so, and then it is found, and only then."""
        for table, racer, messages in self.everything():
            if not viewers(racer):
                continue
            for message in messages:
                forged = copy.deepcopy(message)
                if change(forged, table.truth, racer.seat) is True and forged != message:
                    self.assertEqual(find_leaks(table.truth, racer.seat, [message]), [])
                    self.assertNotEqual(find_leaks(table.truth, racer.seat, [forged]), [], kind)
                    return
        self.fail(f"{kind}: there is no message to forge")

    def test_forged_entries_are_found(self):
        def event_told(kind):
            def change(message, truth, viewer):
                for i, event in enumerate(message.get("events", [])):
                    true = truth.events[message["n"]][i]
                    if event["e"] == kind and event != true:
                        message["events"][i] = true
                        return True
            return change

        def one_card_told(message, truth, viewer):
            for i, event in enumerate(message.get("events", [])):
                if event["e"] == "draw" and "?" in event["cards"]:
                    event["cards"][-1] = truth.events[message["n"]][i]["cards"][-1]
                    return True

        def others_act(message, truth, viewer):
            if message["m"] == "entry" and message["seat"] != viewer and message["n"] in truth.acts:
                message["act"] = truth.acts[message["n"]]
                return True

        def others_plan(message, truth, viewer):
            return message.get("planned") and others_act(message, truth, viewer)

        def line(message, truth, viewer):
            if message["m"] == "entry" and message["n"] in truth.acts:
                message["line"] = truth.acts[message["n"]]
                return True

        def gear(message, truth, viewer):
            if message.get("planned") and truth.acts[message["n"]] != "retire":
                message["gear"] = int(truth.acts[message["n"]].split()[1])
                return True

        def more_events(message, truth, viewer):
            if message["m"] == "entry" and message.get("planned") and message["seat"] != viewer:
                cards = truth.acts[message["n"]].split()[2:]
                message.setdefault("events", []).append({"e": "reveal", "car": message["seat"], "cards": cards})
                return True

        def key_of_a_seat(message, truth, viewer):
            if message.get("what") == "take":
                message["key"] = "0" * 64
                return True

        for kind, change in {"draw": event_told("draw"), "closed discard": event_told("discard"),
                             "one card": one_card_told, "act": others_act, "plan": others_plan, "line": line,
                             "gear": gear, "reveal before its time": more_events, "key": key_of_a_seat}.items():
            with self.subTest(kind):
                self.forge(kind, change)
                if kind not in ("line", "gear", "key"):
                    self.forge(kind, change, lambda racer: racer.seat == WATCHER)

    def test_forged_states_are_found(self):
        def state(change):
            def changed(message, truth, viewer):
                if message["m"] != "state" or "view" not in message:
                    return False
                return change(message, message["view"], truth.cars[message["n"]], viewer)
            return changed

        def others_hand(message, view, cars, viewer):
            view["hand"] = cars[1 if viewer == 0 else 0]["hand"]
            return sorted(view["hand"]) != (cars[viewer]["hand"] if viewer != WATCHER else None)

        def others_plan(message, view, cars, viewer):
            for number, car in enumerate(cars):
                if number != viewer and car["plan"] is not None:
                    view["plan"] = car["plan"]
                    return True

        def face_down(message, view, cars, viewer):
            for number, car in enumerate(cars):
                if number != viewer and car["face_down"]:
                    view["cars"][number]["play"] = car["face_down"]
                    return True

        def hand_in_car(message, view, cars, viewer):
            view["cars"][0]["cards"] = cars[0]["hand"]
            return True

        def under_the_top(message, view, cars, viewer):
            for car in view["cars"]:
                if "top" in car:
                    car["top"] = "4" if car["top"] != "4" else "3"
                    return True

        def symbols_by_hand(message, view, cars, viewer):
            if view.get("turn", {}).get("cool", 0) > 0:
                view["turn"]["cool"] = 0
                return True

        def acts_of_others(message, view, cars, viewer):
            mine = set(cars[viewer]["hand"]) if viewer != WATCHER else set()
            for car in cars:
                strange = set(car["hand"]) - mine
                if strange:
                    message["acts"] = ["plan 1 " + min(strange)]
                    return True

        def draw_pile(message, view, cars, viewer):
            view["cars"][0]["draw"] = ["1", "2"]
            view["pile"] = ["1", "2"]
            return True

        def another_seat(message, view, cars, viewer):
            message["you"] = viewer + 1
            return True

        def key_in_notice(message, view, cars, viewer):
            message["table"]["seats"][0]["key"] = "00"
            return True

        def secret_in_notice(message, view, cars, viewer):
            message["table"]["secret"] = "00"
            return True

        for kind, change in {"hand": others_hand, "plan": others_plan, "face down": face_down, "cards": hand_in_car,
                             "top": under_the_top, "cool": symbols_by_hand, "acts": acts_of_others,
                             "pile": draw_pile, "you": another_seat, "key": key_in_notice,
                             "secret": secret_in_notice}.items():
            with self.subTest(kind):
                self.forge(kind, state(change))
                self.forge(kind, state(change), lambda racer: racer.seat == WATCHER)

    def test_bytes_with_a_secret_are_found(self):
        table = self.tables[0]
        truth, token = table.truth, table.tokens[1]
        data = bytes(table.racers[0].live.received)
        needles = needles_of(truth, table.tokens.values()) + draws_hidden_from(truth, 0)
        self.assertEqual(find_bytes(data, needles), [])
        first_hand = next(event["cards"] for event in truth.draws if event["car"] == 1)
        for what, leak in [("secret", truth.secret.encode()), ("secret", truth.secret[32:].upper().encode()),
                           ("secret", bytes.fromhex(truth.secret)), ("seed", truth.seed.encode()),
                           ("secret", base64.b64encode(bytes.fromhex(truth.secret))),
                           ("token", token.encode()), ("token", bytes.fromhex(token)),
                           ("key", hashlib.sha256(token.encode()).hexdigest().encode()),
                           ("hash", truth.hashes[-1].encode()), ("draw", list_text(first_hand))]:
            self.assertIn(what, find_bytes(data[:500] + leak + data[500:], needles), leak)


# ---- Seats that change hands ----------------------------------------------------------------------


class ChangingHands(unittest.TestCase):
    """Bo takes a seat at a table that waits for a third, and leaves it; what comes is not Bo's business any more."""

    def setUp(self):
        self.server = live.Server()
        self.addCleanup(self.server.close)
        self.id = self.server.open_table([{"kind": "person", "name": "Ada", "colour": "red"}, {"kind": "open"},
                                          {"kind": "open"}])["id"]
        self.bo = self.take("Bo")
        self.old = self.follow(self.bo)
        self.old.until("state", you=1)

    def follow(self, token):
        follower = self.server.follow(self.id, token)
        self.addCleanup(follower.close)
        return follower

    def take(self, name):
        return self.server.post(f"/api/tables/{self.id}/seats/1", {"name": name, "colour": "blue"})["token"]

    def check_who_left(self, old):
        """Bo had seat 1 and has left it; now Cleo has it, and the race starts."""
        cleo = self.follow(self.take("Cleo"))
        cleo.send("start")
        cleo.until("entry", what="start")
        hand = cleo.until("state")["view"]["hand"]
        self.assertEqual(len(hand), 7)
        try:
            while True:
                message = old.until("state")
                self.assertEqual(message["you"], WATCHER)
                if "view" in message:
                    self.assertNotIn("hand", message["view"])
                    self.assertNotIn("acts", message)
                    break
            old.send(f"act {message['n']} plan 1 {next(card for card in hand if card not in 'H')}")
            self.assertEqual(old.until("error")["code"], "not_seated")
        except live.Closed:
            pass
        for event in re.findall(rb'"e":"draw","car":1,"cards":\[(.*?)\]', old.received):
            self.assertEqual(set(event) - set(b'",'), set(b"?"))

    def test_who_left_by_a_line(self):
        self.old.send("leave")
        self.check_who_left(self.old)

    def test_who_left_by_http(self):
        self.server.post(f"/api/tables/{self.id}/seats/1/leave", token=self.bo, status=200)
        self.check_who_left(self.old)

    def test_the_token_of_who_left_is_nothing_any_more(self):
        self.server.post(f"/api/tables/{self.id}/seats/1/leave", token=self.bo, status=200)
        self.take("Cleo")
        again = self.follow(self.bo)
        self.assertEqual(again.next()["code"], "wrong_token")
        with self.assertRaises(live.Closed):
            again.next()

    def test_who_hands_the_seat_to_a_bot_before_the_race_watches(self):
        self.server.post(f"/api/tables/{self.id}/seats/1/bot", {"level": "rookie"}, token=self.bo, status=200)
        self.server.post(f"/api/tables/{self.id}/seats/2", {"name": "Dan", "colour": "green"})
        while "view" not in (message := self.old.until("state")):
            pass
        self.assertEqual(message["you"], WATCHER)
        self.assertNotIn("hand", message["view"])


if __name__ == "__main__":
    unittest.main()
