"""The page's files as the server gives them, and as `make site` writes them."""
import concurrent.futures
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

from live import FREE, SANITIZED, Server

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
SITE = pathlib.Path(os.environ["BINARY_DIR"]) / "site"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png",
         ".webmanifest": "application/manifest+json", ".mo": "application/octet-stream",
         ".circuit": "text/plain; charset=utf-8"}
CAREFUL = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "x-frame-options": "DENY",
           "cross-origin-resource-policy": "same-origin"}


def files():
    """All but api/server, which the program answers itself."""
    return sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*")
                  if path.is_file() and path != SITE / "api/server")


class Site(unittest.TestCase):
    """The folder."""

    def test_it_says_that_nobody_answers(self):
        self.assertIs(json.loads((SITE / "api/server").read_text())["addresses"], False)

    def test_it_has_all_that_the_page_needs(self):
        web = {path.relative_to(SOURCE / "web").as_posix() for path in (SOURCE / "web").rglob("*")
               if path.is_file() and "engine" not in path.relative_to(SOURCE / "web").parts[:-1]
               and not path.name.startswith(".") and not path.name.endswith("~")}
        circuits = {"circuits/" + path.name for path in (SOURCE / "circuits").glob("*.circuit")}
        words = {f"words/{path.stem}.mo" for path in (SOURCE / "po").glob("*.po")}
        self.assertEqual(set(files()) - {"engine.wasm"}, web | circuits | words)
        for name in web - {"service.js"}:
            self.assertEqual((SITE / name).read_bytes(), (SOURCE / "web" / name).read_bytes(), name)
        for name in circuits:
            self.assertEqual((SITE / name).read_bytes(), (SOURCE / name).read_bytes(), name)
        for name in files():
            self.assertIn(pathlib.PurePath(name).suffix, TYPES, "the server has no type for it")
            self.assertRegex(name, "^[a-z0-9/.-]+$")

    def test_what_the_page_refers_to_is_there(self):
        page = (SITE / "index.html").read_text()
        for name in re.findall(r'(?:src|href)="([^"#]+)"', page):
            self.assertTrue((SITE / name).is_file(), name)
        for path in SITE.glob("*.js"):
            for name in re.findall(r"""^(?:import|export)\b[^;'"]*['"]\./([^'"]+)['"]""", path.read_text(), re.M):
                self.assertTrue((SITE / name).is_file(), f"{path.name} imports {name}")

    def test_words_are_those_of_the_page(self):
        catalogue = (SITE / "words/de.mo").read_bytes()
        self.assertLess(len(catalogue), len(gzip.compress(catalogue)) * 10)
        text = subprocess.run(["msgunfmt", SITE / "words/de.mo"], capture_output=True, text=True, check=True).stdout
        self.assertIn('msgstr "Hitze"', text)
        self.assertIn("Plural-Forms: nplurals=2", text)
        self.assertNotIn("hairpin serves at", text)  # said by the program alone
        self.assertNotIn("POT-Creation-Date", text)  # the same texts make the same file

    def test_the_service_worker_knows_every_file(self):
        if not (SITE / "service.js").is_file():
            self.skipTest("there is none yet")
        worker = (SITE / "service.js").read_text()
        self.assertNotIn("@VERSION@", worker)
        self.assertNotIn("@FILES@", worker)
        names = [name for name in files() if name != "service.js"]
        self.assertIn(" ".join(names), worker)
        self.assertIn(" ".join(hashlib.sha256((SITE / name).read_bytes()).hexdigest()[:16] for name in names), worker)


@unittest.skipIf(SANITIZED, "the same files")
class Making(unittest.TestCase):
    """The same files make the same site, and another one another version."""

    def make(self, change=None):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="hairpin-site-"))
        self.addCleanup(shutil.rmtree, folder)
        web = folder / "web"
        shutil.copytree(SITE, web)
        for name in ("words", "circuits", "api"):
            shutil.rmtree(web / name)
        (web / "service.js").write_text("const version = '@VERSION@', files = '@FILES@'.split(' ');\n")
        if change:
            change(web)
        entries = [f"{path.name}={path}" for path in sorted(web.iterdir())]
        (folder / "list").write_text(";".join(entries))
        subprocess.run(["cmake", f"-DLIST={folder}/list", f"-DBUILD={folder}/out", f"-DPO={SOURCE}/po/de.po",
                        "-DXGETTEXT=xgettext", "-DGZIP=gzip", "-P", SOURCE / "cmake/site.cmake"], check=True)
        return (folder / "out/site/service.js").read_text()

    def test_versions(self):
        first = self.make()
        self.assertEqual(first, self.make())
        changed = self.make(lambda web: (web / "dom.js").write_text("// other\n"))
        version = re.compile("'([0-9a-f]{16})'")
        self.assertNotEqual(version.search(first)[1], version.search(changed)[1])
        self.assertEqual(version.sub("", first), version.sub("", changed))
        names = re.search("files = '(.*?)'", first)[1].split(" ")
        self.assertIn("words/de.mo", names)
        self.assertIn("index.html", names)
        self.assertNotIn("service.js", names)


class Case(unittest.TestCase):
    options = FREE

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options)
        cls.addClassCleanup(cls.server.close)

    def ask(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        self.addCleanup(connection.close)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()


class Served(Case):
    """The same files from the server."""

    def test_every_file_plain_and_packed(self):
        tags = set()
        for name in files():
            data = (SITE / name).read_bytes()
            for coding in (None, "gzip", "gzip, deflate, br, zstd", "identity", "gzip;q=0", "br;q=1.0, gzip; q=0.5"):
                answer, body = self.ask("/" + name, **({"Accept_Encoding": coding} if coding else {"Accept": "*/*"}))
                self.assertEqual(answer.status, 200, name)
                self.assertEqual(int(answer.getheader("content-length")), len(body))
                if answer.getheader("content-encoding") == "gzip":
                    self.assertTrue(coding and "gzip" in coding and "q=0" != coding[-3:], (name, coding))
                    self.assertLess(len(body), len(data))
                    body = gzip.decompress(body)
                elif coding and "gzip" in coding and "q=0" != coding[-3:]:
                    self.assertLessEqual(len(data), len(gzip.compress(data, 9)), name)
                self.assertEqual(body, data, name)
                tag = answer.getheader("etag")
                self.assertRegex(tag, '^"[0-9a-f]{32}"$')
                tags.add((tag, name))
                self.assertEqual(answer.getheader("content-type"), TYPES[pathlib.PurePath(name).suffix])
                self.assertEqual(answer.getheader("cache-control"), "no-cache")
                self.assertEqual(answer.getheader("vary"), "accept-encoding")
                for header, value in CAREFUL.items():
                    self.assertEqual(answer.getheader(header), value)
                policy = answer.getheader("content-security-policy")
                for part in ("default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
                             "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"):
                    self.assertIn(part, policy.split("; "))
                self.assertNotIn("unsafe-inline", policy)
        self.assertEqual(len(tags), len({tag for tag, _ in tags}), "one tag for each form of each file")

    def test_the_door(self):
        self.assertEqual(self.ask("/")[1], (SITE / "index.html").read_bytes())
        self.assertEqual(self.ask("/?from=home")[1], (SITE / "index.html").read_bytes())

    def test_who_has_it_already_is_told_so(self):
        for coding in ("identity", "gzip"):
            answer, body = self.ask("/index.html", Accept_Encoding=coding)
            tag = answer.getheader("etag")
            for tags in (tag, f'"x", {tag}', "W/" + tag, "*"):
                again, nothing = self.ask("/index.html", Accept_Encoding=coding, If_None_Match=tags)
                self.assertEqual((again.status, nothing, again.getheader("etag")), (304, b"", tag), tags)
                self.assertIsNone(again.getheader("content-length"))
                self.assertEqual(again.getheader("cache-control"), "no-cache")
            for tags in ('"x"', tag[:-2] + '"', "", "x" * 1000):
                self.assertEqual(self.ask("/index.html", Accept_Encoding=coding, If_None_Match=tags)[1], body, tags)

    def test_head(self):
        for path in ("/", "/index.html", "/words/de.mo", "/healthz"):
            plain, body = self.ask(path)
            answer, nothing = self.ask(path, "HEAD")
            self.assertEqual((answer.status, nothing), (200, b""))
            self.assertEqual(int(answer.getheader("content-length")), len(body))
            self.assertEqual(answer.getheader("content-type"), plain.getheader("content-type"))
        answer, nothing = self.ask("/no-such-page", "HEAD")
        self.assertEqual((answer.status, nothing), (404, b""))

    def test_nothing_but_the_page_is_there(self):
        for path in ("/index.html/", "/web/index.html", "/index.htm", "/INDEX.HTML", "/index.html.gz", "/.gz", "//index.html",
                     "/words", "/words/", "/words/../index.html/..", "/words/xx.mo", "/engine/engine.c",
                     "/index.html%20", "/..%2findex.html", "/%2e%2e/CMakeLists.txt", "/./", "/" + "a" * 500):
            with self.subTest(path):
                answer, body = self.ask(path)
                if answer.status == 200:  # libwebsockets takes dots and doubled slashes out
                    self.assertIn(body, [(SITE / name).read_bytes() for name in files()])
                else:
                    self.assertEqual(answer.status, 404)
                    self.assertEqual(json.loads(body)["code"], "no_such_page")
                    self.assertEqual(answer.getheader("cache-control"), "no-store")
        for path in ("/", "/index.html"):
            answer, body = self.ask(path, "POST")
            self.assertEqual((answer.status, json.loads(body)["code"]), (405, "wrong_method"))

    def test_slow_readers_get_all_of_a_large_file(self):
        name = max(files(), key=lambda each: (SITE / each).stat().st_size)
        data = (SITE / name).read_bytes()
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            s.settimeout(20)
            s.connect(("127.0.0.1", self.server.port))
            s.sendall(f"GET /{name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            got = bytearray()
            while part := s.recv(1500):
                got += part
        self.assertEqual(bytes(got[got.index(b"\r\n\r\n") + 4:]), data)

    def test_requests_in_a_row(self):
        """Only the first is answered: with connections that are kept, these made libwebsockets 4.1 go round in circles."""
        body = b'{"circuit":"usa","seats":[{"kind":"open"}]}'
        post = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        get, head, large = (b"%s HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n" % line
                            for line in (b"GET /index.html", b"HEAD /index.html", b"GET /engine.wasm"))
        for parts in [[get + get], [get + post], [get + post + post], [head + post], [large + post], [get, post],
                      [get + post[:50], post[50:]], [bytes([byte]) for byte in get + post]]:
            with socket.create_connection(("127.0.0.1", self.server.port), 20) as s:
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with contextlib.suppress(ConnectionError):
                    for part in parts:
                        s.sendall(part)
                answer = http.client.HTTPResponse(s)
                answer.begin()
                self.assertEqual((answer.status, answer.getheader("connection")), (200, "close"))
            self.assertEqual(self.server.ask("GET", "/healthz"), (200, "ok\n"))


class Limited(Case):
    """Limits are for those who ask for something."""

    options = ["--rate", 20, "--reserve", 60]

    def test_a_page_comes_with_all_its_files_however_often(self):
        def fetch(name):
            answer, body = self.ask("/" + name)
            return answer.status, hashlib.sha256(body).digest()
        names = files() * 5
        wanted = [(200, hashlib.sha256((SITE / name).read_bytes()).digest()) for name in names]
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            self.assertEqual(list(pool.map(fetch, names)), wanted)
            self.assertEqual(fetch("api/circuits")[0], 200)  # and has used up nothing
            self.assertIn(429, [status for status, _ in pool.map(fetch, ["api/circuits"] * 200)])  # which there is


if __name__ == "__main__":
    unittest.main()
