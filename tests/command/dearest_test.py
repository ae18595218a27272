#!/usr/bin/env python3
"""The dearest targets of all steps: the shards of a target are added up, and the longest is first."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.test import dearest  # noqa: E402


def event(label, millis, shard=1, **more):
    return {"id": {"testResult": {"label": label, "run": 1, "shard": shard}},
            "testResult": {"status": "PASSED", "testAttemptDurationMillis": str(millis), **more}}


class Dearest(unittest.TestCase):
    def costs(self, events, step="opt"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "opt.json")
            path.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
            return dearest.costs_in(step, path)

    def shown(self, costs):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            dearest.show(costs)
        return output.getvalue().splitlines()

    def printed(self, events):
        return self.shown(self.costs(events))

    def test_shards_are_added_up_and_the_longest_is_first(self):
        lines = self.printed([event("//a:one", 2500), event("//b:two", 1500), event("//b:two", 1700, shard=2)])
        self.assertEqual(["the longest of 2 targets, 6 s of tests in all:", "      3.2 s  opt        //b:two",
                          "      2.5 s  opt        //a:one"], lines)

    def test_twenty_are_shown(self):
        lines = self.printed([event(f"//a:t{number:02}", 1000 * number) for number in range(25)])
        self.assertEqual(21, len(lines))
        self.assertIn("//a:t24", lines[1])
        self.assertIn("//a:t05", lines[-1])

    def test_a_result_from_a_cache_is_marked(self):
        lines = self.printed([event("//a:here", 3000, cachedLocally=True),
                              event("//a:there", 2000, executionInfo={"cachedRemotely": True}),
                              event("//a:half", 1000, cachedLocally=True), event("//a:half", 500, shard=2)])
        self.assertEqual(["//a:here (cached)", "//a:there (cached)", "//a:half"],
                         [line.split("opt        ")[1] for line in lines[1:]])

    def test_all_steps_are_one_list(self):
        lines = self.shown(self.costs([event("//a:one", 1000), event("//a:two", 3000)])
                           + self.costs([event("//a:one", 2000)], "tsan"))
        self.assertEqual(["the longest of 3 targets, 6 s of tests in all:", "      3.0 s  opt        //a:two",
                          "      2.0 s  tsan       //a:one", "      1.0 s  opt        //a:one"], lines)

    def test_without_results_nothing_is_printed(self):
        self.assertEqual([], self.printed([]))


if __name__ == "__main__":
    unittest.main()
