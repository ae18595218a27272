#!/usr/bin/env python3
"""check --reductions prints what its programs have counted, and no figure of a search that failed."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.check import reductions  # noqa: E402
from nowait.errors import Failure  # noqa: E402


def results(executions, blocked, exhausted=True, **more):
    return {"scenarios": [{"name": "3x3", "searches": [
        {"search": "graphs", "executions": executions, "exhausted": exhausted, "omitted": {"blocked": blocked}} | more]}]}


class Reductions(unittest.TestCase):
    def test_the_table(self):
        least = reductions.counted(results(1200, 34), "graphs", 0)
        more = reductions.counted(results(7200, 34), "graphs+names", 0)
        cut = reductions.counted(results(9999, 0, exhausted=False), "graphs+tries", 1)
        self.assertEqual(reductions.table([("job_list `3x3`", [least, more, least, least, cut])]), [
            "| scenario | all reductions | every name | every look | every try | none |",
            "|---|---|---|---|---|---|",
            "| job_list `3x3` | 1,200 + 34 | 7,200 + 34 | same | same | more than 9,999 + 0 |",
        ])

    def test_a_failure_is_no_count(self):
        with self.assertRaises(Failure) as raised:
            reductions.counted(results(5, 0, exhausted=False, failure={"kind": "data race"}), "graphs+names", 1)
        self.assertIn("3x3 fails with --search graphs+names", str(raised.exception))

    def test_a_program_that_ends_otherwise_has_counted_nothing(self):
        for exhausted, status in ((True, 1), (False, 0), (True, 2)):
            with self.subTest(exhausted, status=status), self.assertRaises(Failure):
                reductions.counted(results(5, 0, exhausted), "graphs", status)

    def test_each_search_leaves_out_less_than_the_first(self):
        first, *others = reductions.SEARCHES.values()
        self.assertEqual(first, "graphs")
        for search in others:
            self.assertTrue(search.startswith("graphs+"), search)


if __name__ == "__main__":
    unittest.main()
