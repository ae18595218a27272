#!/usr/bin/env python3
"""bench cores: the picture of its results."""

import pathlib
import sys
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import cores_plot  # noqa: E402


def points(name, work, times):
    return [{"name": name, "work_ns": work, "threads": 2**i, "round_ns": time} for i, time in enumerate(times)]


RESULTS = {
    "workloads": [point for name in ("fan", "chain") for work in (0, 1000, 10_000)
                  for point in points(name, work, (4e6, 2e6, 8e6))],
    "workloads_at_once": points("fan", 1000, (4e6, 2e6, 1e6)) + points("fan", 10_000, (4e6, 2e6, 1e6)),
    "policies": [point for name in ("fan: stealing", "list: by 1", "paths: last")
                 for point in points(name, 1000, (4e6, 2e6, 8e6))],
}


class Picture(unittest.TestCase):
    def test_names_what_it_shows(self):
        text = cores_plot.draw(RESULTS)
        xml.fromstring(text)
        for words in ("fan", "chain", "fan: stealing", "list: by 1", "simulated cores", "Tasks of 10 µs, woken at once"):
            self.assertIn(words, text)
        self.assertNotIn("paths: last", text)

    def test_the_same_numbers_give_the_same_file(self):
        self.assertEqual(cores_plot.draw(RESULTS), cores_plot.draw(RESULTS))

    def test_other_numbers_give_another_one(self):
        other = RESULTS | {"policies": points("fan: stealing", 1000, (4e6, 2e6, 1e6)) + points("list: by 1", 1000, (4e6,))}
        self.assertNotEqual(cores_plot.draw(RESULTS), cores_plot.draw(other))


if __name__ == "__main__":
    unittest.main()
