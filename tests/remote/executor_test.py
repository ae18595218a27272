#!/usr/bin/env python3
"""Everything runs on an executor that is killed in the middle, stays away, or was never there.

usage: executor_test.py QUOTA JOB_LIST [unittest's arguments]

QUOTA, JOB_LIST: the programs of these models.
"""

import pathlib
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checkout import Checkout, last_line, said  # noqa: E402
from machine import Executor  # noqa: E402

class RemoteExecution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.checkout = Checkout(*PROGRAMS)
        cls.addClassCleanup(cls.checkout.close)
        status, output = cls.checkout.check()
        assert status == 0, output
        cls.here = last_line(output)

    def setUp(self):
        self.executor = Executor()
        self.addCleanup(self.executor.folder.cleanup)
        self.addCleanup(self.executor.kill)
        self.checkout.forget()
        self.checkout.settings("")

    def die_in_the_middle(self, *arguments):
        """Starts a check whose executor goes away: the check's process."""
        self.executor.start()
        process = self.checkout.start("./nowait", "check", "--remote", self.executor.url, *arguments)
        self.executor.wait_for_the_middle(process)
        self.executor.kill()
        return process

    def test_killed_and_started_again_nothing_is_lost(self):
        process = self.die_in_the_middle()
        before = self.executor.log()
        self.executor.start()
        status, output = self.checkout.wait(process)
        self.assertEqual(0, status, output)
        self.assertEqual(self.here, last_line(output))
        self.assertEqual([], said(output))
        began, ended = self.executor.log()
        for action in before[1]:
            self.assertEqual(1, began[action], "an action that had ended was run again")
        interrupted = [action for action in before[0] if action not in before[1]]
        self.assertNotEqual([], interrupted)
        for action in interrupted:
            self.assertEqual((2, 1), (began[action], ended[action]))
        # Compilations and all shards: everything ran there, the two of the job list among it.
        self.assertGreaterEqual(len(ended), 22)

    def test_gone_for_good_nothing_has_passed_that_did_not_run(self):
        self.checkout.settings("build:shared --remote_retries=3\n")
        status, output = self.checkout.wait(self.die_in_the_middle())
        self.assertNotEqual(0, status, output)
        self.assertRegex(last_line(output), r"^\d+ passed, [1-9]\d* failed$")
        self.assertEqual(1, len(said(output)), output)
        self.assertIn(f"{self.executor.url} stopped answering", said(output)[0])
        # The next one goes on from there.
        before = self.executor.log()
        self.executor.start()
        status, output = self.checkout.check("--remote", self.executor.url)
        self.assertEqual(0, status, output)
        self.assertEqual(self.here, last_line(output))
        for action in before[1]:
            self.assertEqual(1, self.executor.log()[0][action])

    def test_gone_for_good_with_the_fallback_it_is_done_here(self):
        self.checkout.settings("build:shared --remote_retries=3\n")
        status, output = self.checkout.wait(self.die_in_the_middle("--local-fallback"))
        self.assertEqual(0, status, output)
        self.assertEqual(self.here, last_line(output))

    def test_never_there(self):
        status, output = self.checkout.check("--remote", self.executor.url)
        self.assertEqual(1, status, output)
        self.assertEqual(1, output.count("\n"), output)
        self.assertIn(f"nothing answers at {self.executor.url}", output)
        status, output = self.checkout.check("--remote", self.executor.url, "--local-fallback")
        self.assertEqual(0, status, output)
        self.assertEqual(self.here, last_line(output))
        self.assertEqual([f"nowait: nothing answers at {self.executor.url}: everything runs here"], said(output))

    def test_somebody_else_there(self):
        """A server that is no executor."""
        other = subprocess.Popen([sys.executable, "-m", "http.server", "-b", "127.0.0.1", str(self.executor.port)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.checkout.settings("build:shared --remote_retries=1 --remote_timeout=5\n")
        while not self.listens():
            time.sleep(0.05)
        status, output = self.checkout.check("--remote", self.executor.url)
        self.assertNotEqual(0, status, output)
        self.assertRegex(last_line(output), r"^0 passed, [1-9]\d* failed$")

    def listens(self):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.executor.port)) == 0

    def test_plain_bazel_without_an_endpoint_runs_nothing_here(self):
        status, output = self.checkout.run("bazel", "test", "--config=opt", "--config=remote", "--color=no",
                                           "--remote_retries=1", "//models/probe:half_watched")
        self.assertNotEqual(0, status, output)
        self.assertIn("no-endpoint-was-given", output)

    def test_how_the_time_falls_is_measured_with_all_shards(self):
        status, output = self.checkout.check("--scaling", "1")
        self.assertEqual(0, status, output)
        self.assertRegex(output, r"\n\| 2 \| [\d.]+ s \| [\d.]+ s \| ")
        self.assertRegex(last_line(output), r"^17 shards; the longest, ")
        status, output = self.checkout.check("--scaling", "1", "job_list")
        self.assertEqual(0, status, output)
        self.assertRegex(last_line(output), r"^2 shards; the longest, [\d.]+ s, is //models/probe:job_list")
        status, output = self.checkout.check("--scaling", "1", "quotas")
        self.assertEqual(2, status, output)
        self.assertIn('unknown structure "quotas"; there are: ', last_line(output))

    def test_a_deep_run_here_and_there(self):
        self.executor.start()
        # Four at a time, and not 64: each of them searches for a second.
        for where in ([], ["--remote", self.executor.url, "--jobs", "4"]):
            status, output = self.checkout.check("--deep", "--hours", "0.001", "--state", "deep", *where)
            self.assertEqual(3, status, output)
            self.assertRegex(last_line(output), r"^[1-9]\d* passed, 0 failed, [1-9]\d* not finished$")
        self.assertGreater(len(self.executor.log()[1]), 0)
        self.executor.kill()
        status, output = self.checkout.check("--deep", "--hours", "1", "--state", "deep", "--remote", self.executor.url)
        self.assertEqual(1, status, output)
        self.assertEqual(1, output.count("\n"), output)
        self.assertIn("nothing answers at", output)

    def test_flags_that_make_no_sense(self):
        for words in (["--remote"], ["--remote", "http://127.0.0.1:1"], ["--remote", "grpc://127.0.0.1"],
                      ["--local-fallback"], ["quota", "--remote", self.executor.url]):
            with self.subTest(words):
                status, output = self.checkout.check(*words)
                self.assertEqual(2, status, output)
                self.assertEqual(1, output.count("\n"), output)
                self.assertIn("--remote", output)


if __name__ == "__main__":
    PROGRAMS = [pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2)]
    unittest.main()
