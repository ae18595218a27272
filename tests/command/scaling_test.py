#!/usr/bin/env python3
"""check --scaling compares only tests that ran, and computes the rest."""

import collections
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.check import scaling  # noqa: E402


def event(label, shard, start, seconds, **more):
    return {"id": {"testResult": {"label": label, "run": 1, "shard": shard}},
            "testResult": {"status": "PASSED", "testAttemptStartMillisEpoch": str(int(start * 1000)),
                           "testAttemptDurationMillis": str(int(seconds * 1000))} | more}


ONE = [event("//a:a", 1, 100, 4), event("//a:a", 2, 104, 2), event("//a:b", 1, 106, 6)]
TWO = [event("//a:b", 1, 100, 7), event("//a:a", 1, 100, 4), event("//a:a", 2, 104, 2)]


class Scaling(unittest.TestCase):
    def run_with(self, *runs):
        """The table."""
        with tempfile.TemporaryDirectory() as folder:
            measured = collections.defaultdict(list)
            for number, (workers, events) in enumerate(runs):
                path = pathlib.Path(folder) / str(number)
                path.write_text("\n".join(map(json.dumps, [{"id": {"started": {}}}, *events])), encoding="utf-8")
                measured[workers].append(scaling.shards_in(path))
            return scaling.table(measured)

    def test_the_table(self):
        lines = self.run_with((1, ONE), (2, TWO))
        self.assertIn("| 1 | 12.0 s | 12.0 s | 100.0% |", lines)
        self.assertIn("| 2 | 7.0 s | 6.0 s | 50.0% |", lines)
        self.assertIn("| 4 |  | 6.0 s | 50.0% |", lines)
        self.assertIn("3 shards; the longest, 6.0 s, is //a:b shard 1", lines[-1])

    def test_who_is_free_first_takes_the_longest_that_is_left(self):
        """Of 5, 4, 3, 3, 3 two workers get 5 + 3 and 4 + 3 + 3; four of them 5, 4, 3 and 3 + 3."""
        seconds = [3, 5, 3, 4, 3]
        one = [event("//a:a", shard, sum(seconds[:shard - 1]), seconds[shard - 1]) for shard in range(1, 6)]
        lines = self.run_with((1, one))
        self.assertIn("| 1 | 18.0 s | 18.0 s | 100.0% |", lines)
        self.assertIn("| 2 |  | 10.0 s | 55.6% |", lines)
        self.assertIn("| 4 |  | 6.0 s | 33.3% |", lines)
        self.assertIn("| 8 |  | 5.0 s | 27.8% |", lines)
        self.assertIn("5 shards; the longest, 5.0 s, is //a:a shard 2", lines[-1])

    def test_what_was_measured_is_the_median_of_its_runs_from_the_first_start_to_the_last_end(self):
        def run(*ends):
            return [event("//a:a", 1, 50, ends[0]), event("//a:a", 2, 51, ends[1] - 1), event("//a:b", 1, 52, 1)]
        lines = self.run_with((1, ONE), *((2, run(*ends)) for ends in ((9, 3), (4, 6), (20, 3))))
        two = [line for line in lines if line.startswith("| 2 |")]
        self.assertEqual(two[0].split("|")[2].strip(), "9.0 s")

    def test_medians(self):
        slow = [event("//a:a", 1, 0, 40), event("//a:a", 2, 40, 20), event("//a:b", 1, 60, 60)]
        lines = self.run_with((1, ONE), (2, TWO), (1, slow), (1, ONE))
        self.assertIn("| 1 | 12.0 s | 12.0 s | 100.0% |", lines)

    def test_what_did_not_run_is_not_compared(self):
        for bad in ([event("//a:a", 1, 0, 4, cachedLocally=True)], [event("//a:a", 1, 0, 4, status="FAILED")], []):
            with self.subTest(bad), self.assertRaises(scaling.Unreadable):
                self.run_with((1, ONE), (2, bad))


if __name__ == "__main__":
    unittest.main()
