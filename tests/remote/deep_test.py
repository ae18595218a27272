#!/usr/bin/env python3
"""A deep run on a cluster: the same report as here, also when the executor dies in the middle.

usage: deep_test.py [unittest's arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checkout import ROOT, last_line  # noqa: E402
from machine import Executor  # noqa: E402

START = ROOT / "tests/deep/start.py"


class DeepOnACluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nowait-deep-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Of the checkout what the command needs, without .bazelrc.user: with a cache on disk there, Bazel would
        # take from it what is to run on the executor.
        self.checkout = self.folder / "checkout"
        self.checkout.mkdir()
        for name in ("WORKSPACE", "BUILD", ".bazelrc"):
            shutil.copy(ROOT / name, self.checkout)
        for name in ("third_party", "tools"):
            shutil.copytree(ROOT / name, self.checkout / name)
        self.executor = Executor()
        self.addCleanup(self.executor.folder.cleanup)
        self.addCleanup(self.executor.kill)
        paths = []
        for name in ("stairs", "ladder"):
            paths.append(str(shutil.copy(ROOT / "tests/deep/steps.py", self.folder / name)))
            (self.folder / name).chmod(0o755)
        self.programs = self.folder / "programs"
        self.programs.write_text("\n".join(paths), encoding="utf-8")

    def start(self, state, flags):
        (self.folder / "programs.flags").write_text("\n".join(flags), encoding="utf-8")
        (self.folder / "home").mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, START, self.checkout, self.programs, "--hours", "1", "--state", state],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "USER": "tester"})

    def deep(self, state, flags=()):
        process = self.start(state, flags)
        out, err = process.communicate(timeout=240)
        return process.returncode, out, err

    def remote(self, retries=10):
        return ["--config=remote", f"--remote_executor={self.executor.url}", f"--remote_retries={retries}"]

    def test_the_same_report(self):
        self.executor.start()
        here = self.deep("here")
        there = self.deep("there", self.remote())
        self.assertEqual((0, "3 passed, 0 failed"), (there[0], last_line(there[1])), there[2])
        self.assertEqual(here[1], there[1])
        # Two pieces of each shard but the smallest, and all of them there.
        self.assertGreaterEqual(sum(self.executor.log()[1].values()), 11)

    def test_a_counterexample_comes_back_with_the_report(self):
        self.executor.start()
        program = shutil.copy(ROOT / "tests/deep/steps.py", self.folder / "chute")
        self.programs.write_text(str(program), encoding="utf-8")
        status, out, err = self.deep("there", self.remote())
        self.assertEqual((1, "0 passed, 1 failed"), (status, last_line(out)), err)
        page = pathlib.Path(re.search(r"    page: (.*)", out)[1])
        self.assertTrue(page.is_relative_to((self.folder / "there").resolve()), page)
        self.assertEqual("the page of chute small", page.read_text(encoding="utf-8"))

    def test_killed_and_started_again(self):
        self.executor.start()
        process = self.start("there", self.remote())
        self.executor.wait_for_the_middle(process, 3)
        self.executor.kill()
        before = self.executor.log()[1]
        self.executor.start()
        out, err = process.communicate(timeout=240)
        self.assertEqual((0, "3 passed, 0 failed"), (process.returncode, last_line(out)), err)
        self.assertIn("all 9,000 executions examined", out)
        for action in before:
            self.assertEqual(1, self.executor.log()[0][action])

    def test_gone_for_good_it_goes_on_another_day(self):
        status, out, err = self.deep("there", self.remote(1))
        self.assertEqual((3, "0 passed, 0 failed, 3 not finished"), (status, last_line(out)), err)
        self.assertIn("nowait: check --deep: the cluster has stopped answering\n", err)
        self.executor.start()
        status, out, err = self.deep("there", self.remote())
        self.assertEqual((0, "3 passed, 0 failed"), (status, last_line(out)), err)


if __name__ == "__main__":
    unittest.main()
