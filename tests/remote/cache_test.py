#!/usr/bin/env python3
"""A cache that machines share (nginx): its use, and the wrong answers that it may give.

usage: cache_test.py QUOTA JOB_LIST [unittest's arguments]

QUOTA, JOB_LIST: the programs of these models.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checkout import Checkout, free_port, last_line, said  # noqa: E402

CONFIGURATION = """
daemon off;
master_process off;
error_log {folder}/error.log;
pid {folder}/pid;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/coming;
  proxy_temp_path {folder}/unused;
  fastcgi_temp_path {folder}/unused;
  uwsgi_temp_path {folder}/unused;
  scgi_temp_path {folder}/unused;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/cache;
    client_max_body_size 1G;
    location / {{ {answer} }}
  }}
}}
"""
STORES = "dav_methods PUT; create_full_put_path on;"
FAILS = "return 500;"


class Cache:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nowait-cache-")
        self.files = pathlib.Path(self.folder.name) / "cache"
        self.files.mkdir()
        self.files.parent.chmod(0o755)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, answer=STORES):
        configuration = pathlib.Path(self.folder.name) / "nginx.conf"
        configuration.write_text(
            CONFIGURATION.format(folder=self.folder.name, port=self.port, answer=answer), encoding="utf-8")
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-e", f"{self.folder.name}/error.log", "-c",
                                         str(configuration)], stderr=subprocess.DEVNULL)
        while not self.answers():
            if self.process.poll() is not None:
                raise RuntimeError(pathlib.Path(self.folder.name, "error.log").read_text(encoding="utf-8"))
            time.sleep(0.05)  # until it listens

    def answers(self):
        try:
            urllib.request.urlopen(self.url, timeout=5).close()
        except urllib.error.HTTPError:
            pass  # that is an answer
        except OSError:
            return False
        return True

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def each(self, kind, change):
        for path in (self.files / kind).rglob("*"):
            path.write_bytes(change(path.read_bytes()))


class SharedCache(unittest.TestCase):
    """One checkout fills a cache, and all the tests begin with that."""

    @classmethod
    def setUpClass(cls):
        cls.checkout = Checkout(*PROGRAMS)
        cls.addClassCleanup(cls.checkout.close)
        cls.full = Cache()
        cls.addClassCleanup(cls.full.folder.cleanup)
        cls.full.start()
        status, cls.first = cls.checkout.check("--cache", cls.full.url)
        cls.full.stop()
        assert status == 0, cls.first
        assert said(cls.first) == [], cls.first

    def setUp(self):
        """A cache with the same contents."""
        self.cache = Cache()
        self.addCleanup(self.cache.folder.cleanup)
        self.addCleanup(self.cache.stop)
        shutil.rmtree(self.cache.files)
        shutil.copytree(self.full.files, self.cache.files)

    def assert_same_with_one_line(self, words):
        self.checkout.forget()
        status, output = self.checkout.check("--cache", self.cache.url)
        self.assertEqual(0, status, output)
        self.assertEqual(last_line(self.first), last_line(output))
        self.assertEqual(1, len(said(output)), output)
        self.assertIn(words, said(output)[0])
        self.assertNotIn("Remote Cache", output)

    def test_another_checkout_takes_everything_from_it(self):
        self.cache.start()
        other = Checkout(*PROGRAMS)
        self.addCleanup(other.close)
        status, output = other.check("--cache", self.cache.url)
        self.assertEqual(0, status, output)
        self.assertEqual(last_line(self.first), last_line(output))
        self.assertEqual([], said(output))
        # Bazel says how much that was in a line that ./nowait leaves out.
        other.forget()
        digest = other.run("env", "PYTHONPATH=tools", "/usr/bin/python3", "-c",
                           "from nowait.packages import digest_of as it; print(it((\"build\", \"check\")))")[1].strip()
        status, output = other.run(
            "bazel", "test", "--config=opt", "--config=shared", f"--remote_cache={self.cache.url}",
            f"--action_env=NOWAIT_PACKAGES={digest}", f"--test_env=NOWAIT_PACKAGES={digest}", "--color=no",
            "--build_tests_only", "//models/probe:all")
        self.assertEqual(0, status, output)
        processes = re.findall(r"^INFO: \d+ processes: (.*)\.$", output, re.MULTILINE)[-1]
        hits = int(re.search(r"(\d+) remote cache hit", processes)[1])
        self.assertGreaterEqual(hits, 22, output)
        self.assertNotRegex(processes, "linux-sandbox|processwrapper|local", output)

    def test_contents_that_are_cut_off(self):
        self.cache.each("cas", lambda contents: contents[:5])
        self.cache.start()
        self.assert_same_with_one_line("does not come back as it was")

    def test_contents_that_are_others(self):
        self.cache.each("cas", lambda contents: bytes(byte ^ 1 for byte in contents))
        self.cache.start()
        self.assert_same_with_one_line("does not come back as it was")

    def test_results_that_are_none(self):
        self.cache.each("ac", lambda contents: b"garbage\n")
        self.cache.start()
        self.assert_same_with_one_line("no result of an action")

    def test_nothing_but_errors(self):
        self.cache.start(FAILS)
        self.assert_same_with_one_line("500 Internal Server Error")

    def test_nobody_there(self):
        self.assert_same_with_one_line("nothing answers at")

    def test_endpoints_that_are_none(self):
        for words in (["--cache"], ["--cache", "here"], ["--cache", "ftp://here:1"], ["--cache", "http://"],
                      ["--cache", "grpc://host"], ["--cache", "http://a b"]):
            with self.subTest(words):
                status, output = self.checkout.check(*words)
                self.assertEqual(2, status, output)
                self.assertEqual(1, output.count("\n"), output)
                self.assertIn("--cache", output)


if __name__ == "__main__":
    PROGRAMS = [pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2)]
    unittest.main()
