#!/usr/bin/env -S /usr/bin/python3 -B
"""nowait.exercise.work: a right program passes with less work than the starter's, and with nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import places
from nowait.exercise import work  # noqa: E402

COMMAND = ["env", f"PYTHONPATH={places.ROOT / 'tools'}", sys.executable, "-B", "-m", "nowait.exercise.work"]


class Work(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.starter = self.program("starter", "echo '  yes  right'; echo 'work: 1000 loads'")

    def program(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def compare(self, script, at_most=0.5):
        return work.compare(self.starter, self.program("yours", script), at_most)

    def test_less_work(self):
        compared = self.compare("echo '  yes  right'; echo 'work: 500 loads'")
        self.assertTrue(compared.passed, compared.text)
        self.assertEqual("", compared.reason)
        self.assertIn("1,000 loads; yours: 500, 0.500 of it; at most 0.5", compared.text)
        self.assertIn("yes  right", compared.text)

    def test_too_much_work(self):
        for count in (501, 1000, 5000):
            compared = self.compare(f"echo 'work: {count} loads'")
            self.assertEqual((False, work.TOO_MUCH), (compared.passed, compared.reason))
            self.assertIn(work.TOO_MUCH, compared.text)

    def test_little_work_and_a_wrong_answer(self):
        compared = self.compare("echo '  NO   right'; echo 'work: 1 loads'; exit 1")
        self.assertEqual((False, work.WRONG), (compared.passed, compared.reason))
        self.assertIn("NO   right", compared.text)

    def test_a_crash(self):
        self.assertEqual(work.WRONG, self.compare("echo 'work: 1 loads'; kill -SEGV $$").reason)

    def test_work_that_is_not_counted_or_not_the_same(self):
        for script in ("true", "echo 'work: 1 stores'", "echo 'work: few loads'"):
            with self.subTest(script):
                self.assertEqual((False, work.UNCOUNTED), (self.compare(script).passed, self.compare(script).reason))
        self.starter = self.program("starter", "echo 'work: 0 loads'")
        self.assertEqual(work.UNCOUNTED, self.compare("echo 'work: 0 loads'").reason)

    def test_as_a_command(self):
        for count, expected in ((100, (0, "1 passed, 0 failed")), (900, (1, "0 passed, 1 failed"))):
            program = self.program("yours", f"echo 'work: {count} loads'")
            done = subprocess.run([*COMMAND, "--starter", self.starter, "--program", program, "--at-most", "0.5"],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(expected, (done.returncode, done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    unittest.main()
