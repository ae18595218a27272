#!/usr/bin/env python3
"""Of a model's output the lanes stay, once, and the other scenarios have a line."""

import json
import pathlib
import tempfile
import unittest

import places  # noqa: F401
from nowait.exercise import shorten  # noqa: E402

LANES = "\n".join(["  thread 0        thread 1"] + [f"  │ [{i}] x load │" for i in range(100)])
OUTPUT = f"""box 2x1: two workers and one job
  graphs                                  1 executions, FAILED, 0.00 s
{LANES}

  broken data race: a plain write and another thread's access are not ordered
  again: ./nowait check box --scenario 2x1 --search graphs --state .3.1
box 2x2: two workers and two jobs
  graphs                                  1 executions, FAILED, 0.00 s
  data race; its lanes: ./nowait show exercise/too-large/counterexample/box_2x2.json
box alone: nobody else is there
  graphs                              all 1,203 executions examined, 0.00 s
C++20 allows this, and these searches leave it out: a defect that needs it is not found
  load buffering
page: exercise/too-large/counterexample/box_2x1.html   (in the terminal again: ./nowait show ...)
1 more page in exercise/too-large/counterexample
1 passed, 2 failed
"""


def scenario(name, executions, failure=None, passed=None):
    search = {"search": "graphs", "executions": executions}
    if failure:
        search["failure"] = failure
    return {"name": name, "passed": not failure if passed is None else passed, "searches": [search]}


RACE = {"kind": "data race", "words": "a plain write and another thread's access are not ordered"}


class Shorten(unittest.TestCase):
    def shorten(self, output, scenarios):
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder) / "results.json"
            results.write_text(json.dumps({"scenarios": scenarios}), encoding="utf-8")
            return shorten.shorten("box", output, results)

    def test_what_stays(self):
        text = self.shorten(OUTPUT, [scenario("2x1", 1, RACE), scenario("2x2", 1, RACE), scenario("alone", 1203)])
        self.assertIn("box 2x1: two workers and one job\n  thread 0        thread 1\n", text)
        self.assertIn("  broken data race: a plain write", text)
        self.assertIn("more lines; the page has them all", text)
        self.assertLess(len(text.splitlines()), shorten.MOST_LINES + 6)
        self.assertIn("\nbox: also fails: 2x2 (data race)\nbox: 1 of 3 scenarios pass: alone (1,203 executions)", text)
        for word in ("again:", "its lanes:", "load buffering", "passed, 2 failed"):
            self.assertNotIn(word, text)

    def test_the_page_is_that_of_the_lanes(self):
        self.assertEqual(["exercise/too-large/counterexample/box_2x1.html"], shorten.pages(OUTPUT))

    def test_an_invariant_is_named_without_its_history(self):
        broken = {"kind": "invariant", "words": "a box is linearizable\n  history\n    thread 0  #1 Take()"}
        self.assertIn("also fails: 2x2 (a box is linearizable)\n", self.shorten("", [scenario("2x2", 1, broken),
                                                                                      scenario("alone", 3)]))

    def test_colours_hide_nothing(self):
        coloured = OUTPUT.replace("  again:", "  \x1b[2magain:").replace("broken", "\x1b[31mbroken")
        text = self.shorten(coloured, [scenario("2x1", 1, RACE)])
        self.assertNotIn("again:", text)
        self.assertIn("\x1b[31mbroken", text)

    def test_all_pass(self):
        output = OUTPUT[OUTPUT.index("box alone"):]
        self.assertEqual("box: 1 of 1 scenarios pass (1,203 executions)", self.shorten(output, [scenario("alone", 1203)]))

    def test_what_came_to_no_end_has_not_passed(self):
        self.assertIn("not finished, and so not passed: alone", self.shorten("", [scenario("alone", 9, passed=False)]))


if __name__ == "__main__":
    unittest.main()
