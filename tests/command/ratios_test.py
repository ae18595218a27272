#!/usr/bin/env python3
"""bench --ratios: the median of the quotients of paired repetitions, which quotients of medians are not."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import ratios  # noqa: E402


def entry(name, index, time, **more):
    return {"run_name": name, "name": name, "run_type": "iteration", "repetition_index": index,
            "real_time": time, "time_unit": "us", **more}


class Ratios(unittest.TestCase):
    def test_repetitions_are_paired_by_their_index(self):
        # Reported in the order in which they ran, which is random.
        report = {"benchmarks": [
            entry("loop/ours/2/real_time", 1, 9.0), entry("loop/ours/2/real_time", 0, 1.0),
            entry("loop/baseline/2/real_time", 2, 4.0), entry("loop/ours/2/real_time", 2, 2.0),
            entry("loop/baseline/2/real_time", 0, 8.0), entry("loop/baseline/2/real_time", 1, 9.0),
            {"run_name": "loop/ours/2/real_time", "run_type": "aggregate", "aggregate_name": "median"},
        ]}
        times = ratios.times_of(report)
        self.assertEqual(times, {"loop/ours/2": [1e3, 9e3, 2e3], "loop/baseline/2": [8e3, 9e3, 4e3]})
        pair, = ratios.pairs(times)
        self.assertEqual(pair["ratios"], [8.0, 1.0, 2.0])
        self.assertEqual(pair["ratio"], 2.0)
        self.assertEqual((pair["ours_ns"], pair["baseline_ns"]), (2e3, 8e3))
        self.assertNotEqual(pair["ratio"], pair["baseline_ns"] / pair["ours_ns"])

    def test_items_and_a_baseline_of_one_thread(self):
        times = ratios.times_of({"benchmarks": [
            entry("find/ours/2", 0, 7.0, items_per_second=1e9), entry("find/baseline/1", 0, 7.0, items_per_second=5e8),
        ]})
        pair, = ratios.pairs(times)
        self.assertEqual((pair["threads"], pair["baseline_threads"], pair["ratio"]), (2, 1, 2.0))

    def test_a_given_number_of_iterations_is_no_part_of_the_name(self):
        times = ratios.times_of({"benchmarks": [entry("add/ours/1/iterations:500/manual_time", 0, 2.0)]})
        self.assertEqual(times, {"add/ours/1": [2e3]})

    def test_a_repetition_without_its_partner_is_an_error(self):
        with self.assertRaises(ValueError):
            list(ratios.pairs({"a/ours/1": [1.0, 2.0], "a/baseline/1": [1.0]}))

    def test_a_benchmark_that_failed_ends_it(self):
        with self.assertRaises(SystemExit):
            ratios.times_of({"benchmarks": [{"name": "a/ours/1", "error_occurred": True, "error_message": "full"}]})


if __name__ == "__main__":
    unittest.main()
