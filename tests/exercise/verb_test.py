#!/usr/bin/env python3
"""The report of a check; its counterexample is opened once where there is a display."""

import contextlib
import io
import os
import pathlib
import tempfile
import time
import unittest
from unittest import mock

import places
from nowait.exercise import catalogue, grade, verb  # noqa: E402

PAGE = "exercise/too-large/counterexample/box_2x1.html"


class Verdict(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        places.small_checkout(self.folder)
        [self.exercise] = catalogue.load(self.folder)

    def say(self, **fields):
        return verb.verdict(self.exercise, grade.Outcome(**fields))

    def test_words(self):
        self.assertEqual("passed: A box too large", self.say(passed=True))
        self.assertEqual("fails: data race (what the exercise began with)", self.say(reasons=["data race"]))
        self.assertEqual("fails: deadlock; data race (what the exercise began with)",
                         self.say(reasons=["deadlock", "data race"]))
        self.assertEqual("does not compile: nothing was checked", self.say(compiled=False, reasons=["it does not compile"]))

    def pages(self, opened, **environment):
        calls = self.folder / "calls"
        program = self.folder / "xdg-open"
        program.write_text(f'#!/bin/sh\necho "$1" >>"{calls}"\n', encoding="utf-8")
        program.chmod(0o755)
        environment["PATH"] = f"{self.folder}:/usr/bin:/bin"
        said = io.StringIO()
        with mock.patch.dict(os.environ, environment, clear=True), contextlib.redirect_stdout(said):
            verb.pages(grade.Outcome(pages=[PAGE]), opened)
        self.assertIn(PAGE, said.getvalue())
        return calls

    def test_a_page_is_opened_once_where_there_is_a_display(self):
        opened = set()
        for _ in range(2):
            calls = self.pages(opened, DISPLAY=":0")
        end = time.monotonic() + 10
        while not calls.exists() and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual([str(verb.ROOT / PAGE)], calls.read_text(encoding="utf-8").split("\n")[:-1])
        self.assertEqual({PAGE}, opened)

    def test_without_a_display_it_is_named_only(self):
        opened = set()
        self.assertFalse(self.pages(opened).exists())
        self.assertEqual(set(), opened)


if __name__ == "__main__":
    unittest.main()
