"""A server in a folder of its own, and clients of it: what the tests of the server share."""
import base64
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HAIRPIN = os.environ["HAIRPIN"]
SANITIZED = os.environ.get("SANITIZED") == "1"
FREE = ["--rate", "0", "--address-connections", "0"]  # tests ask more than any person would


def free_port():
    """Below those that the system gives to clients: else one could take it while a server is down, even a client
    that knocks at the door (it would find itself). And above 10080, to which browsers do not go."""
    while True:
        port = random.randrange(10100, 32000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def person(name="Ada", colour="red", **more):
    return {"kind": "person", "name": name, "colour": colour, **more}


def poll(what, seconds=20):
    """Waits until what() is true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it never came true")


def certificate(folder):
    """A certificate for localhost that nobody trusts yet, and its key; None without openssl."""
    if shutil.which("openssl") is None:
        return None
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


class Server:
    """Starts at once; stop() must find it well, kill() is kill -9, start() again goes on with the same data."""

    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hairpin-live-"))
        self.options = options or FREE
        self.port = free_port()
        self.process = None
        self.start()

    def start(self):
        self.launch()
        self.wait()

    def command(self):
        return [HAIRPIN, "serve", "--port", str(self.port), "--data", str(self.folder / "data"), "--lang", "en",
                *map(str, self.options)]

    def launch(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log)

    def wait(self):
        """Until it listens."""
        for _ in range(300):
            if self.process.poll() is not None:
                raise AssertionError("the server ended: " + self.said())
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not listen: " + self.said())

    def said(self):
        return (self.folder / "log").read_text(errors="replace")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(30)
        self.log.close()
        if code != 0:
            raise AssertionError(f"the server ended with {code}: " + self.said())

    def close(self):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder)

    # ---- HTTP

    def ask(self, method, path, body=None, token=None, headers=(), raw=None):
        """The status and the text of the answer."""
        data = raw if raw is not None else json.dumps(body).encode() if body is not None else None
        if method == "POST" and data is None:
            data = b""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        for name, value in dict(headers).items():
            request.add_header(name, value)
        if token is not None:
            request.add_header("Authorization", "Bearer " + token)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path, status=200):
        code, text = self.ask("GET", path)
        assert code == status, (path, code, text)
        return json.loads(text)

    def post(self, path, body=None, token=None, status=201):
        code, text = self.ask("POST", path, body, token)
        assert code == status, (path, code, text)
        return json.loads(text)

    def open_table(self, seats, circuit="usa", laps=1, **more):
        return self.post("/api/tables", {"circuit": circuit, "laps": laps, "seats": seats, **more})

    def follow(self, id, token=None, since=0, **more):
        live = Socket(self.port, f"/api/tables/{id}/live", **more)
        try:
            live.send(f"seat {token} {since}" if token else f"watch {since}")
        except OSError:
            live.close()
            raise
        return live


class Closed(Exception):
    """The other side has closed; the code is in args[0], None when it just went away."""


class Socket:
    """A WebSocket. Keeps every byte that it received in received, for those who search it."""

    def __init__(self, port, path, headers=()):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.settimeout(30)
        self.received = bytearray()
        self.at = 0
        try:
            self._knock(port, path, headers)
        except (Closed, OSError):
            self.close()
            raise

    def _knock(self, port, path, headers):
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version: 13"]
        lines += [f"{name}: {value}" for name, value in dict(headers).items()]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.received:
            self._more()
        self.at = self.received.index(b"\r\n\r\n") + 4
        self.status = int(self.received.split(b" ", 2)[1])
        if self.status != 101:
            raise Closed(self.status)

    def _more(self):
        part = self.socket.recv(65536)
        if not part:
            raise Closed(None)
        self.received += part

    def _take(self, n):
        while len(self.received) < self.at + n:
            self._more()
        self.at += n
        return bytes(self.received[self.at - n:self.at])

    def send_frame(self, opcode, payload, final=True):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([(0x80 if final else 0) | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
        else:
            head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def send(self, line):
        self.send_frame(1, line.encode() if isinstance(line, str) else line)

    def ready(self, seconds):
        """Whether something is there to be read within that time."""
        return len(self.received) > self.at or bool(select.select([self.socket], [], [], seconds)[0])

    def next(self):
        """The next message."""
        return json.loads(self.next_text())

    def next_text(self):
        """The next message, as it came."""
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7f
            if size == 126:
                size = int.from_bytes(self._take(2), "big")
            elif size == 127:
                size = int.from_bytes(self._take(8), "big")
            payload = self._take(size)
            opcode = first & 15
            if opcode == 8:
                raise Closed(int.from_bytes(payload[:2], "big") if payload else None)
            if opcode == 9:
                self.send_frame(10, payload)
            elif opcode in (0, 1):
                text += payload
                if first & 0x80:
                    return text

    def until(self, kind, **wanted):
        """The next message of a kind, with these values; those before it are dropped."""
        while True:
            message = self.next()
            if message["m"] == kind and all(message.get(key) == value for key, value in wanted.items()):
                return message

    def close(self):
        self.socket.close()
