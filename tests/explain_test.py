"""hairpin explain: every legal act, best first, and the same text for the same seed."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

HAIRPIN = os.environ["HAIRPIN"]


def run(*arguments):
    return subprocess.run([HAIRPIN, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "LANGUAGE": "en"}, timeout=600)


def tables(text):
    """For each car that decides, its rows: act, chance to win, its error, place, Heat and races; and how it may go on."""
    found = []
    for line in text.splitlines():
        row = re.fullmatch(r"  (\S.*?) +([\d.]+) % +([\d.]+) +([\d.]+) +([\d.]+) +(\d+)", line)
        if re.fullmatch(r"Car \d", line):
            found.append(([], []))
        elif row:
            found[-1][0].append((row[1], *map(float, row.groups()[1:])))
        elif line.startswith("It may go on like this: "):
            found[-1][1].extend(line.removeprefix("It may go on like this: ").split(", "))
    return found


class Explain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.race = Path(folder.name) / "race-000001.race"
        result = run("sim", "--races", 1, "--cars", 3, "--laps", 1, "--record", folder.name)
        assert result.returncode == 0, result.stderr
        cls.acts = len(re.findall(r"^\d [a-z]", cls.race.read_text(), re.M))

    def explain(self, *arguments):
        result = run("explain", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_every_legal_act_is_there_once(self):
        for act in [0, 4, 8, 20]:
            shown = run("show", self.race, "--act", act).stdout.split("\nCar ")[1:]
            legal = [sorted(re.findall(r"^  (\S+(?: \S+)*)", part, re.M)) for part in shown]
            told = [sorted(row[0] for row in rows)
                    for rows, _ in tables(self.explain(self.race, "--act", act, "--playouts", 100))]
            self.assertTrue(legal)
            self.assertEqual(told, legal)

    def test_what_few_races_say_of_an_act_does_not_put_it_first(self):
        for seed in range(1, 9):
            for rows, _ in tables(self.explain(self.race, "--act", 0, "--playouts", 600, "--seed", seed)):
                self.assertGreater(len(rows), 12)  # so that there are some with fewer races
                self.assertGreater(rows[0][5], rows[-1][5])
                self.assertEqual(rows, sorted(rows, key=lambda row: (-row[5], -row[1], row[3])))

    def test_figures_are_those_of_races(self):
        for rows, line in tables(self.explain(self.race, "--act", 3)):
            for _, wins, error, place, heat, races in rows:
                self.assertTrue(0 <= wins <= 100 and 1 <= place <= 3 and 0 <= heat <= 7 and races > 0)
                won = round(wins * races / 100)
                share = (won + 2) / (races + 4)
                self.assertAlmostEqual(error, 196 * (share * (1 - share) / (races + 4)) ** 0.5, delta=0.06)
            self.assertTrue(line)

    def test_a_position_is_as_good_as_the_file(self):
        position = run("show", self.race, "--act", 0).stdout.splitlines()[0]
        self.assertEqual(self.explain(position, "--playouts", 200), self.explain(self.race, "--act", 0, "--playouts", 200))

    def test_a_position_has_no_acts_to_count(self):
        position = run("show", self.race, "--act", 0).stdout.splitlines()[0]
        for command in ["explain", "show"]:
            result = run(command, position, "--act", 3)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("“--act” goes with a race file", result.stderr)
        blank = self.race.parent / "a race file"
        blank.write_bytes(self.race.read_bytes())
        self.assertEqual(run("show", blank, "--act", 3).stdout, run("show", self.race, "--act", 3).stdout)
        self.assertIn("cannot open", run("show", self.race.parent / "no race file", "--act", 3).stderr)

    def test_a_file_tells_more_than_a_position_where_cards_were_seen_to_go(self):
        act = self.acts // 2
        position = run("show", self.race, "--act", act).stdout.splitlines()[0]
        texts = [self.explain(position, "--playouts", 400), self.explain(self.race, "--act", act, "--playouts", 400)]
        names = [[[row[0] for row in sorted(rows)] for rows, _ in tables(text)] for text in texts]
        self.assertEqual(names[0], names[1])
        self.assertNotEqual(texts[0], texts[1])

    def test_the_same_seed_gives_the_same_text(self):
        texts = [self.explain(self.race, "--act", 5, "--playouts", 300, "--seed", seed) for seed in [4, 4, 5]]
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])

    def test_a_race_that_is_over_has_nothing_to_explain(self):
        self.assertEqual(self.explain(self.race, "--act", self.acts), "The race is over.\n")

    def test_what_is_not_there_is_told(self):
        for code, arguments in [(1, [self.race, "--act", self.acts + 1]), (2, [self.race, "--act", "x"]),
                                (1, [self.race.parent / "none.race", "--act", 0]), (1, ["no position at all"]),
                                (2, [self.race, "--playouts", 99]), (2, [])]:
            result = run("explain", *arguments)
            self.assertEqual(result.returncode, code, (arguments, result))
            self.assertRegex(result.stderr, "^(hairpin: |position:1: )")
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
