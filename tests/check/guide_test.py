#!/usr/bin/env python3
"""docs/check-your-structure.md: its program is the file that is compiled, its output and figures are the programs'."""

import pathlib
import re
import subprocess
import unittest

GUIDE = pathlib.Path("docs/check-your-structure.md").read_text()


def block_after(mark):
    return re.search(re.escape(f"<!-- {mark} -->") + r"\n```\w*\n(.*?)```", GUIDE, re.DOTALL).group(1)


def printed(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


class Guide(unittest.TestCase):
    maxDiff = None

    def test_the_program_is_the_file(self):
        program = block_after("file: tests/check/first_program.cc")
        self.assertEqual(pathlib.Path("tests/check/first_program.cc").read_text(), program)
        self.assertEqual(15, len([line for line in program.splitlines() if line]))

    def test_the_output_is_the_programs(self):
        self.assertEqual(printed("tests/check/first_program"), block_after("output: first_program"))

    def test_the_figures_of_foreign_structures(self):
        counted = {}
        for model in ["boost_spsc_queue", "readerwriterqueue"]:
            out = printed(f"models/foreign/{model}", "--with", "exhaustive")
            counted |= dict(re.findall(rf"^{model} (\w+): .*\n +graphs +all ([\d,]+) executions", out, re.MULTILINE))
        rows = dict(re.findall(r"^\|[^|]*\| `(\w+)` \| ([\d,]+) \|", GUIDE, re.MULTILINE))
        self.assertEqual(7, len(rows))
        self.assertEqual(counted, rows)


if __name__ == "__main__":
    unittest.main()
