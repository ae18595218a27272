#!/usr/bin/env python3
"""The unit for AVX-512 gives no function to machines without it: the linker takes one copy of each
weak function, so each of the unit's own must be named after its instruction set."""

import subprocess
import sys
import unittest

LIBRARY = sys.argv.pop(1)


def defined(kinds):
    """The functions of the library's objects whose kind in nm's words is one of `kinds`."""
    run = subprocess.run(["nm", "--demangle", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
    lines = [line.split(" ", 2) for line in run.stdout.splitlines() if line[:1].isalnum() and line.count(" ") >= 2]
    return [name for _, kind, name in lines if kind in kinds]


class Unit(unittest.TestCase):
    def test_weak_functions_are_of_the_instruction_set(self):
        self.assertEqual([name for name in defined("WV") if "N_AVX3" not in name], [])

    def test_the_unit_is_there(self):
        self.assertEqual([name.split("(")[0] for name in defined("T")], ["nowait::RunStage16"])


if __name__ == "__main__":
    unittest.main()
