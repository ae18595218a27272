#!/usr/bin/env python3
"""A program whose error stream is closed or full ends with the status that it has otherwise, and not by a signal.

usage: closed_stream_test.py PROGRAM...
"""

import subprocess
import sys
import unittest

PROGRAMS = sys.argv[1:]


def status(program, redirection):
    """Of the program with an option that it does not know."""
    return subprocess.run(["sh", "-c", f'"$0" --no-such-option {redirection}', program], stdout=subprocess.DEVNULL,
                          check=False).returncode


class ClosedStream(unittest.TestCase):
    def test_a_complaint_that_cannot_be_written_is_lost_and_the_status_is_kept(self):
        self.assertTrue(PROGRAMS)
        for program in PROGRAMS:
            with self.subTest(program):
                usual = status(program, "2>/dev/null")
                self.assertIn(usual, range(1, 4))
                self.assertEqual([status(program, "2>&-"), status(program, "2>/dev/full")], [usual, usual])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
