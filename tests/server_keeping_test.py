"""What a server keeps and what it lets go: stored races that are damaged, old or of a wrong date."""
import contextlib
import shutil
import sqlite3
import time
import unittest

import live
from live import FREE, Server

OPEN = {"kind": "open"}
ROOKIE = {"kind": "bot", "level": "rookie"}


def person(name="Ada", colour="red"):
    return {"kind": "person", "name": name, "colour": colour}


def poll(what, seconds=20):
    """Waits until what() is true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it never came true")


@contextlib.contextmanager
def serving(*options):
    server = Server(*(options or FREE))
    try:
        yield server
        server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()
        shutil.rmtree(server.folder)


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
            self.assertEqual(look_up(server, "SELECT count(*) FROM entries"), 0)
            self.assertEqual(server.ask("GET", f"/api/tables/{id}/race"), race)


if __name__ == "__main__":
    unittest.main()
