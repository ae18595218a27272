#!/usr/bin/env python3
"""The progress file: written whole, and never lost by an error in it."""

import json
import multiprocessing
import os
import pathlib
import tempfile
import unittest

import places  # noqa: F401
from nowait.exercise.progress import Progress, ProgressError, Record  # noqa: E402


def count_checks(path, times):
    for _ in range(times):
        with Progress(path).change("a") as record:
            record.checks += 1


class ProgressFile(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / "state/exercises.json"
        self.progress = Progress(self.path)

    def test_what_is_written_is_read(self):
        self.assertEqual({}, self.progress.records())
        with self.progress.change("a") as record:
            record.hints = 2
        with self.progress.change("b") as record:
            record.passed = "2026-11-23"
        self.assertEqual({"a": Record(hints=2), "b": Record(passed="2026-11-23")}, Progress(self.path).records())

    def test_a_change_that_fails_changes_nothing(self):
        with self.progress.change("a") as record:
            record.hints = 1
        with self.assertRaises(KeyboardInterrupt):
            with self.progress.change("a") as record:
                record.hints = 3
                raise KeyboardInterrupt
        self.assertEqual(1, self.progress.record("a").hints)

    def test_two_sessions_at_once(self):
        processes = [multiprocessing.Process(target=count_checks, args=(self.path, 40)) for _ in range(3)]
        for one in processes:
            one.start()
        for one in processes:
            one.join()
        self.assertEqual(120, self.progress.record("a").checks)

    def test_damaged_files_are_kept_aside_one_by_one(self):
        good = json.dumps({"schema": 1, "exercises": {}})
        damaged = [b"", b"{", b"\xff\xfe", b"[]", b"{}", good.encode()[:-1], b'{"schema": 1}',
                   b'{"schema": 1, "exercises": []}', b'{"schema": 1, "exercises": {"a": 3}}',
                   b'{"schema": 1, "exercises": {"a": {"hints": -1}}}',
                   b'{"schema": 1, "exercises": {"a": {"hints": true}}}',
                   b'{"schema": 1, "exercises": {"a": {"pased": ""}}}']
        self.path.parent.mkdir()
        for number, data in enumerate(damaged, 1):
            with self.subTest(data):
                self.path.write_bytes(data)
                with self.assertRaises(ProgressError) as caught:
                    self.progress.records()
                kept = self.path.with_name(f"exercises.json.damaged-{number}")
                self.assertIn(str(self.path), str(caught.exception))
                self.assertIn(kept.name, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))
                self.assertEqual(data, kept.read_bytes())
                self.assertEqual({}, self.progress.records())  # and the next call begins

    def test_another_version_is_refused_and_left_alone(self):
        self.path.parent.mkdir()
        for schema in (2, 0, "1", None):
            text = json.dumps({"schema": schema, "exercises": {"a": {"brave": "new"}}})
            self.path.write_text(text, encoding="utf-8")
            with self.assertRaises(ProgressError) as caught:
                with self.progress.change("a") as record:
                    record.hints = 1
            self.assertIn("schema", str(caught.exception))
            self.assertEqual(text, self.path.read_text(encoding="utf-8"))
            self.assertEqual([], list(self.path.parent.glob("*.damaged-*")))

    def test_what_cannot_be_written(self):
        self.path.parent.write_text("a file is in the way", encoding="utf-8")
        with self.assertRaises(ProgressError) as caught:
            with self.progress.change("a"):
                pass
        self.assertIn("cannot be written", str(caught.exception))

    def test_nothing_is_left_beside_it(self):
        count_checks(self.path, 3)
        self.assertEqual(["exercises.json", "exercises.json.lock"], sorted(os.listdir(self.path.parent)))


if __name__ == "__main__":
    unittest.main()
