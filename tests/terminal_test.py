"""hairpin race and hairpin watch: through a real pseudo-terminal, through a pipe, and against a server."""
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unicodedata
import unittest
import urllib.request

import live

HAIRPIN = os.environ["HAIRPIN"]
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
PATIENCE = 180  # seconds before something counts as missing, on the slowest machine
HAND = r"Hand [▸ ]"
UP, DOWN, RIGHT, LEFT = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD"
HOME, END = "\x1bOH", "\x1bOF"


class Screen:
    """What a terminal would show: as much of an xterm as ncurses uses."""

    def __init__(self, columns, rows):
        self.resize(columns, rows)
        self.pending = b""
        self.styles = set()  # every way of painting that was asked for

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.y = self.x = 0
        self.top, self.bottom = 0, rows - 1
        self.last = " "

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, data):
        data = self.pending + data
        self.pending = b""
        text = data.decode("utf-8", "surrogateescape")
        if text and "\udc80" <= text[-1] <= "\udcff":  # half a character: its rest comes later
            cut = len(text) - len(text.rstrip("".join(map(chr, range(0xdc80, 0xdd00)))))
            if cut < 4:
                self.pending = text[-cut:].encode("utf-8", "surrogateescape")
                text = text[:-cut]
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
                continue
            found = re.compile(r"\x1b(?:\[([?>!]?)([0-9;]*)([@-~])|[()]([0AB])|([^\[()]))").match(text, at)
            if not found:
                self.pending = text[at:].encode("utf-8", "surrogateescape") + self.pending
                return
            if found[3]:
                self.control(found[1], found[2], found[3])
            at = found.end()

    def put(self, c):
        if c == "\r":
            self.x = 0
        elif c == "\n":
            self.down()
        elif c == "\b":
            self.x = max(0, self.x - 1)
        elif c == "\t":
            self.x = min(self.columns - 1, self.x // 8 * 8 + 8)
        elif c >= " ":
            if self.x >= self.columns:
                self.x = 0
                self.down()
            self.cells[self.y][self.x] = c
            self.last = c
            self.x += 1
            if unicodedata.east_asian_width(c) in "WF" and self.x < self.columns:
                self.cells[self.y][self.x] = ""
                self.x += 1

    def down(self):
        if self.y == self.bottom:
            self.scroll(1)
        else:
            self.y = min(self.rows - 1, self.y + 1)

    def go(self, y, x):
        """Not beyond its edges: what was painted for a larger size may come when it is small already."""
        self.y, self.x = min(self.rows - 1, y), min(self.columns - 1, x)

    def scroll(self, n):
        for _ in range(abs(n)):
            if n > 0:
                del self.cells[self.top]
                self.cells.insert(self.bottom, [" "] * self.columns)
            else:
                del self.cells[self.bottom]
                self.cells.insert(self.top, [" "] * self.columns)

    def control(self, mark, numbers, kind):
        if mark:
            return
        n = [int(each or 0) for each in numbers.split(";")]
        one = max(1, n[0])
        row = self.cells[self.y]
        x = min(self.x, self.columns - 1)
        if kind == "m":
            self.styles.update(n)
        elif kind in "Hf":
            self.go(one - 1, (n[1] if len(n) > 1 and n[1] else 1) - 1)
        elif kind == "A":
            self.y = max(0, self.y - one)
        elif kind == "B":
            self.y = min(self.rows - 1, self.y + one)
        elif kind == "C":
            self.x = min(self.columns - 1, self.x + one)
        elif kind == "D":
            self.x = max(0, x - one)
        elif kind == "G":
            self.go(self.y, one - 1)
        elif kind == "d":
            self.go(one - 1, self.x)
        elif kind == "J":
            first = self.y + 1 if n[0] == 0 else 0
            if n[0] == 0:
                row[x:] = [" "] * (self.columns - x)
            for each in range(first, self.rows if n[0] != 1 else self.y):
                self.cells[each] = [" "] * self.columns
        elif kind == "K":
            first, last = {0: (x, self.columns), 1: (0, x + 1)}.get(n[0], (0, self.columns))
            row[first:last] = [" "] * (last - first)
        elif kind == "X":
            row[x:x + one] = [" "] * len(row[x:x + one])
        elif kind == "P":
            del row[x:x + one]
            row += [" "] * (self.columns - len(row))
        elif kind == "@":
            row[x:x] = [" "] * one
            del row[self.columns:]
        elif kind == "L":
            for _ in range(one):
                self.cells.insert(self.y, [" "] * self.columns)
                del self.cells[self.bottom + 1]
        elif kind == "M":
            for _ in range(one):
                del self.cells[self.y]
                self.cells.insert(self.bottom, [" "] * self.columns)
        elif kind == "r":
            self.bottom = min(n[1] if len(n) > 1 and n[1] else self.rows, self.rows) - 1
            self.top = min(one - 1, self.bottom)
            self.y = self.x = 0
        elif kind == "S":
            self.scroll(one)
        elif kind == "T":
            self.scroll(-one)
        elif kind == "b":
            for _ in range(one):
                self.put(self.last)


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, folder, *arguments, columns=80, rows=24, stdin=None, **environment):
        self.screen = Screen(columns, rows)
        self.raw = b""
        self.process, self.end = None, None
        master, slave = pty.openpty()
        self.master = master
        self.set_size(columns, rows)
        plain = {key: value for key, value in os.environ.items() if key[:3] != "LC_" and key not in
                 ("LANG", "LANGUAGE", "NO_COLOR", "COLUMNS", "LINES")}
        plain.update({"TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_DATA_HOME": str(folder), "USER": "Ada"})
        plain.update(environment)
        self.process = subprocess.Popen([HAIRPIN, *map(str, arguments)], stdin=slave if stdin is None else subprocess.PIPE,
                                        stdout=slave, stderr=slave, env=plain, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0))
        os.close(slave)
        if stdin is not None:
            self.process.stdin.write(stdin.encode())
            self.process.stdin.close()

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.set_size(columns, rows)

    def read(self, seconds=0.05):
        """Takes in what comes within that time; false when nothing did."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 1024)  # little at a time: what is there for a moment only is looked at, too
        except OSError:  # the other end is closed
            time.sleep(0.01)
            return False
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def rests(self):
        """Whether every thread of the program waits for something, or it has ended. One that a busy machine keeps from
        running does not wait: it may be in the middle of a picture, or not have seen a key."""
        if self.process.poll() is not None:
            return True
        try:
            threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat")
            return all(each.read_text().rpartition(")")[2].split()[0] in "SZX" for each in threads)
        except OSError:  # one has just ended
            return False

    def settle(self):
        """Takes in what comes until the program rests and nothing does."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            rests = self.rests()  # first: what it has painted before is there to be read
            if not self.read() and rests:
                break
        return self.screen.text()

    def until(self, good, missing):
        """Takes in what comes until the text on the screen is good. A machine that is slow may stop in the middle of a
        picture: what is asked of a picture is asked again until all of it is there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if good(self.screen.text()):
                return self.screen.text()
            if not self.read(0.2) and self.process.poll() is not None:
                if good(self.settle()):
                    return self.screen.text()
                break
        raise AssertionError(f"{missing} on the screen:\n{self.screen.text()}")

    def wait(self, *wanted, but=()):
        """Until all of these texts, or regular expressions, are on the screen. What must not be there is looked for
        when the picture is whole."""
        def good(text):
            return (all(re.search(each, text, re.M) for each in wanted)
                    and not any(re.search(each, text) for each in but))

        return self.until(lambda text: good(text) and (not but or good(self.settle())), f"no {wanted} but {but}")

    def wait_words(self, *wanted, between=r"\s"):
        """The same for texts that may go over several lines."""
        words = [re.sub(r"\s+", " ", each) for each in wanted]
        self.until(lambda text: all(each in re.sub(f"{between}+", " ", text) for each in words), f"no {words}")

    def press(self, keys):
        os.write(self.master, keys.encode())

    def leave(self, code=0):
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        self.settle()
        if self.process.poll() is None:
            raise AssertionError("it does not end:\n" + self.screen.text())
        if self.process.returncode != code:
            raise AssertionError(f"ended with {self.process.returncode}:\n" + self.screen.text())

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


def keys_for(text):
    """What a careful player would press at this picture; nothing where nothing is asked."""
    if "takes over" in text:
        return "\r"
    if "Plan your turn" in text and "Planned." not in text:
        if "r retires" in text:
            return "rr"
        gear, hand = re.search(r"\[(\d)\]", text), re.search(r"Hand (.*)", text)
        if not gear or not hand:
            return ""
        low = [card for card in hand[1] if card in "012345S"][:2]  # with fewer than two there is no choice
        choice = "u" + "".join(low).lower() if len(low) == 2 else ""
        return (UP if gear[1] == "1" else DOWN * (int(gear[1]) - 2)) + choice + "\r"
    if re.search("─ (React|Slipstream|Discard) ", text) or re.search("^- (React|Slipstream|Discard) ", text, re.M):
        return "\r"
    return ""


def play(terminal, until):
    """Presses what a careful player would press, until the screen shows that."""
    end = time.monotonic() + 600
    answered = None
    while time.monotonic() < end:
        text = terminal.settle()
        if re.search(until, text):
            return text
        if terminal.process.poll() is not None:
            break
        keys = keys_for(text)
        if (keys == "" or text == answered) and terminal.read(10):
            continue  # what was pressed is not pressed again because somebody is slow to see it
        terminal.press(keys)
        answered = text
    raise AssertionError(f"the race did not come to {until}:\n{terminal.screen.text()}")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hairpin-terminal-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.races = self.folder / "hairpin" / "races"

    def terminal(self, *arguments, **more):
        terminal = Terminal(self.folder, *arguments, **more)
        self.addCleanup(terminal.kill)
        return terminal

    def lines(self, text, *arguments, code=0, **environment):
        """The program in a pipe: what it says."""
        plain = {"XDG_DATA_HOME": str(self.folder), "LANG": "C.UTF-8", "USER": "Ada", "PATH": os.environ["PATH"]}
        plain.update(environment)
        result = subprocess.run([HAIRPIN, *map(str, arguments)], input=text, capture_output=True, text=True, env=plain,
                                timeout=PATIENCE)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout if code == 0 else result.stderr

    def oval(self):
        circuit = self.folder / "oval.circuit"
        text = (SOURCE / "docs/CIRCUITS.md").read_text()
        circuit.write_text(re.search(r"```circuit\n(.*?)```", text, re.S)[1])
        return circuit

    def kept(self, ending=".table"):
        return sorted(self.races.glob("*" + ending))


QUICK = ["race", "--circuit", "italy", "--laps", "1", "--name", "Ada", "--still", "--seed", "7"]


class Racing(Case):
    def test_a_whole_race_by_keys_at_80_by_24(self):
        t = self.terminal("race", "--circuit", self.oval(), "--name", "Ada", "--still", "--seed", "7", "--vs",
                          "rookie,driver")
        first = t.wait("hairpin · The Oval", "Plan your turn", "Standings", "Rookie 2", "Driver 3", HAND, "Gear",
                       " 5 ", " 3 ")  # the last are signs at the road
        self.assertEqual(len(first.split("\n")), 24)
        text = play(t, "m rematch")
        self.assertIn("The race is over", text)
        self.assertRegex(text, r"1\.\s+\d\s+\w+")
        [race] = self.kept(".race")
        self.assertEqual(self.kept(), [])
        t.press("q")
        t.leave()
        self.assertIn("hairpin watch", t.screen.text().replace("\n", " "))
        subprocess.run([HAIRPIN, "replay", race, "--verify"], capture_output=True, text=True, check=True)

    def test_a_race_against_programs(self):
        t = self.terminal("race", "--circuit", self.oval(), "--name", "Ada", "--still", "--seed", "7", "--vs",
                          f"{SOURCE}/examples/bot.py:60000ms,/bin/cat:60000ms,driver")
        t.wait("Plan your turn", "bot.py", "cat", "Driver 4", HAND, but=["Rookie"])
        play(t, "m rematch")
        t.press("q")
        t.leave()
        self.assertIn("car 3, “cat:60000ms”, was shut down, and rookie drove on (not an answer: 3; first: decision 1, "
                      "“hairpin bot 1”)",
                      t.screen.text().replace("\n", ""))
        self.assertNotIn("car 2", t.screen.text())
        for wrong in [self.folder / "none", "/bin/cat:0ms", "/bin"]:
            self.assertIn(str(wrong), self.lines("", "race", "--vs", f"driver,{wrong}", code=2))

    def test_who_cannot_be_raced_against_learns_who_can(self):
        for wrong in ["mine.py", "champion:200ms", "random"]:
            self.assertIn(f"“--vs” takes rookie, driver, champion, or a program with a slash, as “./mybot.py”; not “{wrong}”",
                          self.lines("", "race", "--vs", f"driver,{wrong}", code=2))
        self.assertIn("at most 6 cars", self.lines("", "race", "--vs", "rookie," * 7, code=2))

    def test_leaving_does_not_wait_for_a_program_that_hangs(self):
        hangs = self.folder / "hangs"
        hangs.write_text("#!/bin/sh\nsleep 1000\n")
        hangs.chmod(0o755)
        for key, code in [("q", 0), ("\x03", 130)]:
            t = self.terminal(*QUICK, "--vs", f"{hangs}:600000ms,rookie")
            t.wait("Plan your turn", "hangs", HAND)
            t.press(key)
            t.leave(code)
            self.assertIn("The race is kept", t.screen.text())
        self.assertEqual(len(self.kept()), 2)

    def test_a_race_at_132_by_43_resized_in_the_middle(self):
        t = self.terminal(*QUICK, "--vs", "rookie", columns=132, rows=43)
        t.wait("Plan your turn")
        play(t, "Round 2")
        t.resize(80, 24)
        text = t.wait("hairpin · Italy", "q quit", "Standings")
        self.assertLessEqual(max(map(len, text.split("\n"))), 80)
        t.resize(60, 20)
        t.wait("too small")
        t.resize(100, 30)
        t.wait("hairpin · Italy", "q quit", "Gear")
        play(t, "m rematch")
        t.press("m")
        t.wait("Round 1\\b", "Plan your turn")
        t.press("q")
        t.leave()

    def test_previews_help_reasons_and_taking_back(self):
        t = self.terminal(*QUICK, "--vs", "rookie", "--name", "Ada,Bo")
        t.wait("Ada takes over", but=[HAND])
        t.press("\r")
        text = t.wait("Plan your turn", HAND)
        t.press("?")
        t.wait("Choose a gear and play as many cards", r"Rules: R3")
        t.press("x")
        t.wait(HAND, but=["Choose a gear and play"])
        t.press(UP * 3)
        t.wait(r"\[3\]", "nobody shifts by three gears \\(R3.2\\)")
        t.press("+-" + (" " + RIGHT) * 7)
        t.wait(r"Speed \d+.*to .*Heat")
        t.press("u")
        t.wait("Choose 2 more cards")
        t.press((" " + RIGHT) * 7 + "\r")
        t.wait("Bo takes over", "u: back to Ada", but=[HAND])
        t.press("u")
        t.wait("Ada takes over", but=[HAND, "Planned."])
        t.press("\r")
        t.wait("Planned.", HAND)
        t.press("h?")  # there is nothing to ask the champion for
        t.wait("Choose a gear and play as many cards", but=["thinking", "What the champion"])
        t.press("x")
        t.press("u")
        t.wait("Plan your turn", r"Speed \d", but=["Planned."])  # the cards are still chosen
        t.press("\r")
        t.wait("Bo takes over")
        t.press("\r")
        play(t, "Round 2")
        t.press("\x03")
        t.leave(130)
        self.assertEqual(termios.tcgetattr(t.master)[3] & (termios.ECHO | termios.ICANON), termios.ECHO | termios.ICANON)

    def test_all_that_an_act_may_lead_to_is_on_the_screen(self):
        boost = ["race", "--circuit", "italy", "--laps", "1", "--vs", "none", "--name", "Ada", "--seed", "105"]
        stress = ["race", "--circuit", "italy", "--laps", "1", "--vs", "rookie", "--name", "Ada", "--seed", "17"]
        for language in "en da nl de fr el".split():
            for race, typed, keys, act in [(boost, "plan 2 3 4\n", UP + "34\rb", "boost"),
                                           (stress, "try plan 3 S S 4\n", UP + UP + "ss4", "plan 3 S S 4")]:
                said = self.lines(typed, *race, "--lang", language)
                facts = re.sub(r"\s+", " ", re.search(rf"^  {act}: (.*)", said, re.M)[1]).split(" · ")
                self.assertGreater(len(facts), 6)
                t = self.terminal(*race, "--still", "--lang", language)
                t.wait("◂")
                t.press(keys)
                t.wait(r"\d: \d+ %")
                t.wait_words(*facts)

    def test_reasons_are_told_to_their_end(self):
        race = ["race", "--circuit", "usa", "--laps", "1", "--vs", "rookie", "--name", "Ada", "--seed", "17"]
        for language in "en da nl de fr el".split():
            reason = re.search(r"^(.*\(R3.3\))$", self.lines("try plan 1 H\n", *race, "--lang", language), re.M)[1]
            t = self.terminal(*race, "--still", "--lang", language)
            t.wait("◂")
            t.press(LEFT * 3 + " ")
            t.wait_words(reason, between=r"[\s─]")

    def test_a_hint_chooses_what_the_champion_would(self):
        t = self.terminal(*QUICK, "--vs", "rookie")
        t.wait("Plan your turn")
        t.press("h")
        t.wait("What the champion would do", r"wins \d+ %", r"Speed \d")
        t.press("x\r")
        t.wait("React|Discard|Slipstream|Round 2")
        t.press("q")
        t.leave()

    def test_phrases_are_whole_in_every_language(self):
        for language in "en da nl de fr el".split():
            t = self.terminal(*QUICK, "--vs", "none", "--lang", language)
            t.wait("◂")
            t.press("p")
            said = self.lines("".join(f"say {i}\n" for i in range(1, 13)), *QUICK, "--vs", "none", "--lang", language)
            phrases = re.findall(r"^Ada: (.*)", said, re.M)
            self.assertEqual(len(phrases), 12)
            t.wait(re.escape("= " + phrases[-1]), *map(re.escape, phrases))

    def test_a_hint_has_its_numbers_in_every_language(self):
        for language in "en da nl de fr el".split():  # who races alone wins; plan 3 S S S is long
            t = self.terminal("race", "--circuit", "italy", "--laps", "1", "--vs", "none", "--name", "Ada", "--seed", "32",
                              "--still", "--lang", language)
            t.wait("◂")
            t.press("h")
            t.wait(r"(\w+) · \1 · \1 .* 100 %", r"(.*\w 100 %( .*)?\n){5}")

    def test_retiring_takes_two_keys(self):
        t = self.terminal("race", "--circuit", self.oval(), "--laps", "1", "--name", "Ada", "--still", "--seed", "7", "--vs",
                          "driver,driver")
        play(t, "r retires")
        t.press("r")
        t.wait("r or Enter retires")
        t.press("x")
        t.wait("r retires", but=["r or Enter"])
        t.press("r")
        t.wait("r or Enter retires")
        t.press("h")  # takes it back, and does nothing else
        t.wait("r retires", but=["r or Enter", "thinking", "What the champion"])
        t.press("r")
        t.wait("r or Enter retires")
        t.press("\r")
        t.wait("Ada +retired")

    def test_animations_end_with_a_key(self):
        t = self.terminal("race", "--circuit", "italy", "--vs", "rookie", "--seed", "3")
        t.wait("Plan your turn")
        t.press((" " + RIGHT) * 7 + "\r")
        for _ in range(20):
            t.press("x")
            t.read(0.05)
        t.wait("React|Discard|Slipstream|Round 2")
        t.press("q")
        t.leave()

    def test_the_menu_chooses_and_offers_to_go_on(self):
        t = self.terminal()
        t.wait("Race now", "Circuit", "USA", "Opponents")
        t.press(DOWN + RIGHT)  # around, to the circuit
        t.wait("Great Britain")
        t.press(DOWN + RIGHT + DOWN + DOWN + "Zoë\x7f\x7fo\r")
        t.wait("hairpin · Great Britain · Lap 1 of", "Zo ", "Plan your turn")
        t.press("q")
        t.leave()
        for language in "da nl de fr el".split():
            self.terminal("--lang", language).wait(r" 20\d\d-\d\d-\d\d, \d\d:\d\d\b")
        t = self.terminal()
        t.wait(r"Go on with the race of 20\d\d-\d\d-\d\d, \d\d:\d\d\b")
        t.press("\r")
        t.wait("hairpin · Great Britain", "Zo ")
        t.press("q")
        t.leave()
        t = self.terminal()
        t.wait("Race now")
        t.press("\x1b")
        t.leave()

    def test_every_language_and_what_the_terminal_can_show(self):
        titles = {"en": "Great Britain", "da": "Storbritannien", "nl": "Groot-Brittannië", "de": "Großbritannien",
                  "fr": "Grande-Bretagne", "el": "Μεγάλη Βρετανία"}
        common = ["race", "--circuit", "great-britain", "--vs", "champion,rookie", "--still"]
        for language, title in titles.items():
            t = self.terminal(*common, "--lang", language)
            t.wait(title, r"\[1\]", but=["One moment"])
            text = t.settle()
            self.assertLessEqual(max(map(len, text.split("\n"))), 80)
            rows = [line for line in text.split("\n") if re.search(r"\b1 +6", line)]
            self.assertEqual(len({len(row.rstrip()) for row in rows if "A" not in row[-3:]}), 1, text)
            t.press("q")
            t.leave()
        t = self.terminal(*common, LANG="el_GR.UTF-8")  # whether or not it is installed
        t.wait("Μεγάλη Βρετανία", r" 2  Πρωταθλητ… 2 ")
        t = self.terminal(*common, "--lang", "el", LANG="C")
        t.wait("Megali Vretania", r"\[1\]", r" q exodos$")
        text = t.settle()
        self.assertTrue(text.isascii(), text)
        t = self.terminal(*common, NO_COLOR="1")
        t.wait("Great Britain", r"\[1\]", "░")
        t.settle()
        self.assertFalse([n for n in t.screen.styles if 30 <= n < 60 or n >= 90])
        t = self.terminal(*common, TERM="linux", LANG="C")
        t.wait("Great Britain", r"\[1\]", ":")
        t.settle()
        self.assertTrue([n for n in t.screen.styles if 30 <= n < 50])
        t = self.terminal(*common, TERM="dumb")
        t.wait("Plan your turn, Ada")


class Watching(Case):
    def test_what_is_told_is_what_led_there(self):
        t = self.terminal("watch", SOURCE / "tests/fixtures/races/italy-1-car-handicap.race", "--still")
        t.wait("The race begins", "Standings")
        t.press(" " + HOME + RIGHT)
        t.wait("─ Car 1 plays .* ─$")  # beside what the journal says
        t.press(END)
        t.wait("Car 1 finishes: place 1", "^ The race is over", but=["─ Car 1", "The race begins"])
        t.press(HOME)
        t.wait("The race begins", but=["Car 1 (finishes|plays|moves)"])
        t.press(DOWN)
        t.wait("Round 2$", "Car 1 moves", but=["─ Car 1"])
        t.press(UP)
        t.wait("The race begins", but=["Car 1 moves", "Round 2"])
        t.press("?")
        t.wait("The arrow keys lead elsewhere", but=["choose cards", "retires", "Your turn"])
        t.press("x")
        t.press("q")
        t.leave()


class Keeping(Case):
    def test_kill_9_loses_no_confirmed_act(self):
        t = self.terminal(*QUICK, "--vs", "rookie,rookie")
        t.wait("Plan your turn")
        play(t, "Round 3")
        t.process.send_signal(signal.SIGKILL)
        t.process.wait()
        [path] = self.kept()
        before = path.read_text()
        path.write_text(before + "1794800941044 0 act 3 pl")  # cut off in the middle: nobody was told of it
        t = self.terminal("race", "--still")
        t.wait("Go on with the race of")
        t.press("\r")
        t.wait("Round 3", "hairpin · Italy")
        play(t, "Round 4|m rematch")
        self.assertTrue(path.read_text().startswith(before))
        t.process.send_signal(signal.SIGHUP)
        t.leave(130)
        after = path.read_text()
        self.assertIn("Round 4", self.lines("quit\n", "race", "--go-on"))
        self.assertEqual(path.read_text(), after)

    def test_a_closed_terminal_ends_it(self):
        t = self.terminal(*QUICK, "--vs", "rookie")
        t.wait("Plan your turn")
        os.close(t.master)
        self.assertEqual(t.process.wait(PATIENCE), 130)
        t.master = os.open("/dev/null", os.O_RDONLY)
        self.assertEqual(len(self.kept()), 1)

    def test_one_race_is_not_raced_in_two_terminals(self):
        t = self.terminal(*QUICK, "--vs", "rookie")
        t.wait("Plan your turn")
        self.assertIn("another terminal", self.lines("", "race", "--go-on", code=1))

    def test_rubbish_is_refused_with_its_line(self):
        self.lines("quit\n", *QUICK, "--vs", "rookie")
        [path] = self.kept()
        good = path.read_text()
        last = len(good.split("\n"))
        for bad, where in [("", ""), ("rubbish\n", ""), (good.replace("laps 1", "laps x"), ""), (good[:200] + "\n", ""),
                           (good.replace("italy", "nowhere"), ""), ("\0" * 300 + "\n", ""),
                           (good + "1 0 act 1 plan 9\n", f"{last}:"), (good + "x\n", f"{last}:"),
                           (good + "1 7 start\n", f"{last}:"), (good + "\0\n", "")]:
            path.write_text(bad)
            self.assertIn(f"{path}:{where}", self.lines("", "race", "--go-on", code=1))
            self.assertEqual(path.read_text(), bad)
        path.write_text(good)
        self.assertIn("Round 1", self.lines("quit\n", "race", "--go-on"))

    def test_a_full_disk_or_a_folder_that_cannot_be_is_told(self):
        (self.folder / "hairpin").write_text("in the way")
        self.assertIn("hairpin", self.lines("", *QUICK, code=1))
        (self.folder / "hairpin").unlink()
        self.lines("quit\n", *QUICK, "--vs", "none")
        [path] = self.kept()
        good = path.read_bytes()
        full = subprocess.run([HAIRPIN, "race", "--go-on"], input="plan 1 1\nplan 1 2\nplan 1 3\nplan 1 4\n", text=True,
                              capture_output=True, timeout=PATIENCE, env={"XDG_DATA_HOME": str(self.folder)},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (len(good) + 9,) * 2))
        self.assertEqual(full.returncode, 0, full.stderr)
        self.assertIn("could not be written to the disk", full.stdout)
        self.assertEqual(path.read_bytes(), good)
        self.assertIn("Round 1", self.lines("quit\n", "race", "--go-on"))

    def test_a_circuit_that_can_be_read_only_once_is_kept_too(self):
        pipe, circuit = self.folder / "pipe.circuit", self.oval().read_text()
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=[circuit])
        writer.start()
        self.lines("quit\n", "race", "--circuit", pipe, "--vs", "rookie")
        writer.join()
        self.assertIn("The Oval", self.lines("quit\n", "race", "--go-on"))

    def test_a_circuit_from_a_file_is_kept_with_its_race(self):
        circuit = self.oval()
        self.assertIn("The Oval", self.lines("quit\n", "race", "--circuit", circuit, "--vs", "rookie"))
        circuit.unlink()
        self.assertIn("The Oval", self.lines("quit\n", "race", "--go-on"))
        t = self.terminal("race", "--go-on", "--still")
        t.wait("The Oval", "Plan your turn")


class Lines(Case):
    def test_the_session_in_the_docs(self):
        text = (SOURCE / "docs/TERMINAL.md").read_text()
        command, session = re.search(r"```session\n\$ hairpin (.*?)\n(.*?)```", text, re.S).groups()
        typed = "".join(line[2:] + "\n" for line in session.split("\n") if line.startswith("> "))
        said = [line for line in session.split("\n") if line and not line.startswith("> ")]
        self.assertEqual(self.lines(typed, *command.split()).rstrip("\n").split("\n"), said)

    def test_a_whole_race_and_the_same_seed_again(self):
        typed = "plan 9\n"
        common = ["race", "--circuit", self.oval(), "--vs", "rookie", "--seed", "11", "--name", "Ada"]
        for _ in range(60):  # one decision more each time, by what was said last
            said = self.lines(typed, *common)
            if "The race is written down" in said:
                break
            self.kept()[0].unlink()
            typed += self.answer(said) + "\n"
        self.assertIn("The race is over.", said)
        self.assertRegex(said, r"1\. (Ada|Rookie 2)")
        [race] = self.kept(".race")
        watched = self.lines("", "watch", race)
        events = [line for line in said.split("\n") if re.match("(Ada|Rookie 2) (moves|plays)", line)]
        self.assertGreater(len(events), 10)
        self.assertEqual([line for line in watched.split("\n") if line in events], events)
        self.watch(race)

    def answer(self, said):
        last = said.rstrip().split("\n")
        asked = [line for line in last if ", Ada: " in line][-1]
        hand = [line for line in last if line.startswith("Hand:")][-1].split()[1:]
        if asked.startswith("React"):
            return "done"
        if asked.startswith("Slipstream"):
            return "stay"
        if asked.startswith("Discard"):
            return "keep"
        gear = int(re.search(r"gear (\d)", asked)[1])
        playable = [card for card in hand if card != "H"]
        gear = min(2, gear + 1, max(1, len(playable)))
        cards = playable[:gear]
        return "plan " + " ".join([str(gear), *(cards + hand)[:gear]])

    def watch(self, race):
        t = self.terminal("watch", race, "--still")
        t.wait("The race is over|Round [3-9]")
        t.press(" ")
        for keys in [LEFT * 3, DOWN, UP * 2, RIGHT * 4]:
            t.press(keys)
            t.settle()
        t.press("q")
        t.leave()
        cut = self.folder / "cut.race"
        cut.write_text("\n".join(race.read_text().split("\n")[:25]) + "\n")
        self.assertIn("The file ends here", self.lines("", "watch", cut))
        last = max(m.start() for m in re.finditer(r"(?m)^\d (discard|keep|done)", race.read_text()))
        cut.write_text(race.read_text()[:last + 5])
        lines = cut.read_text().count("\n") + 1
        self.assertIn(f"{cut}:{lines}: the text ends too early", self.lines("", "watch", cut, code=1))
        cut.write_text("rubbish\n")
        self.assertIn(f"{cut}:1", self.lines("", "watch", cut, code=1))
        self.lines("", "watch", self.folder / "none.race", code=1)

    def test_rubbish_changes_nothing(self):
        rubbish = "\n\nplan\nplan 1\nplan x\nact 1 plan 1 1\nstart\nback\nsay 99\nsay\ntry\ntry x\ntry plan 4 1 1 1 1\n"
        rubbish += "x" * 5000 + "\n\x00\x01\x1b[2J\nrematch\n\xff\nдa\n" + "help\nwhere\nhand\nacts\nu\nquit\n"
        said = self.lines(rubbish, *QUICK, "--vs", "rookie")
        self.assertNotIn("\x1b", said)
        self.assertIn("is not an act", said)
        self.assertIn("There are phrases 1 to 12.", said)
        self.assertNotIn("went wrong", said)
        self.assertIn("The race is kept", said)
        entries = self.kept()[0].read_text().split("\n\n")[-1].strip().split("\n")
        self.assertNotIn("0", [line.split()[1] for line in entries])

    def test_questions_instead_of_options(self):
        said = self.lines("nowhere\nitaly\n0\n1\nnobody\nrookie,driver\n\nquit\n", "race")
        self.assertIn("Italy, 1 lap", said)
        self.assertIn("“nowhere” cannot be chosen here.", said)
        self.assertIn("Car 3: Driver 3", said)
        self.assertIn("Italy, 1 lap", self.lines("\nquit\n", "race"))
        self.assertIn("Circuits: usa", self.lines("no\n", "race"))
        said = self.lines("nee\nno\n", "race")
        self.assertIn("“nee” cannot be chosen here.", said)
        self.assertIn("Circuits: usa", said)
        self.assertIn("Italy, 1 lap", self.lines("yes\nquit\n", "race"))

    def test_what_was_asked_for_last_is_answered(self):
        self.assertRegex(self.lines("hint\n", *QUICK, "--vs", "rookie"), r"  plan .*: wins \d+ %\n")

    def test_hidden_hands_in_lines(self):
        said = self.lines("\n" + "hand\n", *QUICK, "--vs", "none", "--name", "Ada,Bo")
        self.assertLess(said.index("Ada takes over"), said.index("Hand:"))
        self.assertIn("“help” tells what can be said.", said)
        self.kept()[0].unlink()
        for leave in ["q", "quit"]:  # only an empty line takes over
            said = self.lines(f"plan 1 4\nhand\n{leave}\n\nhand\n", *QUICK, "--vs", "none", "--name", "Ada,Bo")
            self.assertEqual(said.count("Ada takes over"), 3)
            self.assertNotIn("Hand:", said)
            self.assertIn("The race is kept", said)
            self.kept()[0].unlink()

    def test_a_hint_that_comes_late_is_for_nobody_else(self):
        t = self.terminal("race", "--circuit", "italy", "--laps", "1", "--seed", "5", "--vs", "rookie", "--lines", "--name",
                          "Ada,Bo")
        t.wait("Ada takes over")
        t.press("\r")
        hand = re.search(r"Hand: (.*)", t.wait("Hand:"))[1].split()
        t.press(f"hint\rplan 1 {hand[0]}\r")
        t.wait("Bo takes over")
        self.assertNotIn("wins", t.settle())  # which waits for the champion, too
        t.press("\r")
        t.wait("Bo takes over(.*\n)*.*Hand:")
        t.press("hint\r")
        t.wait(r"plan .*: wins \d+ %")
        t.press("quit\r")
        t.leave()

    def test_a_second_hint_is_about_the_second_decision(self):
        t = self.terminal(*QUICK, "--vs", "rookie")
        hand = re.search(r"Hand (.*)", t.wait("Plan your turn", HAND))[1]
        low = next(card for card in hand if card in "012345")
        t.press(low)
        t.wait(r"Speed \d")
        t.press("h\r")  # nothing is heard between the two: however quick it was, the hint comes after the decision
        t.wait("─ React ")
        t.press("h")
        t.wait(r"wins \d+ %")
        self.assertNotRegex(t.settle(), r"Gear \d.*wins")
        t.press("\rq")
        t.leave()

    def test_a_pipe_into_a_terminal_ends_where_it_ends(self):
        t = self.terminal(*QUICK, "--vs", "rookie", stdin="plan 1 0")
        t.leave()
        self.assertIn("The race is kept", t.screen.text())
        entries = self.kept()[0].read_text().split("\n\n")[-1]
        self.assertRegex(entries, r" 0 act \d plan 1 0\n")

    def test_behind_the_last_corner_none_is_told(self):
        typed, said = "plan 9\n", ""
        common = ["race", "--circuit", self.oval(), "--vs", "none", "--laps", "1", "--seed", "11", "--name", "Ada"]
        for _ in range(60):
            said = self.lines(typed, *common)
            if "The race is written down" in said:
                break
            self.kept()[0].unlink()
            typed += self.answer(said) + "\n"
        spaces = [int(at) for at in re.findall(r"Plan your turn, Ada: space (\d+)", said)]
        self.assertGreater(spaces[-1], 20)
        told = re.findall(r"^(The next corner|There is no corner left)", said, re.M)
        self.assertEqual(told[0], "The next corner")
        self.assertEqual(told[-1], "There is no corner left")

    def test_nobody_races_for_an_ear_that_is_gone(self):
        race = subprocess.Popen([HAIRPIN, *QUICK, "--vs", "rookie"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                env={"XDG_DATA_HOME": str(self.folder), "LANG": "C.UTF-8"})
        race.stdout.readline()
        race.stdout.close()
        with contextlib.suppress(BrokenPipeError):  # it may have noticed already
            race.stdin.write(b"where\n" * 50)
            race.stdin.flush()
        race.wait(PATIENCE)
        with contextlib.suppress(BrokenPipeError):
            race.stdin.close()

    def test_all_six_languages_and_ascii(self):
        said = {language: self.lines("help\nquit\n", *QUICK, "--lang", language) for language in
                "en da nl de fr el".split()}
        self.assertIn("Italien", said["de"])
        self.assertIn("Ιταλία", said["el"])
        self.assertTrue(self.lines("help\nquit\n", *QUICK, "--lang", "el", LANG="C").isascii())

    def test_lines_at_a_keyboard(self):
        t = self.terminal(*QUICK, "--vs", "rookie", "--lines", "--lang", "en")
        t.wait("Plan your turn, Ada", "^>")
        t.press("where\r")
        t.wait("1. Ada \\(car 1\\)|2. Ada \\(car 1\\)")
        t.press("plan 7\r")
        t.wait("is not an act")
        t.press("quit\r")
        t.leave()
        t = self.terminal(*QUICK, "--vs", "none", "--lines", "--name", "Ada,Bo")
        t.wait("Ada takes over", but=["Hand:"])
        t.press("\r")
        t.wait("Hand:")
        t.press("\x03")
        t.leave(130)

    def test_options_that_are_wrong(self):
        for bad in [["--laps", "0"], ["--vs", "nobody"], ["--name", ""], ["--name", "A,B,C,D,E,F,G"], ["here"],
                    ["--vs", "rookie,rookie,rookie,rookie,rookie,rookie"], ["--name", " x"], ["--go-on", "--laps", "2"],
                    ["--join", "http://x/#race/y", "--name", "A,B"], ["--join", "http://x/#race/y", "--vs", "rookie"]]:
            self.lines("", "race", *bad, code=2)
        self.assertIn("italy", self.lines("", "race", "--circuit", "itlay", code=1))
        self.assertIn("no link", self.lines("", "race", "--join", "ftp://x", code=1))
        self.assertIn("no link", self.lines("", "race", "--join", "http://x:99999/#race/a", code=1))
        self.assertIn("Nobody answers", self.lines("", "race", "--join", f"http://127.0.0.1:{live.free_port()}/#race/abc",
                                                   code=1))


class Joining(Case):
    def setUp(self):
        super().setUp()
        self.server = live.Server()
        self.addCleanup(self.server.close)

    def open(self, *seats, **settings):
        table = self.server.open_table([{"kind": "person", "name": "Web", "colour": "red"}, *seats], circuit="italy",
                                       **settings)
        self.token = table["tokens"][0]["token"]
        self.id = table["id"]
        return f"http://127.0.0.1:{self.server.port}/#race/{self.id}"

    def drive(self, stop):
        """The other seat, as the page drives it: takes the first act of each decision."""
        seen = 0
        while not stop.is_set():
            try:
                follower = self.server.follow(self.id, self.token, seen)
                self.addCleanup(follower.close)
                while not stop.is_set():
                    if not follower.ready(0.2):
                        continue
                    m = follower.next()
                    seen = m["n"] if m["m"] == "entry" else seen
                    if m["m"] == "state" and m["table"]["phase"] == "over":
                        return
                    if m["m"] == "state" and any(each["seat"] == 0 for each in m["table"]["awaited"]) and m.get("acts"):
                        follower.send(f"act {m['n']} {m['acts'][-1] if 'plan' in m['acts'][-1] else m['acts'][0]}")
            except (live.Closed, OSError):
                time.sleep(0.1)

    def browser(self):
        stop = threading.Event()
        thread = threading.Thread(target=self.drive, args=[stop])
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)

    def test_a_race_against_a_browser_seat_and_a_server_that_vanishes(self):
        link = self.open({"kind": "open"}, {"kind": "bot", "level": "rookie"})
        t = self.terminal("race", "--join", link, "--name", "Term", "--still")
        t.wait("hairpin · Italy", "Term", "Plan your turn")
        self.assertEqual(self.server.get(f"/api/tables/{self.id}")["seats"][1]["name"], "Term")
        t.press("h")
        t.wait("there are no hints")
        t.press("x")
        self.browser()
        play(t, "Round 2")
        self.server.kill()
        t.wait("connection is lost")
        self.server.start()
        t.wait("hairpin · Italy", but=["connection is lost"])
        play(t, "Round 3")
        t.press("q")  # and again, to the same seat, from the same link
        t.leave()
        self.assertIn("--join", t.screen.text())
        t = self.terminal("race", "--join", link, "--still")
        t.wait("Round 3", "Term")
        play(t, "m rematch")
        t.press("m")
        t.wait("Waiting for the others", "Term")
        t.press("q")
        t.leave()

    def test_a_rematch_that_was_closed(self):
        link = self.open({"kind": "open"})
        other = self.server.post(f"/api/tables/{self.id}/seats/1", {"name": "Bo", "colour": "blue"})["token"]
        for seat, token in enumerate((self.token, other)):
            self.server.post(f"/api/tables/{self.id}/seats/{seat}/bot", {"level": "rookie"}, token, 200)
        live.poll(lambda: self.server.get(f"/api/tables/{self.id}")["phase"] == "over", PATIENCE)
        gone = self.server.post(f"/api/tables/{self.id}/rematch", token=self.token)["id"]
        self.server.kill()
        with contextlib.closing(sqlite3.connect(self.server.folder / "data/races.db")) as db, db:
            db.execute("DELETE FROM tables WHERE id = ?", [gone])
        self.server.start()
        t = self.terminal("race", "--join", f"{link}/{self.token}", "--still")
        t.wait("m rematch")
        t.press("m")
        t.wait("Waiting for the others", "Web")
        t.press("q")
        t.leave()

    def network(self, lost=0, ahead=0):
        """A port that leads to the server. So many answers to requests to sit down are lost on the way, and all times
        come so many milliseconds later than they went."""
        port = socket.create_server(("127.0.0.1", 0))
        asked = []

        def carry(near, far):
            losing = False
            while ready := select.select([near, far], [], [], PATIENCE)[0]:
                part = ready[0].recv(65536)
                if part.startswith(b"POST"):
                    asked.append(part)
                    losing = len(asked) <= lost
                if not part or (losing and ready[0] is far):
                    return
                part = re.sub(rb'("(?:t|since|until)":)(\d{13})', lambda time: time[1] + b"%d" % (int(time[2]) + ahead), part)
                (far if ready[0] is near else near).sendall(part)

        def connect(near):
            with near, socket.create_connection(("127.0.0.1", self.server.port), 30) as far:
                with contextlib.suppress(ConnectionError):
                    carry(near, far)

        def listen():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=connect, args=[port.accept()[0]], daemon=True).start()

        threading.Thread(target=listen, daemon=True).start()
        self.addCleanup(port.close)
        self.addCleanup(port.shutdown, socket.SHUT_RDWR)
        return port.getsockname()[1], asked

    def test_a_seat_is_not_lost_with_its_answer(self):
        link = self.open({"kind": "open"}, {"kind": "open"})
        port, asked = self.network(lost=2)
        said = self.lines("quit\n", "race", "--join", link.replace(str(self.server.port), str(port)), "--name", "Term")
        self.assertIn("Car 2: Term (you)", said)
        self.assertEqual(len(asked), 3)
        self.assertEqual([each["kind"] for each in self.server.get(f"/api/tables/{self.id}")["seats"]],
                         ["person", "person", "open"])
        port, asked = self.network(lost=9)
        self.assertIn("Nobody answers", self.lines("", "race", "--join", link.replace(str(self.server.port), str(port)),
                                                   "--name", "Late", code=1))
        self.assertEqual(len(asked), 3)

    def test_a_seat_is_kept_while_its_race_cannot_be_found(self):
        link = self.open({"kind": "open"}, {"kind": "open"})
        self.assertIn("Car 2: Term (you)", self.lines("quit\n", "race", "--join", link, "--name", "Term"))
        t = self.terminal("race", "--join", link, "--still")
        t.wait("Waiting for the others", "Term")
        self.server.kill()
        self.assertIn("Nobody answers", self.lines("", "race", "--join", link, code=1))
        data = self.server.folder / "data"
        data.rename(self.server.folder / "kept")  # and the server starts with other data
        self.server.start()
        t.wait("no such race")
        self.assertIn("no such race", self.lines("", "race", "--join", link, code=1))
        self.server.kill()
        shutil.rmtree(data)
        shutil.copytree(self.server.folder / "kept", data)
        with contextlib.closing(sqlite3.connect(data / "races.db")) as db, db:
            db.execute("UPDATE tables SET settings = 'nonsense'")
        self.server.start()
        self.assertIn("no such race", self.lines("", "race", "--join", link, code=1))
        self.server.kill()
        shutil.rmtree(data)
        (self.server.folder / "kept").rename(data)
        self.server.start()
        self.assertIn("Car 2: Term (you)", self.lines("quit\n", "race", "--join", link))

    def test_time_left_by_the_clock_of_the_server(self):
        link = self.open({"kind": "open"}, clock=300)
        port, _ = self.network(ahead=7200000)
        t = self.terminal("race", "--join", link.replace(str(self.server.port), str(port)), "--name", "Term", "--still")
        t.wait("Plan your turn")
        t.press("p1")  # what happens now tells the time there
        t.wait(r"· (2\d\d|300) seconds left")
        t.press("q")
        t.leave()

    def test_a_pipe_starts_a_race_and_leaves(self):
        link = self.open({"kind": "open"}, {"kind": "open"})
        said = self.lines("start\nquit\n", "race", "--join", link, "--name", "Term")
        self.assertIn("The race begins", said)
        self.assertEqual(self.server.get(f"/api/tables/{self.id}")["phase"], "racing")

    def test_lobby_lines_watching_and_a_seat_from_another_device(self):
        link = self.open({"kind": "open"}, {"kind": "open"})
        t = self.terminal("race", "--join", link, "--name", "Term", "--still")
        t.wait("Waiting for the others", "Term", "Web", "Free seat")
        t.press("s")
        t.wait("Plan your turn", "Driver 3")
        other = pathlib.Path(tempfile.mkdtemp(prefix="hairpin-terminal-"))
        self.addCleanup(shutil.rmtree, other)
        said = self.lines("where\nquit\n", "race", "--join", f"{link}/{self.token}", XDG_DATA_HOME=str(other))
        self.assertIn("Car 1: Web (you)", said)
        said = self.lines("quit\n", "race", "--join", link.split("/#")[0], f"{self.id}/{self.token}",
                          XDG_DATA_HOME=str(other))
        self.assertIn("Car 1: Web (you)", said)
        self.assertIn("no seat is free", self.lines("", "race", "--join", link, code=1, XDG_DATA_HOME=str(other / "x")))
        self.assertIn("no such race", self.lines("", "race", "--join", link[:-4] + "zzzz", code=1))
        self.assertIn("somebody else", self.lines("", "race", "--join", f"{link}/{'0' * 32}", code=1,
                                                  XDG_DATA_HOME=str(other)))
        said = self.lines("quit\n", "race", "--join", link, XDG_DATA_HOME=str(other))  # one's own is not lost by that
        self.assertIn("Car 1: Web (you)", said)
        self.assertIn(f"Your seat is kept: “hairpin race --join {link}”", said)
        said = self.lines("quit\n", "race", "--join", f"{link}/{self.token}", XDG_DATA_HOME="/proc")
        self.assertIn(f"Keep this: “hairpin race --join {link}/{self.token}” goes on.", said)
        w = self.terminal("watch", link, "--still")
        w.wait("hairpin · Italy", "Waiting for", but=[HAND])
        w.press("q")
        w.leave()


class Trusting(Case):
    def test_https_with_a_certificate_that_is_trusted_and_only_then(self):
        made = live.certificate(self.folder)
        if made is None:
            self.skipTest("no openssl here")
        cert, key = made
        server = live.Server(*live.FREE, "--tls-cert", cert, "--tls-key", key)
        self.addCleanup(server.close)
        opening = {"circuit": "usa", "seats": [{"kind": "person", "name": "Web", "colour": "red"}, {"kind": "open"}]}
        base = f"https://localhost:{server.port}"
        with urllib.request.urlopen(urllib.request.Request(f"{base}/api/tables", json.dumps(opening).encode()), timeout=30,
                                    context=ssl.create_default_context(cafile=cert)) as answer:
            link = f"{base}/#race/{json.load(answer)['id']}"
        self.assertIn("certificate is not trusted", self.lines("", "race", "--join", link, code=1))
        said = self.lines("where\nquit\n", "race", "--join", link, SSL_CERT_FILE=str(cert))
        self.assertIn("Car 2: Ada (you)", said)
        t = self.terminal("race", "--join", link, SSL_CERT_FILE=str(cert))
        t.wait("hairpin · USA", "Plan your turn")
        t.press("q")
        t.leave()


if __name__ == "__main__":
    unittest.main()
