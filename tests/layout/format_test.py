#!/usr/bin/env python3
"""The C++ sources are laid out as clang-format lays them out."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["check", "src", "models", "tests", "lectures"]


def differing(files):
    """The files that clang-format would change; its own words for each place."""
    run = subprocess.run(["clang-format", "--dry-run", *files], capture_output=True, text=True, check=True, cwd=ROOT)
    return [line for line in run.stderr.split("\n") if "[-Wclang-format-violations]" in line]


class Format(unittest.TestCase):
    maxDiff = None

    def test_sources(self):
        files = [
            str(path.relative_to(ROOT))
            for folder in FOLDERS
            for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in (".h", ".cc")
        ]
        self.assertGreater(len(files), 100)
        self.assertEqual([], differing(files), "./nowait format lays them out")

    def test_another_layout_is_noticed(self):
        run = subprocess.run(
            ["clang-format", "--dry-run", f"--style=file:{ROOT}/.clang-format", "--assume-filename=a.cc"],
            input="int  a ;\n", capture_output=True, text=True, check=True, cwd=ROOT,
        )
        self.assertIn("[-Wclang-format-violations]", run.stderr)


if __name__ == "__main__":
    unittest.main()
