"""Bots that are programs: the protocol is as documented, and whatever a program does, the race goes on."""
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HAIRPIN = os.environ["HAIRPIN"]
SOURCE = Path(os.environ["SOURCE_DIR"])
WARNINGS = "-std=c11 -Wall -Wextra -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror".split()
SLOW, GONE, RUBBISH = "too slow", "ended or closed its input or output", "not an answer"
TOO_MUCH, ILLEGAL, LOST = "wrote too much", "illegal act", "gets nowhere"
TRIES = 20  # for a bot to hear the end before it is killed, 200 ms later

# What the bots below share: PIDS is a file that names every process that they start. A child stays, and has been named
# when the bot goes on.
HEAD = f"""#!{sys.executable} -SE
import os, sys, time
def note(): open("PIDS", "a").write(str(os.getpid()) + "\\n")
note()
def child():
    end, begin = os.pipe()
    if os.fork() == 0: note(); os.close(begin); time.sleep(1000)
    os.close(begin); os.read(end, 1)
def say(text): sys.stdout.write(text); sys.stdout.flush()
def decisions():
    for line in sys.stdin:
        if line.startswith("acts "): acts = line[5:].strip().split(", ")
        if line.startswith("go "): yield int(line.split()[1]), acts
        if line == "end\\n": return
"""


def dead(pid):
    """A signal was sent; those that are no children of hairpin may take a moment to go."""
    for _ in range(1200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.pids = self.folder / "pids"
        self.asked = self.folder / "asked"

    def bot(self, text, name="bot"):
        path = self.folder / name
        path.write_text(HEAD.replace("PIDS", str(self.pids)) + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def race(self, bots, *more, cars=2):
        """What is said on standard error, and how long it took."""
        began = time.monotonic()
        result = subprocess.run([HAIRPIN, "demo", "--cars", str(cars), "--seed", "5", "--bots", str(bots), *map(str, more)],
                                capture_output=True, text=True, env={**os.environ, "LANGUAGE": "en"}, timeout=300)
        took = time.monotonic() - began
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("The result after", result.stdout)
        for pid in self.pids.read_text().split() if self.pids.exists() else []:
            self.assertTrue(dead(pid), f"process {pid} is left")
        return result.stderr, took

    def misbehaves(self, kinds, text, milliseconds=20000, stopped=True, first=None):
        """The kinds of fault and how often each, and the first of them, as reported."""
        errors, took = self.race(f"{self.bot(text)}:{milliseconds}ms,rookie")
        report = [line for line in errors.splitlines() if line.startswith("hairpin:")]
        self.assertEqual(len(report), 1, errors)
        self.assertIn("car 0", report[0])
        self.assertEqual("was shut down" in report[0], stopped, report)
        counts, told = re.search(r"\((.*?); first: (.*)\)$", report[0]).groups()
        self.assertEqual(counts, ", ".join(f"{kind}: {n}" for kind, n in kinds.items()))
        self.assertRegex(told, r"^decision \d+(, “[ -~]{1,63}”)?$")
        self.assertIn(told, [first or told])
        if SLOW in kinds:
            self.assertLess(took, 1.2 + kinds[SLOW] * milliseconds / 1000 + 30)  # to start, its faults, a slow machine


class Examples(Case):
    def test_python_races_to_the_end(self):
        for circuit in ["usa", "great-britain", "italy", "france"]:
            self.assertEqual(self.race(f"{SOURCE}/examples/bot.py:20000ms", "--circuit", circuit, cars=3)[0], "")

    def test_c_compiles_without_a_warning_and_races_to_the_end(self):
        program = self.folder / "bot"
        subprocess.run(["cc", *WARNINGS, "-o", program, SOURCE / "examples/bot.c"], check=True)
        for circuit in ["usa", "great-britain", "italy", "france"]:
            self.assertEqual(self.race(f"{program}:20000ms", "--circuit", circuit, cars=6)[0], "")

    def test_the_session_of_the_docs_is_what_happens(self):
        text = (SOURCE / "docs/BOT-PROTOCOL.md").read_text()
        session = re.search(r"```session\n(.*?)```", text, re.S)[1]
        session = re.sub("^(> go .*) 1000$", r"\1 20000", session, flags=re.M)
        (self.folder / "session").write_text(session)
        player = self.bot(f"""
for line in open({str(self.folder / "session")!r}):
    if line.startswith("<"): say(line[2:])
    else:
        found = sys.stdin.readline()
        if found != line[2:]:
            open({str(self.folder / "differs")!r}, "w").write(line[2:] + found)
            break
else:
    open({str(self.folder / "done")!r}, "w")
""")
        differs = self.folder / "differs"
        for _ in range(TRIES):
            errors, _ = self.race(f"{player}:20000ms,random", "--circuit", SOURCE / "tests/fixtures/one-corner.circuit",
                                  "--laps", 1, "--seed", 21)
            self.assertEqual((errors, differs.read_text() if differs.exists() else ""), ("", ""))
            if (self.folder / "done").exists():
                return
        self.fail("it never came to the end")

    def test_every_line_is_text_or_json_and_hides_the_cards_of_others(self):
        log = self.folder / "log"
        listener = self.bot(f"""
log = open({str(log)!r}, "w", 1)
def lines(source):
    for line in source:
        log.write(line)
        yield line
sys.stdin = lines(sys.stdin)
for n, acts in decisions(): say(f"# comment\\n\\n  {{n}}  {{acts[-1]}}\\r\\n" if acts[-1] != "retire" else f"{{n}} {{acts[0]}}\\n")
""")
        for _ in range(TRIES):
            self.assertEqual(self.race(f"rookie,{listener}:20000ms,rookie", cars=3)[0], "")
            if log.read_text().endswith("\nend\n"):
                break
        seen = hidden = 0
        for line in log.read_text().splitlines():
            word, _, rest = line.partition(" ")
            value = json.loads(rest) if word in ("race", "event", "view") else None
            if word == "view":
                self.assertEqual((value["seat"], len(value["cars"])), (1, 3))
                self.assertEqual(len(value["hand"]), value["cars"][1]["hand"])
                self.assertIn(value["may"]["step"], ("plan", "react", "slip", "discard"))
            if word == "event" and value["e"] == "draw":
                seen += value["car"] == 1
                hidden += value["car"] != 1
                self.assertEqual("?" in value["cards"], value["car"] != 1)
        self.assertGreater(min(seen, hidden), 3)
        self.assertTrue(log.read_text().startswith("hairpin bot 1\nrace {"))
        self.assertTrue(log.read_text().endswith("\nend\n"))


class Misbehaviour(Case):
    def test_hangs(self):
        self.misbehaves({SLOW: 3}, "time.sleep(1000)", 300, first="decision 1")

    def test_never_reads_and_cannot_be_asked_to_end(self):
        self.misbehaves({SLOW: 3}, "import signal; signal.signal(15, signal.SIG_IGN)\nwhile True: time.sleep(1)", 300)

    def test_exits_at_once(self):
        self.misbehaves({GONE: 1}, "")

    def test_exits_in_the_middle(self):
        self.misbehaves({GONE: 1}, "for n, acts in decisions():\n    if n == 9: break\n    say(f'{n} {acts[0]}\\n')")

    def test_dies_by_a_signal(self):
        self.misbehaves({GONE: 1}, "for n, acts in decisions(): os.kill(os.getpid(), 11)")

    def test_floods(self):
        self.misbehaves({TOO_MUCH: 3}, "while True: say('x' * 100000)", first=f"decision 1, “{'x' * 60}...”")

    def test_floods_with_comments(self):
        self.misbehaves({TOO_MUCH: 3}, "while True: say('# so\\n' * 20000)")

    def test_writes_bytes(self):
        self.misbehaves({RUBBISH: 3}, "for n, acts in decisions(): os.write(1, b'\\0\\xff\\n\\x80 \\0')\ntime.sleep(9)",
                        first="decision 1, “??”")

    def test_what_it_wrote_does_nothing_to_a_terminal(self):
        for wrote, shown in [
            (r"\33[2J\33]0;title\7\15 %s%n “é”", "?[2J?]0;title?? %s%n ????????"),
            (r"\t\x7f\x9b2J\u2028", "????2J???"),
            ("x" * 63, "x" * 63),
            ("x" * 64, "x" * 60 + "..."),
            ("é" * 1000, "?" * 60 + "..."),
        ]:
            self.misbehaves({RUBBISH: 1}, f"""
for n, acts in decisions():
    if n == 4: os.write(1, "{wrote}\\n".encode())
    say(f"{{n}} {{acts[0]}}\\n")""", stopped=False, first=f"decision 4, “{shown}”")

    def test_half_an_answer_is_told(self):
        self.misbehaves({RUBBISH: 1}, """
for n, acts in decisions():
    if n == 4: say('4 plan\\n')
    say(f'{n} {acts[0]}\\n')""", stopped=False, first="decision 4, “4 plan”")
        self.misbehaves({GONE: 1}, "for n, acts in decisions(): say(f'{n} pl'); sys.exit()", first="decision 1, “1 pl”")

    def test_writes_when_not_asked(self):
        self.misbehaves({RUBBISH: 1}, "for n, acts in decisions(): say(f'{n} {acts[0]}\\n' + 'hello\\n' * (n == 3))",
                        stopped=False, first="decision 4, “hello”")

    def test_answers_twice(self):
        self.misbehaves({RUBBISH: 3}, "for n, acts in decisions(): say(f'{n} {acts[0]}\\n' * 2)")

    def test_no_number_or_another(self):
        self.misbehaves({RUBBISH: 3}, "for n, acts in decisions(): say([acts[0], f'{n + 9} done', '0 done'][n % 3] + '\\n')")

    def test_plays_illegal_acts(self):
        self.misbehaves({ILLEGAL: 3}, "for n, acts in decisions(): say(f'{n} plan 4 5 5 5 5\\n')",
                        first="decision 1, “1 plan 4 5 5 5 5”")

    def test_a_second_answer_after_an_illegal_one_does_not_count(self):
        self.misbehaves({ILLEGAL: 1}, """
for n, acts in decisions():
    if n == 4: say('4 plan 4 5 5 5 5\\n')
    say(f'{n} {acts[0]}\\n')""", stopped=False)

    def test_a_flood_that_ends_with_a_line_takes_nothing_of_the_next_answer(self):
        # Of one line of 8194 bytes, 4097 are read for each of two decisions: then it is over, line feed and all.
        self.misbehaves({TOO_MUCH: 2}, """
for n, acts in decisions():
    if n == 4: say('x' * 5000)
    elif n == 5: say('x' * 3193 + '\\n')
    else: say(f'{n} {acts[0]}\\n')""", stopped=False)

    def test_legal_acts_that_lead_nowhere(self):
        # As fast as can be in second gear: it spins out at the same corner for ever.
        self.misbehaves({LOST: 1}, """
for n, acts in decisions():
    second = [act for act in acts if act.startswith('plan 2') and 'H' not in act]
    say(f'{n} {(second or acts)[-1]}\\n')""")

    def test_answers_late_once(self):
        # The answer to 4 comes while 5 is asked; it is not taken for it, and from then on all is well.
        self.misbehaves({SLOW: 1}, """
for n, acts in decisions():
    if n == 4:
        late = f'4 {acts[0]}\\n'
        continue
    if n == 5: say(late)
    say(f'{n} {acts[0]}\\n')""", 8000, stopped=False)  # all others are in time, though the machine stalls

    def test_half_a_line_late(self):
        self.misbehaves({SLOW: 1}, """
for n, acts in decisions():
    if n == 4:
        say('4 ')
        continue
    if n == 5: say('do'); time.sleep(0.02); say('ne\\n')
    say(f'{n} {acts[0]}\\n')""", 8000, stopped=False, first="decision 4, “4 ”")

    def test_closes_its_output(self):
        self.misbehaves({GONE: 1}, "next(decisions()); os.close(1); time.sleep(1000)")

    def test_closes_its_input(self):
        self.misbehaves({GONE: 1}, "for n, acts in decisions():\n    say(f'{n} {acts[0]}\\n')\n    if n == 3: break\n"
                        "os.close(0); time.sleep(1000)")

    def test_leaves_a_child_that_holds_its_output(self):
        self.misbehaves({GONE: 1}, "child()\nnext(decisions())", 8000)  # all of which it takes

    def test_a_child_of_a_good_bot_does_not_stay(self):
        bot = self.bot("child()\nfor n, acts in decisions(): say(f'{n} {acts[0]}\\n')")
        self.assertEqual(self.race(f"{bot}:20000ms,rookie")[0], "")
        self.assertEqual(len(self.pids.read_text().split()), 2)

    def test_one_bad_bot_among_others_is_named(self):
        good = self.bot("for n, acts in decisions(): say(f'{n} {acts[0]}\\n')", "good")
        bad = self.bot("say('what?\\n' * 3)\ntime.sleep(9)", "bad")
        errors, _ = self.race(f"{good}:20000ms,{bad}:200ms,rookie", cars=3)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn(f"car 1, “{bad}:200ms”", errors)


class Home(Case):
    """Who is home is asked nothing more, and does nothing wrong by taking its time, or leaving."""

    def finishes(self, then):
        loop = "    for line in sys.stdin:\n"
        example = (SOURCE / "examples/bot.py").read_text()
        self.assertIn(loop, example)
        bot = self.bot(example.replace(loop, f"""{loop}        if line.startswith('event {{"e":"finish","car":0'): {then}
"""))
        self.assertEqual(self.race(f"{bot}:20000ms,null,null,null,null,null", "--laps", 9, "--circuit", "usa", cars=6)[0], "")

    def test_reads_no_more_for_a_while(self):
        self.finishes("time.sleep(0.2)")

    def test_leaves(self):
        self.finishes("break")


class Ending(Case):
    """What programs have started is gone with hairpin, however it ends."""
    HANGS = "child()\nfor _ in decisions():\n    open('ASKED', 'w').close()\n    time.sleep(600)"

    def setUp(self):
        super().setUp()
        self.addCleanup(self.kill_all, self.pids)
        soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))  # of SIGQUIT
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, (soft, hard))

    def kill_all(self, pids):
        for pid in pids.read_text().split() if pids.exists() else []:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def bot(self, text, name="bot"):
        return super().bot(text.replace("ASKED", str(self.asked)), name)

    def start(self, *arguments, ignored=(), **more):
        """Until a bot is asked something."""
        def dispositions():
            for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

        self.asked.unlink(missing_ok=True)
        self.pids.unlink(missing_ok=True)
        process = subprocess.Popen([HAIRPIN, *map(str, arguments)], text=True, preexec_fn=dispositions,
                                   env={**os.environ, "LANGUAGE": "en", "XDG_DATA_HOME": str(self.folder)},
                                   **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **more})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None and not self.asked.exists():
            time.sleep(0.01)
        return process

    def is_gone(self):
        pids = self.pids.read_text().split()
        self.assertGreaterEqual(len(pids), 2)
        for pid in pids:
            self.assertTrue(dead(pid), f"process {pid} is left")

    def test_a_demo_that_a_signal_ends(self):
        bot = self.bot(self.HANGS)
        for ending in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
            process = self.start("demo", "--cars", 2, "--bots", f"{bot}:600000ms,rookie")
            process.send_signal(ending)
            self.assertEqual(process.wait(60), -ending)
            self.is_gone()

    def test_a_demo_that_nobody_reads(self):
        closed = self.folder / "closed"
        bot = self.bot(f"""child()
for n, acts in decisions():
    open('ASKED', 'w').close()
    while not os.path.exists({str(closed)!r}): time.sleep(0.01)
    say(f'{{n}} {{acts[0]}}\\n')""")
        process = self.start("demo", "--cars", 2, "--bots", f"{bot}:600000ms,rookie", stdout=subprocess.PIPE)
        process.stdout.close()
        closed.touch()
        self.assertEqual(process.wait(60), -signal.SIGPIPE)
        self.is_gone()

    def test_what_is_ignored_stays_so(self):
        bot = self.bot(self.HANGS)
        for command in ["demo", "arena"]:
            process = self.start(command, "--cars", 2, "--bots", f"{bot}:600000ms,rookie", ignored=[signal.SIGHUP])
            process.send_signal(signal.SIGHUP)  # it would come first
            process.send_signal(signal.SIGQUIT)
            self.assertEqual(process.wait(60), -signal.SIGQUIT)
            self.is_gone()

    def test_an_arena_that_a_signal_ends(self):
        bot = self.bot(self.HANGS)
        out = self.folder / "out"
        for ending, times in [(signal.SIGHUP, 1), (signal.SIGQUIT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 2)]:
            process = self.start("arena", "--cars", 2, "--jobs", 2, "--bots", f"{bot}:600000ms,rookie", "--out", out)
            status = Path(f"/proc/{process.pid}/status")
            for _ in range(times):
                while not re.search("^ShdPnd:\t0+$", status.read_text(), re.M):
                    time.sleep(0.01)  # else the second might be one with the first
                process.send_signal(ending)
            self.assertEqual(process.wait(60), -ending)
            self.is_gone()
            self.assertEqual(len(out.read_text().splitlines()), 1)  # no race counts that was cut short

    def leave(self, bots, how, code):
        """Leaves a race whose program hangs; the race is kept."""
        process = self.start("race", "--lines", "--laps", 1, "--seed", 5, "--vs", bots, stdin=subprocess.PIPE)
        began = time.monotonic()
        if how == "quit":
            process.stdin.write("quit\n")
            process.stdin.flush()
        else:
            process.send_signal(how)
        self.assertEqual(process.wait(300), code)
        self.assertLess(time.monotonic() - began, 30)  # of 600 seconds
        process.stdin.close()
        self.is_gone()
        races = self.folder / "hairpin/races"
        [kept] = races.glob("*.table")
        again = subprocess.run([HAIRPIN, "race", "--go-on"], input="quit\n", capture_output=True, text=True, timeout=60,
                               env={**os.environ, "LANGUAGE": "en", "XDG_DATA_HOME": str(self.folder)})
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertIn("Round 1", again.stdout)
        kept.unlink()

    def test_leaving_a_race_does_not_wait_for_a_decision(self):
        bot = self.bot(self.HANGS)
        for how, code in [("quit", 0), (signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)]:
            self.leave(f"{bot}:600000ms,rookie", how, code)

    def test_leaving_a_race_does_not_wait_for_what_has_left_the_group(self):
        apart = self.folder / "apart"
        bot = self.bot(f"""
end, begin = os.pipe()
if os.fork() == 0:
    os.setsid()
    open({str(apart)!r}, "a").write(str(os.getpid()) + "\\n")
    os.close(begin)
    time.sleep(1000)
os.close(begin)
os.read(end, 1)
""" + self.HANGS)
        self.addCleanup(self.kill_all, apart)
        self.leave(f"{bot}:600000ms,rookie", "quit", 0)

    def test_the_others_are_told_when_a_race_is_left(self):
        told = self.folder / "told"
        hangs = self.bot(self.HANGS)
        good = self.bot(f"""
n = 0
for n, acts in decisions(): say(f"{{n}} {{acts[0]}}\\n")
if n > 0: open({str(told)!r}, "w").close()""", "good")
        for _ in range(TRIES):
            self.leave(f"{good}:600000ms,{hangs}:600000ms", "quit", 0)
            if told.exists():
                return
        self.fail("it never came to the end")


class Starting(Case):
    @unittest.skipUnless(sys.platform == "linux", "elsewhere it finds its input closed, no more")
    def test_a_bot_does_not_outlive_a_hairpin_that_is_killed(self):
        bot = self.bot("for _ in decisions(): time.sleep(600)")
        for ending in [signal.SIGINT, signal.SIGHUP, signal.SIGKILL]:
            self.pids.unlink(missing_ok=True)
            process = subprocess.Popen([HAIRPIN, "demo", "--cars", "2", "--bots", f"{bot}:600000ms,rookie"],
                                       stdout=subprocess.DEVNULL)
            while process.poll() is None and not (self.pids.exists() and self.pids.read_text().endswith("\n")):
                time.sleep(0.01)
            process.send_signal(ending)
            self.assertEqual(process.wait(60), -ending)
            self.assertTrue(dead(self.pids.read_text().strip()), f"{ending}: it is left")

    def test_what_cannot_be_started_is_told(self):
        plain = self.folder / "plain"
        plain.write_text("no program")
        good = self.bot("for n, acts in decisions(): say(f'{n} {acts[0]}\\n')", "good")
        for spec in [plain, self.folder / "none", self.folder, f"{good}:0ms", f"{good}:900000ms", f"{good}:fast",
                     f"rookie,{plain}", f"{good},nobody", "rookie,", f"{good},{plain}"]:
            result = subprocess.run([HAIRPIN, "demo", "--bots", str(spec)], capture_output=True, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stdout), (2, ""), spec)
            self.assertTrue(result.stderr.startswith("hairpin: "), result.stderr)
        for pid in self.pids.read_text().split() if self.pids.exists() else []:
            self.assertTrue(dead(pid), f"process {pid} is left")

    def test_it_inherits_nothing(self):
        bot = self.bot(f"""
open({str(self.folder / "fds")!r}, "w").write(" ".join(os.listdir("/proc/self/fd")) + " " + str(os.getpgid(0) == os.getpid()))
for n, acts in decisions(): say(f'{{n}} {{acts[0]}}\\n')""")
        with open(self.folder / "secret", "w") as secret:
            subprocess.run([HAIRPIN, "demo", "--bots", f"{bot}:20000ms", "--cars", "1"], check=True, stdout=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, pass_fds=[secret.fileno()])
        fds = (self.folder / "fds").read_text().split()
        self.assertEqual(fds[-1], "True")
        # 0, 1, 2, the file being written and the folder being listed.
        self.assertLessEqual(len(fds) - 1, 5, fds)


if __name__ == "__main__":
    unittest.main()
