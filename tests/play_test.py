"""What `make play` does: a server on a free port, and the page in a browser."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

HAIRPIN = os.environ["HAIRPIN"]
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])


class Play(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hairpin-play-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.started = 0

    def start(self, *options, **variables):
        """A server; the address that it says. Programs that would open a browser leave what they were given."""
        self.started += 1
        bin = self.folder / "bin"
        bin.mkdir(exist_ok=True)
        for name in ("xdg-open", "my browser"):
            program = bin / name
            program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\" > {self.folder}/opened.new\n"
                               f"mv {self.folder}/opened.new {self.folder}/opened\nsleep 5\n")
            program.chmod(0o755)
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
        environment |= {"PATH": f"{bin}:{os.environ['PATH']}", **variables}
        process = subprocess.Popen([HAIRPIN, "serve", "--lang", "en", "--port", "0", "--data",
                                    self.folder / f"data{self.started}", *options], env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop, process)
        line = process.stdout.readline()
        port = re.fullmatch(r"hairpin serves at \S+(?::(\d+)/| \(here: port (\d+)\)), with its data in .*\n", line)
        self.assertIsNotNone(port, line)
        number = int(port[1] or port[2])
        return process, f"http://127.0.0.1:{number}/", number

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 0)
        process.stdout.close()

    def opened(self):
        for _ in range(1200):
            if (self.folder / "opened").exists():
                program, *arguments = (self.folder / "opened").read_text().splitlines()
                return pathlib.Path(program).name, arguments
            time.sleep(0.05)
        return None

    def test_a_free_port(self):
        first, address, port = self.start()
        self.assertGreaterEqual(port, 8080)
        with urllib.request.urlopen(address, timeout=60) as answer:
            self.assertEqual(answer.read(), (SOURCE / "web/index.html").read_bytes())
        with socket.socket() as s:  # somebody may have taken all others, but not this one
            self.assertEqual(s.connect_ex(("127.0.0.1", port)), 0)
        self.assertNotEqual(self.start()[2], port)

    def test_the_desktop_opens_it(self):
        for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
            process, address, port = self.start("--open", **{variable: ":0"})
            self.assertEqual(self.opened(), ("xdg-open", [address]))
            self.stop(process)
            with socket.socket() as s:  # though the browser is still there
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.bind(("127.0.0.1", port))
            (self.folder / "opened").unlink()

    def test_the_browser_of_choice(self):
        _, address, _ = self.start("--open", BROWSER="my browser:lynx", DISPLAY=":0")
        self.assertEqual(self.opened(), ("my browser", [address]))

    def test_no_shell_reads_it(self):
        _, address, _ = self.start("--open", BROWSER=f"touch {self.folder}/opened; xdg-open")
        self.assertTrue(urllib.request.urlopen(address, timeout=60).read())
        time.sleep(0.5)
        self.assertFalse((self.folder / "opened").exists())

    def test_nothing_to_open_it_with_is_no_failure(self):
        for options, variables in [((), {"DISPLAY": ":0"}), (("--open",), {}), (("--open",), {"BROWSER": ""}),
                                   (("--open",), {"BROWSER": "/no/such/program"}),
                                   (("--open",), {"DISPLAY": ":0", "PATH": "/nowhere"})]:
            process, address, _ = self.start(*options, **variables)
            self.assertTrue(urllib.request.urlopen(address, timeout=60).read())
            self.stop(process)
            self.assertFalse((self.folder / "opened").exists(), (options, variables))

    def test_make_play_says_so(self):
        text = subprocess.run(["make", "-n", "-C", SOURCE, "play", "XDG_DATA_HOME=/nowhere/my data"],
                              capture_output=True, text=True, check=True).stdout
        self.assertIn("build/hairpin serve --port 0 --bind 0.0.0.0 --open --data '/nowhere/my data/hairpin'", text)

    def test_the_page_learns_where_others_find_it(self):
        def addresses(address):
            with urllib.request.urlopen(address + "api/server", timeout=60) as answer:
                return json.load(answer)["addresses"]

        self.assertEqual(addresses(self.start()[1]), [])  # this machine alone
        self.assertEqual(addresses(self.start("--public-url", "https://race.example.org")[1]),
                         ["https://race.example.org/"])
        process, address, _ = self.start("--bind", "0.0.0.0")
        for each in addresses(address):
            self.assertNotIn("//127.", each)
            self.assertEqual(addresses(each), [])  # nobody else is told about this machine's network
            self.assertIn(f"For others on this network: {each}\n", process.stdout.readline())


if __name__ == "__main__":
    unittest.main()
