#!/usr/bin/env -S /usr/bin/python3 -B
"""The server: on loopback alone, anew when something is saved, and gone when it is asked to end."""

import json
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from samples import LEARN, LECTURE, ROOT, folder, learn, small  # noqa: E402


class Server(unittest.TestCase):
    def start(self, root, port=0):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", LEARN, "--root", root, "--gallery", folder(), "--port", str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.address = self.process.stdout.readline().strip()
        self.assertRegex(self.address, r"^http://127\.0\.0\.1:\d+/$")

    def get(self, path):
        return urllib.request.urlopen(self.address + path).read().decode()

    def version(self):
        return json.loads(self.get(".nowait-version"))

    def until(self, holds):
        end = time.monotonic() + 30
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_serves(self):
        self.start(small({}))
        self.assertIn("Threads that do not wait", self.get(""))
        self.assertIn("The problem", self.get("one.html"))
        for path in ("nothing.html", "../../etc/passwd", ".nowait-course"):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                self.get(path)
            self.assertEqual(caught.exception.code, 404)
            caught.exception.close()
        # Another machine finds nothing: 127.0.0.2 stands for any other address.
        port = int(self.address.split(":")[2].rstrip("/"))
        with socket.socket() as other:
            self.assertNotEqual(other.connect_ex(("127.0.0.2", port)), 0)

    def test_what_is_saved_is_shown(self):
        root = small({})
        self.start(root)
        path = root / "lectures/one/lecture.md"
        first = self.version()["version"]
        path.write_text(LECTURE.replace("The same.", "Something else."))
        self.until(lambda: self.version()["version"] > first)
        self.assertIn("Something else.", self.get("one.html"))
        path.write_text(LECTURE.replace("[@one]", "[@two]"))
        self.until(lambda: self.version()["wrong"])
        self.assertIn("lectures/one/lecture.md:13: ", self.version()["wrong"])
        self.assertIn("Something else.", self.get("one.html"))
        path.write_text(LECTURE)
        self.until(lambda: not self.version()["wrong"])
        self.assertIn("The same.", self.get("one.html"))

    def test_ends(self):
        for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            self.start(small({}))
            self.process.send_signal(sent)
            self.assertEqual(self.process.wait(10), status)
            self.assertNotIn("Traceback", self.process.stdout.read())

    def test_a_port_in_use(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            done = learn("--gallery", folder(), "--port", port, root=small({}))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"learn: port {port} cannot be had: address already in use; try --port N\n")

    def test_the_verb_refuses(self):
        for arguments, said in ((["--prot"], 'unknown argument "--prot"'), (["--port"], "--port needs a value"),
                                (["--port", "x"], '"x" is no port'), (["--port=70000"], '"70000" is no port'),
                                (["--build", "x", "--port", "1"], "--port is for serving alone")):
            done = subprocess.run([ROOT / "nowait", "learn", *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(said, done.stderr)

    def test_a_missing_tool(self):
        done = subprocess.run(["/usr/bin/python3", LEARN, "--check", "--root", small({})], capture_output=True, text=True,
                              env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing Debian packages: pandoc (pandoc), graphviz (dot)", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
