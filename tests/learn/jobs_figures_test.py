#!/usr/bin/env -S /usr/bin/python3 -B
"""The figures of the lectures on jobs and on publication in a browser: what every order of steps gives, and how they play."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.select import Select  # noqa: E402

# The models' words on src and of the mutants beside it. Each choice of a figure's first select box, and the
# promise that it breaks; `None` for src's, which breaks no promise.
CHOICES = {
    "spsc-ring": {
        "src": None, "published": "read before it had been written", "freed": "written before it had been read"},
    "job-list": {
        "src": None, "late": "each job runs exactly once", "counting": "no worker holds the lock", "sync": None},
    "job-list-registry": {"src": None, "look": "used the list after its end", "stays": "used the list after its end"},
    "task-graph": {"src": None, "torn": "no worker can go on"},
    "task-completion": {"src": None, "first": "the dependent is forgotten", "zero": "the dependent is forgotten"},
    "event-lanes": {"src": None, "arrival": "another stream", "thread": "another stream"},
    "work-deque": {"src": None, "store": "given out twice", "looks": "given out twice"},
}


class Machines(Figure):
    def first_choice(self):
        return Select(self.all("select")[0])

    def test_every_order_breaks_what_the_mutant_breaks(self):
        for module, choices in CHOICES.items():
            self.open(f"module={module}")
            offered = [option.get_attribute("value") for option in self.first_choice().options]
            self.assertEqual(offered, list(choices), module)
            for choice, broken in choices.items():
                with self.subTest(module=module, choice=choice):
                    self.first_choice().select_by_value(choice)
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
                self.first(".pl-again").send_keys(Keys.ENTER)
                self.assertEqual(self.state()["steps"], 0)
                self.assertTrue(self.first("[aria-live]").text)

    def test_an_option_of_the_lecture_is_the_first_choice(self):
        self.open("module=job-list&list=counting")
        self.assertEqual(self.state()["list"], "counting")
        self.open("module=spsc-ring&cells=4")
        self.assertEqual(self.state()["capacity"], 4)
        self.open("module=job-list&list=nothing-of-the-kind")
        self.assertEqual(self.state()["list"], "src")

    def test_a_stopped_holder_stops_fetching_and_nothing_else(self):
        self.open("module=job-list")
        lane = self.all(".pl-thread")
        lane[0].find_element(By.CSS_SELECTOR, ".pl-step").click()  # holds the lock, and stops
        for t in (1, 2, 1):
            self.all(".pl-thread")[t].find_element(By.CSS_SELECTOR, ".pl-step").click()
        state = self.state()
        self.assertEqual(state["lock"], 1)
        self.assertEqual(state["at"], ["look", "try", "try"])
        self.assertEqual(state["falseStalls"], 0)
        self.assertFalse(state["bad"])


if __name__ == "__main__":
    unittest.main()
