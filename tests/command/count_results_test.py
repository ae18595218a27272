#!/usr/bin/env python3
"""The results of ./nowait test: each check is counted, and only a pass counts as passed."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.test import results as count  # noqa: E402


class CasesOfOneLog(unittest.TestCase):
    def test_catch2(self):
        self.assertEqual((7, 0), count.cases_in("All tests passed (805 assertions in 7 test cases)\n\n", True))
        self.assertEqual((1, 0), count.cases_in("All tests passed (1 assertion in 1 test case)\n", True))
        some = "test cases: 12 |  9 passed | 3 failed\nassertions: 80 | 77 passed | 3 failed\n"
        self.assertEqual((9, 3), count.cases_in(some, False))
        self.assertEqual((0, 2), count.cases_in("test cases: 2 | 2 failed\nassertions: 2 | 2 failed\n", False))

    def test_a_program_without_test_cases_has_not_passed(self):
        self.assertEqual((0, 1), count.cases_in("No tests ran\n", True))

    def test_a_program_that_dies_after_its_cases_has_failed(self):
        log = "All tests passed (3 assertions in 3 test cases)\n\nWARNING: ThreadSanitizer: data race\n"
        self.assertEqual((3, 1), count.cases_in(log, False))
        self.assertEqual((0, 1), count.cases_in("Segmentation fault\n", False))

    def test_models(self):
        self.assertEqual((6, 0), count.cases_in("2x1: ...\n6 passed, 0 failed\n", True))
        self.assertEqual((5, 1), count.cases_in("5 passed, 1 failed\n", False))
        # Only the last line counts, and it counts more than the exit status.
        self.assertEqual((1, 0), count.cases_in("5 passed, 1 failed\nbye\n", True))
        self.assertEqual((5, 1), count.cases_in("5 passed, 1 failed\n", True))

    def test_a_test_that_runs_another_program_speaks_for_itself(self):
        starter = "test cases: 3 | 1 passed | 2 failed\nassertions: 9 | 7 passed | 2 failed\n"
        self.assertEqual((1, 0), count.cases_in(starter + "1 passed, 0 failed\n", True))
        self.assertEqual((0, 1), count.cases_in("All tests passed (9 assertions in 3 test cases)\n0 passed, 1 failed\n", False))

    def test_anything_else_is_one(self):
        self.assertEqual((1, 0), count.cases_in("", True))
        self.assertEqual((0, 1), count.cases_in("", False))


class WholeRun(unittest.TestCase):
    def run_with(self, results, tests, status=0, left_out=""):
        """results: {label: (status, log)}; tests: {label: tags}. Returns (counts, what was printed)."""
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            events = []
            for number, (label, (outcome, log)) in enumerate(results.items()):
                path = folder / f"{number} log"
                path.write_text(log, encoding="utf-8")
                events.append({
                    "id": {"testResult": {"label": label, "run": 1}},
                    "testResult": {
                        "status": outcome,
                        "testActionOutput": [{"name": "test.log", "uri": path.as_uri()}],
                    },
                })
            lines = [json.dumps(event) for event in events]
            (folder / "opt.json").write_text("\n".join(lines + ['{"id":']), encoding="utf-8")
            rules = "".join(
                f'<rule name="{label}"><list name="tags">'
                + "".join(f'<string value="{tag}"/>' for tag in tags)
                + "</list></rule>"
                for label, tags in tests.items()
            )
            (folder / "tests.xml").write_text(f"<query>{rules}</query>", encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                counts = count.count(count.Ran("opt", status, folder / "opt.json"), folder / "tests.xml", left_out)
            return f"{counts.passed} {counts.failed}", printed.getvalue()

    def test_sum(self):
        results = {
            "//a:a": ("PASSED", "All tests passed (9 assertions in 4 test cases)\n"),
            "//b:b": ("PASSED", "3 passed, 0 failed\n"),
            "//c:c": ("PASSED", ""),
        }
        counts, printed = self.run_with(results, {"//a:a": [], "//b:b": [], "//c:c": []})
        self.assertEqual("8 0", counts)
        self.assertEqual("opt: 8 passed, 0 failed\n", printed)

    def test_what_was_left_out_is_counted_by_its_tag(self):
        counts, printed = self.run_with({"//a:a": ("PASSED", "")}, {"//a:a": [], "//m:m": ["model"]}, left_out="model")
        self.assertEqual("1 0", counts)
        self.assertIn("left out by tag: 1 model", printed)

    def test_what_lacks_the_tag_that_is_asked_for_is_left_out(self):
        tests = {"//a:a": ["controlled"], "//b:b": [], "//c:c": ["model"]}
        counts, printed = self.run_with({"//a:a": ("PASSED", "")}, tests, left_out="+controlled")
        self.assertEqual("1 0", counts)
        self.assertIn("left out by tag: 2 not controlled", printed)
        counts, printed = self.run_with({}, tests, left_out="+controlled")
        self.assertEqual("0 1", counts)
        self.assertIn("//a:a was not run", printed)

    def test_a_test_that_did_not_run_has_failed(self):
        counts, printed = self.run_with({"//a:a": ("PASSED", "")}, {"//a:a": [], "//b:b": ["model"]}, status=1)
        self.assertEqual("1 1", counts)
        self.assertIn("//b:b was not run", printed)

    def test_a_test_that_failed_shows_its_log(self):
        results = {"//a:a": ("TIMEOUT", "stuck here\n")}
        counts, printed = self.run_with(results, {"//a:a": []}, status=3)
        self.assertEqual("0 1", counts)
        self.assertIn("stuck here", printed)

    def test_a_bazel_that_failed_without_a_reason_has_failed(self):
        counts, _ = self.run_with({"//a:a": ("PASSED", "")}, {"//a:a": []}, status=37)
        self.assertEqual("1 1", counts)


if __name__ == "__main__":
    unittest.main()
