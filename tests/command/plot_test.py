#!/usr/bin/env python3
"""bench --plot draws what was measured at several sizes, the same numbers always in the same way."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import plot  # noqa: E402


def pair(operation, threads, ours, baseline):
    return {"operation": operation, "threads": threads, "ours_ns": ours, "baseline_ns": baseline}


PAIRS = [
    pair("loop_by_64", 1, 2.0, 4.0), pair("loop_by_64", 2, 1.0, 2.0), pair("loop_by_4096", 1, 1.0, 1.0),
    pair("loop_by_4096", 2, 0.5, 1.0), pair("tasks_16_one_queue", 2, 100.0, 50.0),
    pair("tasks_256_one_queue", 2, 50.0, 50.0), pair("nested_18", 2, 10.0, 10.0), pair("union", 1, 1.0, 2.0),
]


class Plot(unittest.TestCase):
    def test_what_belongs_together(self):
        found = plot.panels(PAIRS)
        self.assertEqual(list(found), ["loop_by", "tasks_one_queue"])
        self.assertEqual(found["loop_by"]["ours", 2], [(64, 1e9), (4096, 2e9)])
        self.assertEqual(found["loop_by"]["baseline", 1], [(64, 0.25e9), (4096, 1e9)])
        self.assertEqual(found["tasks_one_queue"]["ours", 2], [(16, 1e7), (256, 2e7)])

    def test_a_picture_with_names_and_without_a_date(self):
        drawn = plot.draw(PAIRS)
        self.assertEqual(drawn, plot.draw(PAIRS))
        for words in ("loop by", "tasks one queue", "ours, 2 threads", "baseline, 1 thread", "items a second", "grain", "tasks"):
            self.assertIn(f">{words}<", drawn)
        self.assertNotIn("dc:date", drawn)

    def test_nothing_to_draw(self):
        self.assertIsNone(plot.draw([pair("nested_18", 2, 10.0, 10.0), pair("union", 1, 1.0, 2.0)]))


if __name__ == "__main__":
    unittest.main()
