"""The program from outside: what people type, what they see, what is left on the disk."""
import hashlib
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

HAIRPIN = os.environ["HAIRPIN"]
SOURCE = Path(os.environ["SOURCE_DIR"])
CIRCUITS = ["usa", "great-britain", "italy", "france"]


def run(*arguments, **more):
    environment = {**os.environ, "LANGUAGE": "en", "NO_COLOR": ""}
    return subprocess.run([HAIRPIN, *map(str, arguments)], capture_output=True, text=True, env=environment,
                          stdin=subprocess.DEVNULL, timeout=600, **more)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def good(self, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def bad(self, code, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotEqual(result.stderr, "")
        return result.stderr

    def record(self, *arguments):
        self.good("sim", "--record", self.folder / "races", *arguments)
        return sorted((self.folder / "races").iterdir())


class Help(Case):
    def test_help_names_every_command_and_each_has_its_own(self):
        text = self.good("help")
        self.assertEqual(text, self.good())
        for command in ["demo", "sim", "replay", "show", "explain", "circuits", "arena", "bench"]:
            self.assertIn(f"hairpin {command}", text)
            page = self.good("help", command)
            self.assertEqual(page, self.good(command, "--help"))
            self.assertIn(f"hairpin {command}", page)
        for option in ["--circuit", "--cars", "--laps", "--races", "--seed", "--events", "--record", "--jobs", "--json"]:
            self.assertIn(option, self.good("help", "sim"))

    def test_limits_in_help_are_those_there_are(self):
        for command, option, given in [("sim", "jobs", []), ("arena", "jobs", ["--bots", "null"]),
                                       ("explain", "playouts", ["-"])]:
            low, high = re.search(rf"--{option} .*?(\d+) to (\d+)", self.good("help", command)).groups()
            for wrong in [int(low) - 1, int(high) + 1]:
                self.assertIn(f"from {low} to {high}", self.bad(2, command, f"--{option}={wrong}", *given))

    def test_version_is_the_headers(self):
        header = (SOURCE / "include/hairpin.h").read_text()
        version = re.search(r'HP_VERSION "(.*)"', header).group(1)
        self.assertEqual(self.good("--version"), f"hairpin {version}\n")

    def test_slips_of_the_finger_get_a_suggestion_and_exit_code_2(self):
        self.assertIn("“--races”", self.bad(2, "sim", "--racse", "3"))
        self.assertIn("“sim”", self.bad(2, "smi"))
        self.assertIn("“italy”", self.bad(1, "sim", "--circuit", "itlay"))
        self.bad(2, "sim", "--no-such-thing")
        self.bad(2, "sim", "-x")
        self.bad(2, "sim", "--races")
        self.bad(2, "sim", "--json=yes")
        self.bad(2, "sim", "extra")
        self.bad(2, "replay")
        self.bad(2, "--lang", "xx", "help")
        self.bad(2, "help", "nothing")
        self.assertIn("“--version”", self.bad(2, "--verion"))
        self.assertIn("“-x”", self.bad(2, "sim", "-x"))
        self.assertEqual(self.good("help", "help"), self.good("help"))
        self.assertEqual(self.good("sim", "-h"), self.good("help", "sim"))

    def test_numbers_out_of_range_are_named(self):
        for option, value in [("cars", 0), ("cars", 7), ("laps", 0), ("laps", 10), ("races", 0), ("races", "many"),
                              ("races", "-1"), ("races", "99999999999999999999"), ("jobs", 0), ("seed", "1x"),
                              ("seed", ""), ("handicap", "3"), ("handicap", "0,0,0,0,0,0,0"), ("handicap", "")]:
            self.assertIn(f"--{option}", self.bad(2, "sim", f"--{option}", value))

    def test_every_language(self):
        pages = {language: self.good("--lang", language, "help", "sim") for language in "en da nl de fr el".split()}
        self.assertEqual(len(set(pages.values())), 6)
        self.assertEqual(pages["da"], self.good("help", "--lang=da", "sim"))
        self.assertEqual(pages["da"], self.good("sim", "--help", "--lang", "da"))
        for environment, page in [({"LC_ALL": "C", "LANGUAGE": "de"}, "en"), ({"LANGUAGE": "xx:fr"}, "fr"),
                                  ({"LANG": "en_GB.UTF-8", "LANGUAGE": "nl"}, "nl"), ({"LANG": "xx"}, "en")]:
            spoken = subprocess.run([HAIRPIN, "help", "sim"], capture_output=True, text=True, env=environment)
            self.assertEqual(spoken.stdout, pages[page])
        german = subprocess.run([HAIRPIN, "help", "sim"], capture_output=True, text=True,
                                env={"LANG": "de_DE.UTF-8"}, timeout=600)
        self.assertEqual(german.stdout, pages["de"])

    def test_a_full_disk_is_told(self):
        if Path("/dev/full").exists():
            with open("/dev/full", "w") as full:
                result = subprocess.run([HAIRPIN, "help"], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("/dev/full", self.bad(1, "sim", "--races", 40, "--events", "/dev/full"))
        self.bad(1, "sim", "--races", 1, "--events", self.folder / "none" / "x")
        self.bad(1, "sim", "--races", 1, "--record", self.folder / "none" / "x")


class Sim(Case):
    def log(self, name, *arguments):
        self.good("sim", "--events", self.folder / name, *arguments)
        return (self.folder / name).read_bytes()

    def test_the_same_seed_gives_the_same_log_whatever_the_jobs(self):
        common = ["--circuit", "france", "--cars", 5, "--laps", 1, "--races", 150, "--seed", 7]
        one = self.log("1", *common, "--jobs", 1)
        self.assertEqual(one, self.log("2", *common, "--jobs", 2))
        self.assertEqual(one, self.log("5", *common, "--jobs", 5))
        self.assertNotEqual(one, self.log("other", *common[:-1], 8))
        # A shorter run is the beginning of a longer one.
        self.assertTrue(one.startswith(self.log("short", *common, "--races", 40)))

    def test_the_log_is_json_and_agrees_with_the_summary(self):
        for circuit in CIRCUITS:
            summary = json.loads(self.good("sim", "--circuit", circuit, "--races", 20, "--json", "--handicap", "0,1,2",
                                           "--events", self.folder / "log"))
            events = [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
            self.assertEqual(events[0]["e"], "race")
            self.assertEqual(events[0]["track"], circuit)
            self.assertEqual(events[0]["heat"], [6, 5, 4, 6, 6, 6])
            self.assertEqual(sum(e["e"] == "end" for e in events), summary["races"])
            self.assertEqual(sum(e["rounds"] for e in events if e["e"] == "end"), summary["rounds"])
            self.assertEqual(sum(e["e"] == "spin" for e in events), summary["spins"])
            self.assertEqual(sum(e["e"] == "reveal" for e in events), summary["turns"])
            self.assertEqual(sum(e["paid"] for e in events if e["e"] == "corner"), summary["heat_corners"])
            self.assertEqual(sum(e["to"]["at"] < e["from"]["at"] + e["spaces"] for e in events if e["e"] == "move"),
                             summary["blocked"])
            self.assertEqual(sum(summary["wins_by_slot"]), 20)

    def test_to_standard_output_goes_the_log_and_nothing_else(self):
        log = self.log("file", "--races", 3)
        self.assertEqual(self.good("sim", "--races", 3, "--events", "-").encode(), log)

    def test_memory_is_bounded_whatever_the_races(self):
        if os.environ["SANITIZED"] == "1":
            self.skipTest("sanitizers keep what is freed")
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        used = subprocess.run(["python3", "-c", code, HAIRPIN, "sim", "--laps", "9", "--races", "600", "--jobs", "2",
                               "--events", "/dev/null"], capture_output=True, text=True, timeout=600)
        self.assertLess(int(used.stdout), 150000)  # KB; eight batches of some 9 MB are in the making

    def test_progress_is_shown_on_a_terminal_only(self):
        master, slave = pty.openpty()
        sim = subprocess.Popen([HAIRPIN, "sim", "--races", "1000000", "--laps", "9"], stdout=subprocess.DEVNULL,
                               stderr=slave, env={**os.environ, "LANGUAGE": "en"})
        os.close(slave)
        seen = b""
        while b"s left" not in seen:  # which is not said before a race is over
            seen += os.read(master, 1000)
        sim.send_signal(signal.SIGINT)
        try:
            while True:
                more = os.read(master, 1000)
                if not more:
                    break
                seen += more
        except OSError:
            pass
        self.assertEqual(sim.wait(timeout=300), 130)
        os.close(master)
        self.assertRegex(seen.decode(), r"\d+ of 1000000 races, \d+ s left")
        self.assertIn("interrupted after", seen.decode())

    def test_interrupted_it_keeps_whole_races(self):
        sim = subprocess.Popen([HAIRPIN, "sim", "--races", "1000000", "--jobs", "2", "--json", "--events",
                                str(self.folder / "log")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not (self.folder / "log").exists() or (self.folder / "log").stat().st_size < 1000000:
            self.assertIsNone(sim.poll())
            time.sleep(0.05)
        sim.send_signal(signal.SIGINT)
        out, _ = sim.communicate(timeout=300)
        self.assertEqual(sim.returncode, 130)
        events, line = [], ""
        with open(self.folder / "log") as log:  # line by line: gigabytes, should we have been slow to stop it
            for line in log:
                if line.startswith(('{"e":"race"', '{"e":"end"')):
                    events.append(line[:12])
        self.assertTrue(line.endswith("}\n"))
        self.assertEqual(len(events), 2 * json.loads(out)["races"])
        self.assertTrue(events[-1].startswith('{"e":"end"'))

    def test_a_circuit_of_ones_own(self):
        fixture = SOURCE / "tests/fixtures/one-corner.circuit"
        self.good("sim", "--circuit", fixture, "--races", 5, "--events", self.folder / "log")
        race = json.loads((self.folder / "log").read_text().splitlines()[0])
        self.assertEqual(len(race["corners"]), 1)
        self.assertIn("no-such-file", self.bad(1, "sim", "--circuit", "./no-such-file"))
        (self.folder / "corner").write_text(fixture.read_text())
        (self.folder / "usa").write_text("rubbish")  # one that is built in goes first
        (self.folder / "itly").mkdir()
        for name in ["corner", "usa"]:
            self.good("sim", "--circuit", name, "--races", 5, cwd=self.folder)
        self.assertIn("“italy”", self.bad(1, "sim", "--circuit", "itly", cwd=self.folder))


    def test_no_race_is_recorded_that_could_not_be_read(self):
        other = self.folder / "usa.circuit"
        text = (SOURCE / "circuits/usa.circuit").read_text()
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("canvas", "point")))
        other.write_text(text.replace("spaces 69", "spaces 70"))
        self.assertIn("races", self.good("sim", "--circuit", other, "--races", 4))
        for command in ["sim"], ["arena", "--bots", "driver"]:
            complaint = self.bad(1, *command, "--circuit", other, "--races", 4, "--record", self.folder / "records")
            self.assertIn("not the figures of the circuit “usa”", complaint)


class Replay(Case):
    def test_recorded_races_verify_and_expand_to_the_same_log(self):
        files = self.record("--races", 12, "--seed", 3, "--circuit", "italy", "--cars", 4, "--handicap", "0,2",
                            "--events", self.folder / "all")
        self.assertEqual(len(files), 12)
        expanded = ""
        for file in files:
            self.assertIn("every hash matches", self.good("replay", file, "--verify"))
            self.good("replay", file, "--events", self.folder / "one")
            expanded += (self.folder / "one").read_text()
        self.assertEqual(expanded, (self.folder / "all").read_text())
        self.assertEqual(self.good("replay", files[0], "--events", "-"), expanded[:expanded.index('{"e":"race"', 9)])

    def test_it_names_the_first_line_that_is_wrong(self):
        file = self.record("--races", 1)[0]
        lines = file.read_text().splitlines()
        acts = [i for i, line in enumerate(lines) if re.match(r"\d plan", line)]
        rounds = [i for i, line in enumerate(lines) if line.startswith("round")]
        seed = next(i for i, line in enumerate(lines) if line.startswith("seed"))

        def spoil(at, text):
            file.write_text("\n".join(lines[:at] + text + lines[at + 1:]) + "\n")
            return self.bad(1, "replay", file, "--verify")

        self.assertIn(f"{file}:{acts[0] + 1}:", spoil(acts[0], ["0 plan 4 1 2 3 4"]))
        self.assertIn("R3.2", spoil(acts[0], ["0 plan 4 1 2 3 4"]))
        self.assertIn(f"{file}:{rounds[2] + 1}:", spoil(rounds[2], ["round 3 0000000000000000"]))
        self.assertIn(f"{file}:{rounds[1] + 1}:", spoil(rounds[1], []))
        self.assertIn(f"{file}:{seed + 1}:", spoil(seed, ["seed " + "0" * 64]))
        self.assertIn(f"{file}:{len(lines)}:", spoil(len(lines) - 1, ["end 0 0"]))
        file.write_text("\n".join(lines[:-1]) + "\n")
        for more in [[], ["--events", "-"], ["--events", self.folder / "log"]]:
            result = run("replay", file, "--verify", *more)
            self.assertEqual(result.returncode, 1, more)
        file.write_text("\n".join(lines[:rounds[3] + 1]) + "\n")
        self.assertIn("not over", self.good("replay", file, "--verify"))

    def test_a_mixed_shuffle_is_checked(self):
        self.assertNotIn("shuffle", self.good("replay", self.record("--races", 1)[0], "--verify"))
        mixed = SOURCE / "tests/fixtures/races/usa-3-cars-mixed.race"
        self.assertIn("the shuffle is as committed to", self.good("replay", mixed, "--verify"))
        lines = mixed.read_text().splitlines()
        file = self.folder / "spoiled"

        def where(key):
            return next(i for i, line in enumerate(lines) if line.startswith(key))

        def spoil(key):
            at = where(key)
            other = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
            file.write_text("\n".join(lines[:at] + [other] + lines[at + 1:]) + "\n")
            return self.bad(1, "replay", file, "--verify")

        for key in ["commitment", "secret"]:
            self.assertRegex(spoil(key), f"{file}:{where('secret') + 1}:.* “secret” is not the one .* committed to")
        for key in ["salt 0", "salt 2", "seed"]:
            self.assertRegex(spoil(key), f"{file}:{where('seed') + 1}:.* the secret and the salts")

    def test_the_commands_in_the_manual_print_what_it_says(self):
        text = (SOURCE / "docs/RACE-FILES.md").read_text()
        commands = re.findall(r"^    printf (?:%s )?([0-9a-f ]+) \| xxd -r -p \| sha256sum$", text, re.MULTILINE)
        printed = [hashlib.sha256(bytes.fromhex(digits)).hexdigest() for digits in commands]
        lines = [re.search(rf"^(\w+) {digits}$", text, re.MULTILINE) for digits in printed]
        self.assertEqual([line and line[1] for line in lines], ["commitment", "commitment", "seed"])

    def test_a_log_over_the_file_itself_loses_nothing(self):
        file = self.record("--races", 1)[0]
        log = self.good("replay", file, "--events", "-")
        self.good("replay", file, "--events", file)
        self.assertEqual(file.read_text(), log)
        # What cannot be replayed does not cost the log of yesterday either.
        (self.folder / "log").write_text(log)
        self.bad(1, "replay", self.folder / "missing", "--events", self.folder / "log")
        self.assertEqual((self.folder / "log").read_text(), log)

    def test_half_a_line_at_the_end_is_cut_off(self):
        file = self.record("--races", 1)[0]
        lines = file.read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if re.match(r"\d discard \d \d", line))
        file.write_text("".join(lines[:at]) + lines[at].rstrip()[:-2])
        self.assertIn(f"{file}:{at + 1}: the text ends too early", self.bad(1, "replay", file, "--verify"))
        file.write_text("".join(lines).rstrip())  # the last line says itself that it is whole
        self.good("replay", file, "--verify")

    def test_rubbish_is_refused_with_file_and_line(self):
        for content in [b"", b"\0\1\2", b"hairpin race 99\n", b"GIF89a" * 1000, b"\xff" * 300, b"x" * 100000]:
            (self.folder / "rubbish").write_bytes(content)
            self.assertIn("rubbish:", self.bad(1, "replay", self.folder / "rubbish"))
        self.bad(1, "replay", self.folder / "missing")
        self.bad(1, "replay", self.folder)

    def test_a_replay_shows_rounds_and_result(self):
        text = self.good("replay", self.record("--races", 1)[0])
        self.assertIn("Round 2\n", text)
        self.assertRegex(text, r"  1\. car \d\n")


class Show(Case):
    def test_a_moment_and_its_position_look_the_same(self):
        file = self.record("--races", 1, "--seed", 5)[0]
        for act in [0, 3, 6, 7, 8, 9, 40, 100]:
            moment = self.good("show", file, "--act", act)
            position = moment.splitlines()[0]
            self.assertEqual(moment, self.good("show", position))
            self.assertIn("legal act", moment)
        self.assertIn("has only", self.bad(1, "show", file, "--act", 100000))

    def test_outcomes_are_told(self):
        text = self.good("show", "usa 1 1 0 plan 8.0/3/6/1234HSS/*/-/-")
        self.assertIn("plan 3 2 3 4        speed 9, to 17-, pays 2 Heat, 4 left", text)
        self.assertIn("cards are turned over", text)
        spins = self.good("show", "usa 1 1 0 plan 8.0/3/0/1234HSS/*/-/-")
        self.assertIn("spins out and takes 2 stress cards", spins)

    def test_a_position_that_cannot_be_is_refused(self):
        self.assertIn("position:", self.bad(1, "show", "usa 1 1 0 plan 8.0/3/6/11111HS/*/-/-"))
        self.bad(1, "show", "not a position")
        good = "oval=40,6,3,20/5 1 1 0 plan 8.0/3/6/1234HSS/*/-/-"
        self.good("show", good)
        for wrong in ["40,6,", "40,6,3,", "40,6,3,20/5,"]:
            self.bad(1, "show", good.replace("40,6,3,20/5", wrong))
        self.bad(1, "show", "nofile")


class Circuits(Case):
    def test_the_list_has_the_figures(self):
        text = self.good("circuits")
        self.assertRegex(text, r"usa +USA +69 +2 +6 +3 +11:7 32:3 48:3 56:2\n")
        self.assertRegex(text, r"great-britain .* 14:10 29:6 36:5 42:4 47:3\n")

    def test_wrong_files_get_file_line_and_reason(self):
        good = (SOURCE / "circuits/usa.circuit").read_text()
        file = self.folder / "mine.circuit"
        file.write_text(good)
        self.assertIn("good circuit", self.good("circuits", "--check", file))
        spoilt = [("spaces 69", "spaces 12", "too short"), ("spaces 69", "spaces 40", "outside the lap"),
                  ("corner 32", "corner 11", "two corners"), ("limit 7", "limit 77", "from 1 to 20"),
                  ("heat 6", "heat 999999999999", "heat"), ("laps 2", "lapps 2", "unknown key"),
                  ("stress 3\n", "", "missing")]
        for old, new, reason in spoilt:
            file.write_text(good.replace(old, new, 1))
            message = self.bad(1, "circuits", "--check", file)
            self.assertIn(reason, message)
            self.assertRegex(message, r"mine\.circuit:\d+:")
        file.write_bytes(bytes(range(256)))
        self.assertIn("not text", self.bad(1, "circuits", "--check", file))


class Demo(Case):
    def test_a_race_from_grid_to_result(self):
        for bot in ["rookie", "random", "null"]:
            text = self.good("demo", "--seed", 1, "--bots", bot)
            self.assertIn("Round 1\n", text)
            self.assertRegex(text, r"  6\. car \d")
        self.assertEqual(self.good("demo", "--seed", 9), self.good("demo", "--seed", 9))
        self.bad(2, "demo", "--bots", "nobody")

    def test_it_says_who_drives_which_car(self):
        self.assertIn("\nWho drives which car: 0 rookie, 1 random, 2 champion:9, 3 rookie.\n",
                      self.good("demo", "--cars", 4, "--bots", "rookie,random,champion:9"))


class Docs(Case):
    def test_the_example_in_the_library_doc_is_the_example(self):
        self.assertIn((SOURCE / "examples/bot_race.c").read_text(), (SOURCE / "docs/LIBRARY.md").read_text())

    def test_what_the_readme_tells_to_type_works(self):
        text = (SOURCE / "README.md").read_text()
        commands = re.findall(r"^    build/hairpin (.*?)  +#", text, re.MULTILINE)
        self.assertGreater(len(commands), 5)
        for command in commands:
            if command == "serve":  # does not end by itself: server_test.py knows all about it
                self.assertIn("8080", self.good("help", "serve"))
            else:
                self.good(*command.split(), cwd=self.folder)

    def test_that_it_is_unofficial_is_said_once(self):
        self.assertEqual((SOURCE / "README.md").read_text().count("unofficial"), 1)


if __name__ == "__main__":
    unittest.main()
