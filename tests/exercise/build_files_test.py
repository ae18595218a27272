#!/usr/bin/env python3
"""What the BUILD files say of mutants is what models/model.bzl makes of it."""

import pathlib
import tempfile
import unittest

import places  # noqa: F401
from nowait.exercise import build_files  # noqa: E402

BUILD = """mutants(
    model = "box",
    by = "exhaustive",
    expected = {
        "too_large": "data race",
        "too_small": ("2x1", "a box is linearizable"),
        "too_late": ("3x1", "deadlock", "random:20000"),
    },
)

mutant(
    name = "of_another",
    expect = "livelock",
    headers = ["//src/shelf:shelf.h"],
    model = "box",
    scenario = "2x1",
)
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        package = pathlib.Path(scratch.name) / "models/store"
        package.mkdir(parents=True)
        (package / "BUILD").write_text(BUILD, encoding="utf-8")
        self.found = build_files.mutants(pathlib.Path(scratch.name))

    def one(self, name):
        return self.found[f"//models/store:box_{name}"]

    def test_a_failure_alone(self):
        self.assertEqual(self.one("too_large").reason, "data race")
        self.assertEqual(self.one("too_large").arguments, ("--with=exhaustive",))
        self.assertEqual(self.one("too_large").files, ("src/store/box.h",))

    def test_a_scenario(self):
        self.assertEqual(self.one("too_small").reason, "a box is linearizable")
        self.assertEqual(self.one("too_small").arguments, ("--scenario", "2x1", "--with=exhaustive"))

    def test_a_search_of_its_own(self):
        self.assertEqual(self.one("too_late").arguments, ("--scenario", "3x1", "--search", "random:20000"))

    def test_one_alone(self):
        self.assertEqual(self.one("of_another").reason, "livelock")
        self.assertEqual(self.one("of_another").arguments, ("--scenario", "2x1"))
        self.assertEqual(self.one("of_another").files, ("src/shelf/shelf.h",))


if __name__ == "__main__":
    unittest.main()
