"""The arena from outside: that it is fair, that a run can be stopped and gone on with, what it refuses."""
import collections
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HAIRPIN = os.environ["HAIRPIN"]
SOURCE = Path(os.environ["SOURCE_DIR"])
CIRCUITS = ["usa", "great-britain", "italy", "france"]
ENVIRONMENT = {**os.environ, "LANGUAGE": "en"}


def run(*arguments, **more):
    return subprocess.run([HAIRPIN, "arena", *map(str, arguments)], capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=300, **more)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def good(self, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"\A(hairpin: “.*” has \d+ races? already, which (is|are) counted too\n)?\Z")
        return result.stdout

    def bad(self, code, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotEqual(result.stderr, "")
        return result.stderr

    def out(self, name, *arguments):
        self.good("--out", self.folder / name, *arguments)
        return (self.folder / name).read_bytes()

    def races(self, *arguments):
        name = "-".join(map(str, arguments)).replace(",", "-")
        head, *races = map(json.loads, self.out(name, *arguments).splitlines())
        return head, races


class Times(Case):
    def test_a_decision_by_the_clock_takes_as_long_as_it_may(self):
        text = self.good("--bots", "champion:20ms,driver", "--cars", 2, "--races", 10, "--laps", 1,
                         "--circuit", "usa", "--times", "--json")
        champion, driver = (bot["decisions"] for bot in json.loads(text)["bots"])
        self.assertGreater(champion["n"], 20)
        self.assertLessEqual(champion["mean_ms"], champion["longest_ms"])
        self.assertLessEqual(champion["p99_ms"], champion["longest_ms"])
        self.assertGreaterEqual(champion["longest_ms"], 19)  # something was hard to decide
        # A machine that stalls for seconds spoils the mean of a driver, one that is busy its slowest hundredth.
        self.assertGreater(driver["n"], 200)
        self.assertLess(min(driver["mean_ms"], driver["p99_ms"]), champion["mean_ms"])

    def test_nothing_is_said_of_times_unasked(self):
        arguments = ["--bots", "driver", "--cars", 1, "--races", 1, "--laps", 1]
        self.assertNotIn("decisions", self.good(*arguments))
        self.assertIn("Milliseconds", self.good(*arguments, "--times"))


class Fair(Case):
    def check(self, bots, cars, races):
        head, lines = self.races("--bots", ",".join(bots), "--cars", cars, "--races", races, "--laps", 1)
        self.assertEqual(head["bots"], bots)
        self.assertEqual(len(lines), -(-races // len(bots)) * len(bots))
        by_slot = collections.Counter()
        for index, line in enumerate(lines):
            self.assertEqual(line["race"], index)
            self.assertEqual(line["deal"], index // len(bots))
            self.assertEqual(line["circuit"], CIRCUITS[line["deal"] % 4])
            first = lines[line["deal"] * len(bots)]
            self.assertEqual(line["slots"], first["slots"])  # the same deal has the same grid
            self.assertEqual(sorted(line["places"]), list(range(1, cars + 1)))
            self.assertLessEqual(collections.Counter(line["bots"]).most_common(1)[0][1], -(-cars // len(bots)))
            by_slot.update(zip(line["bots"], line["slots"]))
        self.assertEqual(len(by_slot), len(bots) * cars)
        self.assertEqual(len(set(by_slot.values())), 1, by_slot)

    def test_every_bot_has_every_slot_equally_often(self):
        self.check(["rookie", "random", "null"], 6, 48)
        self.check(["rookie", "random"], 5, 31)
        self.check(["rookie", "random", "null", "null", "random"], 2, 41)
        self.check(["null"], 6, 8)

    def test_races_of_one_deal_have_the_same_decks(self):
        # Bots that always do the same make the same race of it whoever is called what.
        _, lines = self.races("--bots", "null,null,null", "--cars", 4, "--races", 24, "--circuit", "italy")
        for line in lines:
            first = lines[line["deal"] * 3]
            for key in ["slots", "places", "rounds", "spins", "heat"]:
                self.assertEqual(line[key], first[key])
        self.assertGreater(len({str(line["heat"]) for line in lines}), 4)  # deals differ

    def test_equal_bots_are_found_equal(self):
        table = json.loads(self.good("--bots", "rookie,rookie", "--cars", 2, "--races", 400, "--json"))
        for bot in table["bots"]:
            self.assertLess(bot["elo"]["low"], 1500)
            self.assertGreater(bot["elo"]["high"], 1500)

    def test_rookie_beats_random(self):
        table = json.loads(self.good("--bots", "rookie,random", "--cars", 2, "--races", 200, "--json"))
        rookie, random = table["bots"]
        self.assertEqual(rookie["races"], 200)
        self.assertGreater(rookie["win_share"]["low"], 0.9)
        self.assertLess(rookie["mean_place"]["high"], random["mean_place"]["low"])
        self.assertGreater(rookie["elo"]["low"], random["elo"]["high"])
        self.assertEqual(table["ahead"][0][1] + table["ahead"][1][0], 200)

    def test_figures_agree_with_the_lines(self):
        arguments = ["--bots", "rookie,random,null", "--cars", 5, "--races", 30, "--seed", 4, "--laps", 2]
        _, lines = self.races(*arguments)
        table = json.loads(self.good(*arguments, "--json"))
        for number, bot in enumerate(table["bots"]):
            own = [(line, car) for line in lines for car in range(5) if line["bots"][car] == number]
            self.assertEqual(bot["wins"], sum(line["places"][car] == 1 for line, car in own))
            self.assertEqual(bot["spins"], sum(line["spins"][car] for line, car in own))
            self.assertEqual(bot["heat"], sum(line["heat"][car] for line, car in own))
            self.assertEqual(bot["laps"], 2 * len(own))
            places = [line["places"][car] for line, car in own]
            self.assertAlmostEqual(bot["mean_place"]["value"], sum(places) / len(places), 5)


class Files(Case):
    COMMON = ["--bots", "rookie,random,null", "--cars", 4, "--laps", 1, "--seed", 9]

    def test_the_same_seed_gives_the_same_file_whatever_the_jobs(self):
        one = self.out("1", *self.COMMON, "--races", 90, "--jobs", 1)
        self.assertEqual(one, self.out("2", *self.COMMON, "--races", 90, "--jobs", 2))
        self.assertEqual(one, self.out("7", *self.COMMON, "--races", 90, "--jobs", 7))
        self.assertNotEqual(one, self.out("other", *self.COMMON[:-1], 10, "--races", 90))

    def test_more_races_go_on_where_fewer_ended(self):
        whole = self.out("whole", *self.COMMON, "--races", 60)
        self.out("parts", *self.COMMON, "--races", 12)
        self.assertEqual(self.out("parts", *self.COMMON, "--races", 60, "--jobs", 3), whole)
        self.assertEqual(self.out("parts", *self.COMMON, "--races", 12), whole)  # nothing is taken away
        self.assertEqual(self.good(*self.COMMON, "--races", 60),
                         self.good(*self.COMMON, "--races", 60, "--out", self.folder / "parts"))

    def test_a_run_that_was_interrupted_goes_on_to_the_same_bytes(self):
        path = self.folder / "stopped"
        process = subprocess.Popen([HAIRPIN, "arena", *map(str, self.COMMON), "--races", "900000", "--jobs", "2",
                                    "--out", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        while process.poll() is None and (not path.exists() or path.stat().st_size < 2000):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", complaint)
        stopped = path.read_bytes()
        self.assertTrue(stopped.endswith(b"\n"))
        arguments = [*self.COMMON, "--races", stopped.count(b"\n") + 60]
        whole = self.out("whole", *arguments, "--jobs", 2)
        self.assertTrue(whole.startswith(stopped))
        self.assertLess(len(stopped), len(whole))
        self.assertEqual(self.out("stopped", *arguments), whole)

    def test_an_interrupt_within_a_rotation_is_told(self):
        path = self.folder / "within"
        process = subprocess.Popen([HAIRPIN, "arena", "--bots", ",".join(["champion:100"] * 16), "--out", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        while process.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < 2):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        races = path.read_bytes().count(b"\n") - 1
        self.assertIn(f"interrupted after {races} race", complaint)
        self.assertEqual("not the last rotation" in complaint, races % 16 != 0, complaint)

    def test_the_second_interrupt_does_not_wait_for_a_decision(self):
        silent = self.folder / "silent.py"
        asked = self.folder / "asked"
        silent.write_text(f"""#!{sys.executable}
import sys
for line in sys.stdin:
    if line.startswith("go "):
        open({str(asked)!r}, "w").close()
""")
        silent.chmod(0o755)
        process = subprocess.Popen([HAIRPIN, "arena", "--bots", f"{silent}:600000ms,rookie", "--cars", "2"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        while process.poll() is None and not asked.exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.5)
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None and status.exists() and not re.search("^ShdPnd:\t0+$", status.read_text(), re.M):
            time.sleep(0.01)  # else the second might be one with the first
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, -signal.SIGINT)

    def test_two_at_a_time_do_not_write_one_file(self):
        path = self.folder / "shared"
        first = subprocess.Popen([HAIRPIN, "arena", *map(str, self.COMMON), "--races", "900000", "--out", str(path)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        try:
            while not path.exists() or path.stat().st_size < 2000:
                self.assertIsNone(first.poll())
                time.sleep(0.001)
            self.assertIn("another arena", self.bad(1, *self.COMMON, "--races", 12, "--out", path))
        finally:
            first.send_signal(signal.SIGINT)
            self.assertEqual(first.wait(300), 130)

    def test_a_line_that_is_cut_off_is_played_again(self):
        whole = self.out("whole", *self.COMMON, "--races", 12)
        head = whole.index(b"\n") + 1
        for length in [0, 10, head - 1, head, head + 1, head + 200, len(whole) - 1]:
            path = self.folder / "cut"
            path.write_bytes(whole[:length])
            result = run(*self.COMMON, "--races", 12, "--out", path)
            self.assertEqual((result.returncode, path.read_bytes()), (0, whole), length)
            self.assertEqual(f"the last line of “{path}” was cut off, and is dropped" in result.stderr,
                             length not in [0, head], length)

    def test_other_settings_are_refused_and_the_file_stays(self):
        path = self.folder / "file"
        before = self.out("file", *self.COMMON, "--circuit", "usa", "--races", 6)
        for option, value in [("bots", "rookie,random"), ("cars", 3), ("laps", 2), ("seed", 8), ("circuit", "italy"),
                              ("circuit", "all")]:
            settings = [*self.COMMON, "--circuit", "usa", "--out", path, f"--{option}", value]
            self.assertIn(f"(--{option})", self.bad(2, *settings))
            self.assertEqual(path.read_bytes(), before)

    def test_other_figures_under_the_same_name_are_other_settings(self):
        text = (SOURCE / "circuits/usa.circuit").read_text()
        circuit = self.folder / "usa.circuit"
        circuit.write_text(text)
        self.out("file", *self.COMMON, "--circuit", circuit, "--races", 6)
        self.out("file", *self.COMMON, "--circuit", "usa", "--races", 9)
        changed = re.sub(r"^heat( *[:=]? *)\d+", r"heat\g<1>3", text, flags=re.MULTILINE)
        self.assertNotEqual(changed, text)
        circuit.write_text(changed)
        self.bad(2, *self.COMMON, "--circuit", circuit, "--out", self.folder / "file")

    def test_rubbish_is_refused_with_its_place_and_left_alone(self):
        whole = self.out("good", *self.COMMON, "--races", 6)
        lines = whole.splitlines(keepends=True)
        path = self.folder / "rubbish"
        for rubbish, place in [
            (b"a diary\n", "1:1:"),
            (b"a diary without an end", "1:1:"),
            (whole[:-10] + b"\n", "7:"),
            (lines[0] + lines[2], "2:9:"),
            (lines[0] + lines[1] * 2, "3:9:"),
            (whole.replace(b'"places":[', b'"places":[9,', 1), "2:"),
            (whole + b"\n", "8:1:"),
            (whole + b"x" * 10000, "8:"),
            (lines[0] + lines[1].replace(b"}", b"} "), "2:"),
            (b"\0\xff\n" * 9, "1:1:"),
        ]:
            path.write_bytes(rubbish)
            self.assertIn(f"{path}:{place}", self.bad(1, *self.COMMON, "--out", path))
            self.assertEqual(path.read_bytes(), rubbish)
            self.assertIn(f"{path}:{place}", self.bad(1, "--merge", path))

    def test_what_cannot_be_written_is_told(self):
        self.bad(1, *self.COMMON, "--out", self.folder)
        self.bad(1, *self.COMMON, "--out", self.folder / "none" / "file")
        if Path("/dev/full").exists():
            self.bad(1, *self.COMMON, "--out", "/dev/full")

    def test_a_full_disk_leaves_whole_lines_to_go_on_from(self):
        whole = self.out("whole", *self.COMMON, "--races", 60)
        room = len(whole) // 2

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        path = self.folder / "parts"
        self.assertIn(str(path), self.bad(1, *self.COMMON, "--races", 60, "--out", path, preexec_fn=little_room))
        kept = path.read_bytes()
        self.assertTrue(whole.startswith(kept) and kept.endswith(b"\n"))
        self.assertGreater(len(kept), room - 500)
        self.assertEqual(self.out("parts", *self.COMMON, "--races", 60), whole)


class Merge(Case):
    def test_the_races_of_several_machines_are_counted_together(self):
        common = ["--bots", "rookie,random", "--cars", 4, "--laps", 1]
        files = []
        for seed, races in [(1, 20), (2, 30), (3, 10)]:
            files.append(self.folder / str(seed))
            self.good(*common, "--seed", seed, "--races", races, "--out", files[-1])
        apart = [json.loads(self.good("--merge", file, "--json")) for file in files]
        merged = json.loads(self.good("--merge", *files, "--json"))
        self.assertEqual(merged["races"], 60)
        self.assertEqual(merged["deals"], 30)
        for key in ["wins", "spins", "heat", "laps"]:
            self.assertEqual(merged["bots"][0][key], sum(table["bots"][0][key] for table in apart))
        self.assertEqual(self.good("--merge", files[0]),
                         self.good(*common, "--seed", 1, "--races", 20))
        self.assertIn("60 races", self.good("--merge", *files))

    def test_what_does_not_belong_together_is_refused(self):
        for name, bots, cars in [("a", "rookie,random", 2), ("b", "rookie,null", 2), ("c", "rookie,random", 3)]:
            self.good("--bots", bots, "--cars", cars, "--races", 2, "--laps", 1, "--out", self.folder / name)
        a, b, c = (self.folder / name for name in "abc")
        self.bad(2, "--merge", a, b)
        self.bad(2, "--merge", a, c)
        self.assertIn("same races", self.bad(2, "--merge", a, a))
        usa, italy, every = ([self.folder / circuit, "--circuit", circuit] for circuit in ["usa", "italy", "all"])
        for name, *circuit in [usa, italy, every]:
            self.good("--bots", "rookie,random", "--cars", 2, "--races", 8, "--laps", 1, *circuit, "--out", name)
        self.assertIn("16 races", self.good("--merge", usa[0], italy[0]))
        complaint = self.bad(2, "--merge", usa[0], italy[0], every[0])
        self.assertIn("same races", complaint)
        self.assertIn(str(every[0]), complaint)
        self.bad(2, "--merge")
        self.bad(2, "--merge", a, "--races", 5)
        self.bad(1, "--merge", self.folder / "none")
        a.write_bytes(a.read_bytes()[:-5])
        self.assertIn(f"{a}:3:", self.bad(1, "--merge", a))


class Usage(Case):
    def test_slips_of_the_finger(self):
        self.assertIn("--bots", self.bad(2))
        self.assertIn("“rooky”", self.bad(2, "--bots", "rookie,rooky"))
        self.bad(2, "--bots", "rookie,")
        self.bad(2, "--bots", 'a"b')
        self.bad(2, "--bots", "x" * 1000)
        self.bad(2, "--bots", ",".join(["null"] * 17))
        self.bad(2, "--bots", "null", "extra")
        self.bad(2, "--bots", "null", "--races", 0)
        self.assertIn("“italy”", self.bad(1, "--bots", "null", "--circuit", "itlay"))

    def test_sixteen_bots_and_one(self):
        self.good("--bots", ",".join(["null"] * 16), "--races", 1, "--laps", 1)
        self.assertNotIn("Elo", self.good("--bots", "rookie", "--cars", 1, "--races", 4))

    def test_a_program_that_fails_is_told_and_races_go_on(self):
        result = run("--bots", "rookie,/bin/cat:60000ms", "--cars", 2, "--races", 2, "--laps", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("“/bin/cat:60000ms” left decisions to rookie in 2 races (not an answer: 6; first: decision 1, "
                      "“hairpin bot 1”)", result.stderr)
        self.assertIn("2 races", result.stdout)
        result = run("--bots", "/bin/cat:60000ms,driver", "--cars", 2, "--races", 2, "--laps", 1, "--json")
        self.assertEqual([bot["helped"] for bot in json.loads(result.stdout)["bots"]], [2, 0])

    def test_a_bot_that_cannot_start_is_told_with_its_reason(self):
        plain = self.folder / "plain"
        plain.write_text("no program\n")
        astray = self.folder / "astray"
        astray.write_text("#!/no/such/interpreter\n")
        astray.chmod(0o755)
        for bot, reason in [(plain, "Permission denied"), (self.folder / "none", "No such file"),
                            (f"{astray}:500ms", "No such file"), (f"{self.folder}/none:5s", "No such file"),
                            ("/bin/cat:0ms", ":500ms"), ("/bin/cat:5s", ":500ms"), ("/bin/cat:500", ":500ms"),
                            ("/bin/cat:", ":500ms"), ("/bin/cat:ms", ":500ms"), ("nobody", "there is no bot “nobody”")]:
            self.assertIn(reason, self.bad(2, "--bots", f"{bot},driver", "--cars", 2))

    def test_who_is_no_bot_learns_who_is(self):
        for name in ["mine.py", "rooky", "mine.py:500ms", ""]:
            complaint = self.bad(2, "--bots", f"rookie,{name}", cwd=self.folder)
            self.assertIn(f"there is no bot “{name}”: there are null, random, rookie, driver, champion; a program needs a "
                          "slash, as “./mybot.py”", complaint)
        (self.folder / "mine.py").write_text("")
        for name in ["mine.py", "mine.py:500ms", "mine.py:5s"]:
            self.assertIn(f"“{name}”; did you mean the program “./{name}”?",
                          self.bad(2, "--bots", f"rookie,{name}", cwd=self.folder))

    def test_a_wrong_figure_is_told_with_its_limits(self):
        for name in ["champion:0", "champion:0ms", "champion:99999999999", "champion:1000000000ms", "champion:", "champion:5s",
                     "rookie:200ms", "null:"]:
            self.assertRegex(self.bad(2, "--bots", name), f"“{name}”: only a champion .*, 1 to 999999999\n")
        for name in ["champion:1", "champion:999999999", "champion:999999999ms"]:
            self.assertIn("“nobody”", self.bad(2, "--bots", f"{name},nobody"))

    def test_races_are_recorded_as_they_were_driven(self):
        records = self.folder / "records"
        common = ["--bots", "driver,random", "--cars", 2, "--laps", 1, "--out", self.folder / "out", "--record", records]
        self.good(*common, "--races", 2)
        self.good(*common, "--races", 8, "--jobs", 2)
        _, *races = map(json.loads, (self.folder / "out").read_text().splitlines())
        files = sorted(records.iterdir())
        self.assertEqual(len(files), 8)
        for race, file in zip(races, files):
            subprocess.run([HAIRPIN, "replay", str(file), "--verify"], check=True, stdout=subprocess.DEVNULL)
            lines = file.read_text().splitlines()
            self.assertIn(f"circuit {race['circuit']}", lines)
            for car, bot in enumerate(race["bots"]):
                self.assertIn(f"seat {car} handicap 0 {['driver', 'random'][bot]}", lines)
            self.assertEqual(race["rounds"], max(int(line.split()[1]) for line in lines if line.startswith("round ")))
        (self.folder / "file").write_text("")
        self.assertIn("cannot make the folder", self.bad(1, *common[:-1], self.folder / "file" / "in"))
        for command in ["arena", *common[:-4]], ["sim"]:
            result = subprocess.run([HAIRPIN, *map(str, command), "--record", self.folder / "file"], capture_output=True,
                                    text=True, env=ENVIRONMENT)
            self.assertEqual((result.returncode, result.stdout), (1, ""))  # before any race
            self.assertRegex(result.stderr, "cannot make the folder “.*file”: File exists")
        records.joinpath("race-000009.race").mkdir()
        self.assertIn("race-000009.race", self.bad(1, *common, "--races", 10))

    def test_the_example_in_the_doc_is_a_file(self):
        text = (SOURCE / "docs/ARENA.md").read_text()
        example = re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1)
        (self.folder / "example").write_text(example)
        command = re.search(r"^    hairpin arena (.* --out example\.jsonl)$", text, re.MULTILINE).group(1)
        self.good(*command.split(), cwd=self.folder)
        self.assertEqual((self.folder / "example.jsonl").read_text(), example)


if __name__ == "__main__":
    unittest.main()
