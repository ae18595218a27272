#!/usr/bin/env python3
"""Each defect can be put back: its patch fits the source to the line, and its finder is there."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))
import put_back  # noqa: E402


class PutBack(unittest.TestCase):
    def test_each_patch_is_a_defect_that_has_a_finder(self):
        patches = {path.stem for path in (HERE / "patches").glob("*.patch")}
        self.assertEqual(patches, set(put_back.defects()))
        for name, defect in put_back.defects().items():
            with self.subTest(name):
                self.assertTrue(all(put_back.promises_of(defect)))
                package, _, target = put_back.target_of(defect)[0].removeprefix("//").partition(":")
                self.assertIn(f'"{target}"', (ROOT / package / "BUILD").read_text(encoding="utf-8"))
                if "programs" in defect:
                    self.assertEqual({"programs", "promise", "what"}, set(defect))
                else:
                    self.assertEqual({"test", "case", "promise", "what"}, set(defect) - {"config"})
                    test = (ROOT / package / f"{target}.cc").read_text(encoding="utf-8")
                    self.assertIn(f'"{defect["case"]}', test)

    def test_each_patch_fits(self):
        with tempfile.TemporaryDirectory() as directory:
            tree = pathlib.Path(directory)
            subprocess.run(["cp", "-r", ROOT / "src", tree], check=True)
            subprocess.run(["chmod", "-R", "u+w", tree / "src"], check=True)
            for name in put_back.defects():
                with self.subTest(name):
                    self.assertTrue(put_back.apply(name, tree))
                    self.assertTrue(put_back.apply(name, tree, "--reverse"))

    def test_a_case_finds_by_failing_in_time(self):
        with tempfile.TemporaryDirectory() as directory:
            tree = pathlib.Path(directory)

            def run(script, seconds=60):
                (tree / "test").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
                (tree / "test").chmod(0o700)
                return put_back.run_case(tree / "test", "one, two", tree, seconds)

            self.assertEqual("one\\, two*\n", run('echo "$1"; exit 1'))
            self.assertIsNone(run("echo passed"))
            self.assertIsNone(run("while :; do :; done", seconds=0.1))

    def test_a_report_is_read(self):
        text = (
            "deadlock: no thread can go on\n  main: waits\nafter 2 schedules, by walk-7; 1 of its 3 interruptions\n"
            "seed 12 breaks a promise: program 12, of 3 schedules each; now it is made smaller\n"
        )
        self.assertEqual(("12", "12", "3"), put_back.FOUND.search(text).groups())
        self.assertEqual("2", put_back.SCHEDULES.search(text).group(1))
        self.assertEqual("deadlock: no thread can go on", put_back.REASON.search(text).group(0))
        for promise, is_found in (("deadlock", True), (["livelock", "deadlock"], True), (["livelock"], False)):
            found, row = put_back.judge({"programs": "jobs", "promise": promise}, text, 1.0)
            self.assertEqual(is_found, found)
            self.assertEqual(not is_found, "ANOTHER REASON" in row)


unittest.main(argv=sys.argv[:1])
