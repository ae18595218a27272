#!/usr/bin/env -S /usr/bin/python3 -B
"""The figures of the lectures on islands and the tree in a browser: what every order of steps gives, and how they play."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.select import Select  # noqa: E402

# The models' words on src and of the mutants beside it: a figure's choices, and the promise that they break,
# or `None`. Without its second look a reader is safe in every order of steps, and only there:
# models/broadphase/tree_swap.pml, and models/sync/reader_epochs.cc with its mutant no_second_look.
CHOICES = {
    "union-find": [
        ({"task": "talk", "version": "src"}, None),
        ({"task": "chain", "version": "src"}, None),
        ({"task": "same", "version": "src"}, None),
        ({"task": "talk", "version": "shortcut"}, "1 and 2 are apart"),
        ({"task": "talk", "version": "stores"}, "1 and 2 are apart"),
    ],
    "root-insert": [
        ({"task": "free", "version": "src"}, None),
        ({"task": "full", "version": "src"}, None),
        ({"task": "reuse", "version": "src"}, None),
        ({"task": "reuse", "version": "slot"}, "does not find \u201cnew\u201d, whose insert has returned"),
    ],
    "reader-epochs": [
        ({"version": "src"}, None),
        ({"version": "at-once"}, "in a tree that was freed"),
        ({"version": "early"}, "in a tree that was freed"),
        ({"version": "no-look"}, None),
    ],
}


class Machines(Figure):
    def open_with(self, module, options):
        self.open("&".join(f"{name}={value}" for name, value in {"module": module, **options}.items()))

    def test_every_order_breaks_what_the_mutant_breaks(self):
        for module, choices in CHOICES.items():
            for options, broken in choices:
                with self.subTest(module=module, options=options):
                    self.open_with(module, options)
                    for name, value in options.items():
                        self.assertEqual(self.state()[name], value)
                    self.first(".pl-all").click()
                    self.assertEqual(self.state()["found"], broken is not None)
                    self.assertGreater(self.state()["states"], 10)
                    if broken is None:
                        continue
                    fewest = self.state()["fewest"]
                    self.first(".pl-show").click()
                    self.assertEqual(self.state()["steps"], fewest)
                    self.assertTrue(self.state()["bad"])
                    self.assertIn(broken, self.first(".pl-verdict").text)

    def test_the_numbers_that_the_lectures_name(self):
        for module, options, fewest in (
            ("union-find", {"task": "talk", "version": "shortcut"}, 11),
            ("root-insert", {"task": "reuse", "version": "slot"}, 10),
        ):
            with self.subTest(module=module):
                self.open_with(module, options)
                self.first(".pl-all").click()
                self.assertEqual(self.state()["fewest"], fewest)

    def test_the_choices_are_these(self):
        for module, choices in CHOICES.items():
            self.open(f"module={module}")
            for select in self.all("select"):
                offered = {option.get_attribute("value") for option in Select(select).options}
                known = {value for options, _ in choices for value in options.values()}
                self.assertLessEqual(offered, known, module)

    def test_keys_alone_play_a_figure(self):
        for module in CHOICES:
            with self.subTest(module=module):
                self.open(f"module={module}")
                self.first(".pl-step").send_keys(Keys.SPACE)
                self.assertEqual(self.state()["steps"], 1)
                self.key(Keys.ENTER, Keys.SPACE)
                self.assertEqual(self.state()["steps"], 3)
                self.first(".pl-undo").send_keys(Keys.ENTER)
                self.assertEqual(self.state()["steps"], 2)
                self.assertTrue(self.first("[aria-live]").text)

    def test_a_reader_that_stays_lets_the_writer_advance_once(self):
        self.open("module=reader-epochs")

        def step(t, times):
            for _ in range(times):
                self.all(".pl-thread")[t].find_element(By.CSS_SELECTOR, ".pl-step").click()

        step(1, 4)  # pinned, and in tree 0
        step(0, 8)  # an update that advances, and one that is refused; into the third
        self.assertEqual(self.state()["epoch"], 1)
        self.assertEqual(self.state()["trees"][0], "draining")
        self.assertTrue(self.state()["ok"])


class QuadTree(Figure):
    def button(self, text):
        return next(one for one in self.all("button") if text in one.text)

    def take(self, name):
        Select(self.first("select")).select_by_value(name)

    def test_a_move_is_seen_from_the_root_when_its_climb_has_ended(self):
        self.open("module=quad-tree")
        self.assertEqual((self.state()["bodies"], self.state()["depth"]), (10, 2))
        self.take("7")
        for _ in range(2):  # from under its node's box into the query's
            self.button("\u2190").click()
            while self.state()["climbing"]:
                self.button("Climb").click()
        before = self.state()
        self.assertEqual(before["missed"], [])
        self.take("1")
        self.button("\u2191").click()
        self.assertTrue(self.state()["climbing"])
        self.button("Climb").click()
        self.assertFalse(self.state()["climbing"])
        self.button("Rebuild").click()
        self.assertEqual(self.state()["missed"], [])

    def play(self, steps):
        for step in steps:
            if step in ("3", "4", "query"):
                self.take(step)
            else:
                self.button(step).click()

    def test_a_climb_that_stops_early_loses_a_body_and_the_code_does_not(self):
        left, right, down = "\u2190", "\u2192", "\u2193"
        for version, lost in (("stops", ["4"]), ("src", [])):
            with self.subTest(version=version):
                self.open("module=quad-tree")
                Select(self.all("select")[1]).select_by_value("deep")
                Select(self.all("select")[2]).select_by_value(version)
                self.assertEqual((self.state()["bodies"], self.state()["depth"]), (11, 3))
                self.play(["query", left, down, down, down])
                self.play(["3", right, "Climb", "4", right, "Climb"])
                self.assertEqual(self.state()["lost"], lost)
                self.assertEqual(self.state()["climbers"], ["3"] if lost else ["3", "4"])
                self.play(["3", "Climb", "4", "Climb"])
                self.assertEqual((self.state()["lost"], self.state()["climbing"]), ([], False))

    def test_two_threads_climb_and_no_third(self):
        self.open("module=quad-tree")
        for name in ("0", "4"):
            self.take(name)
            self.button("\u2190").click()
        self.assertEqual(self.state()["climbers"], ["0", "4"])
        self.take("9")
        self.button("\u2191").click()
        self.assertEqual(self.state()["climbers"], ["0", "4"])
        self.assertIn("Both threads", self.first("[aria-live]").text)

    def test_bodies_one_by_one_make_a_list_and_a_rebuild_a_tree(self):
        self.open("module=quad-tree")
        for _ in range(8):
            self.button("Insert").click()
        deep = self.state()["depth"]
        self.assertEqual(self.state()["bodies"], 18)
        self.button("Rebuild").click()
        self.assertLess(self.state()["depth"], deep)

    def test_keys_alone(self):
        self.open("module=quad-tree")
        self.button("Insert").send_keys("i")
        self.assertEqual(self.state()["bodies"], 11)
        self.key("x")
        self.assertEqual(self.state()["bodies"], 10)
        self.key("b")
        self.assertEqual(self.state()["depth"], 2)
        self.key("r")
        self.take("0")
        self.first(".quad").find_element(By.TAG_NAME, "button").send_keys(Keys.ARROW_RIGHT)
        self.assertTrue(self.state()["climbing"])
        self.key("c")
        self.assertFalse(self.state()["climbing"])
        self.assertTrue(self.first("[aria-live]").text)


if __name__ == "__main__":
    unittest.main()
