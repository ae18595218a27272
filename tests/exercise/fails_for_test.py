#!/usr/bin/env -S /usr/bin/python3 -B
"""lectures/fails_for.sh: a starter has to fail, for the declared reason, and its last line is not the test's count."""

import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "lectures/fails_for.sh"


class FailsFor(unittest.TestCase):
    def check(self, command):
        done = subprocess.run([SCRIPT, "NO   each [pair] once", "sh", "-c", command], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.splitlines()

    def test_the_declared_reason(self):
        status, lines = self.check("echo 'NO   each [pair] once'; echo '0 passed, 3 failed'; exit 1")
        self.assertEqual((0, "1 passed, 0 failed"), (status, lines[-1]))

    def test_another_reason(self):
        status, lines = self.check("echo 'NO   each pair once'; exit 1")
        self.assertEqual((1, "0 passed, 1 failed"), (status, lines[-1]))

    def test_a_starter_that_passes(self):
        status, lines = self.check("echo 'NO   each [pair] once'; echo '3 passed, 0 failed'")
        self.assertEqual((1, "0 passed, 1 failed"), (status, lines[-1]))


if __name__ == "__main__":
    unittest.main()
