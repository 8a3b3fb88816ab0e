"""Short codes: how somebody in the same room finds a table that waits for people."""
import json
import random
import time
import unittest

from live import FREE, Server

OPEN = {"kind": "open"}
ADA = {"kind": "person", "name": "Ada", "colour": "red"}
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


class Codes(unittest.TestCase):
    def setUp(self):
        self.server = Server(*FREE)
        self.addCleanup(self.server.close)

    def code_of(self, **more):
        opened = self.server.open_table([ADA, OPEN], **more)
        return opened["id"][:6], opened

    def refused(self, path, status=404, code="no_such_table", method="GET"):
        got, text = self.server.ask(method, path)
        self.assertEqual((got, json.loads(text)["code"]), (status, code), path)

    def test_a_code_finds_its_table(self):
        for listed in (False, True):
            code, opened = self.code_of(listed=listed)
            for written in (code, code.upper(), code.capitalize(), code.replace("1", "i").replace("0", "O"),
                            code.replace("1", "L").replace("0", "o")):
                self.assertEqual(self.server.get(f"/api/codes/{written}"), opened["table"])
        for path in ("", code[:5], code + "x", code + "/", "......", "uuuuuu", "%C3%A9" * 3,
                     opened["id"]):
            self.refused("/api/codes/" + path)
        self.refused("/api/codes", code="no_such_page")
        self.refused(f"/api/codes/{code}", 405, "wrong_method", "POST")

    def test_only_while_it_waits_for_people(self):
        code, opened = self.code_of()
        self.server.post(f"/api/tables/{opened['id']}/start", token=opened["tokens"][0]["token"], status=200)
        self.refused(f"/api/codes/{code}")
        self.assertEqual(self.server.get(f"/api/tables/{opened['id']}")["phase"], "racing")

    def test_after_a_restart(self):
        code, opened = self.code_of()
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.get(f"/api/codes/{code}")["id"], opened["id"])

    def test_no_two_have_the_same(self):
        codes = [self.code_of()[0] for _ in range(300)]
        self.assertEqual(len(set(codes)), 300)
        for code in random.sample(codes, 30):
            self.assertEqual(self.server.get(f"/api/codes/{code}")["id"][:6], code)

    def test_the_log_does_not_tell_it(self):
        code, opened = self.code_of()
        self.assertIn(opened["id"][-6:], self.server.said())
        self.assertNotIn(code, self.server.said())


class Guessing(unittest.TestCase):
    def test_wrong_codes_are_few(self):
        server = Server("--rate", 100, "--reserve", 1000)
        self.addCleanup(server.close)
        opened = server.open_table([ADA, OPEN])
        code = opened["id"][:6]
        for _ in range(50):  # right ones are not counted
            self.assertEqual(server.get(f"/api/codes/{code}")["id"], opened["id"])
        begun = time.monotonic()
        answers = [server.ask("GET", "/api/codes/" + "".join(random.choices(LETTERS, k=6)))[0] for _ in range(40)]
        passed = time.monotonic() - begun
        self.assertLessEqual(answers.count(404), 11 + passed / 6)
        self.assertGreaterEqual(answers.count(404), 10)
        self.assertEqual(set(answers), {404, 429})
        for _ in range(20):  # and those who guess do not hear of a right one, unless one more guess is theirs just then
            status, text = server.ask("GET", f"/api/codes/{code}")
            if status == 429:
                break
            server.ask("GET", "/api/codes/" + "".join(random.choices(LETTERS, k=6)))
        self.assertEqual((status, json.loads(text).get("code")), (429, "too_fast"))
        self.assertEqual(server.get(f"/api/tables/{opened['id']}")["id"], opened["id"])  # all else goes on


if __name__ == "__main__":
    unittest.main()
