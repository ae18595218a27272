#!/usr/bin/python3
"""The page in a browser: prediction, comparison, and the scheduler that one plays."""

import json
import unittest

from browser import Browser, sample
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Predicting(Browser):
    def setUp(self):
        self.open(sample("board"), "#view=predict")

    def choose(self, store):
        self.one(f".choice[data-store='{store}']").click()

    def test_the_answer_is_not_given_away(self):
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.current(), 3)
        self.assertIn("What does it get?", self.text(".sentence"))
        self.assertEqual(self.shown("tr.current .value"), [])
        self.assertEqual([it.text for it in self.shown("tr.future .event")], [])
        self.assertEqual(len(self.shown(".choice[data-store]")), 3)
        self.assertNotIn("read here", self.text(".may-read"))

    def test_right_allowed_and_forbidden_answers(self):
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.choose("2")
        self.assertIn("2 is allowed as well, but here it reads 1", self.text(".explanation"))
        self.assertIn("reads 1 from step 1", self.text(".sentence"))
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.choose("4")
        self.assertIn("Yes: it reads true", self.text(".explanation"))
        self.press(Keys.ARROW_RIGHT)
        self.choose("first")
        self.assertIn("No, 0 is forbidden here: it can no longer read the first value: step 2 overwrote it", self.text(".explanation"))
        self.assertIn("1 right, 1 allowed but not taken here, 1 forbidden, of 5 questions", self.text(".score"))

    def test_stepping_on_shows_the_answer_first(self):
        self.press(Keys.END)
        self.assertEqual(self.current(), 3, "no question is jumped over")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.current(), 3)
        self.assertIn("It reads 1", self.text(".explanation"))

    def test_playing_answers_no_question(self):
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.one(".player-play").click()
        self.assertEqual(self.text(".player-play"), "❚❚ pause")
        self.until(lambda: self.text(".player-play") == "▶ play")
        self.assertEqual(self.current(), 3)
        self.assertIn("What does it get?", self.text(".sentence"))

    def test_the_view_begins_at_the_beginning(self):
        self.open(sample("board"))
        self.one("nav a[data-view=predict]").click()
        self.assertEqual(self.current(), 1)

    def test_a_key_right_after_a_link_is_for_the_new_view(self):
        self.open(sample("letter_box"))
        # In one go: the browser has no time to report a new address in between.
        self.run_script("""
            document.querySelector('nav a[data-view=predict]').click();
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))""")
        self.assertEqual(self.current(), 2)


class Comparing(Browser):
    def test_it_parts_where_it_does(self):
        self.open(sample("letter_box"), "#step=4&view=compare")
        self.assertEqual([it.text for it in self.all(".side h2")],
                         ["As it is: fails", "Repaired: passes"])
        self.assertIn("relaxed becomes release", self.text(".repair"))
        left, right = self.all(".side .sentence")
        self.assertIn("Step 3 is relaxed", left.text)
        self.assertIn("synchronises with step 3", right.text)
        self.press(Keys.ARROW_RIGHT)
        self.assertIn("They part at step 5: with release, step 3 synchronises with step 4", self.text(".parting"))
        self.assertIn("reads 0", left.text)
        self.assertIn("reads 7", right.text)
        self.assertEqual([it.text for it in self.shown(".badge.parts")], ["they part here"] * 2)
        self.assertEqual(len(self.all(".side.passes path.arrow.sync")), 1)
        self.assertEqual(self.all(".side.fails path.arrow.sync"), [])

    def test_the_same_steps_that_are_no_race(self):
        record = json.loads(sample("letter_box"))
        record["repair"]["diverges"]["words"] = (
            "the same steps are no race: [3] synchronises with [4], so the write in [2] happens before the read in [5]")
        self.open(json.dumps(record), "#step=4&view=compare")
        self.assertIn("What differs shows at step 5", self.text(".parting"))
        self.press(Keys.ARROW_RIGHT)
        self.assertIn("Under the repair the same steps are no race: step 3 synchronises with step 4",
                      self.text(".parting"))
        self.assertEqual([it.text for it in self.shown(".badge.parts")], ["race", "no race"])

    def test_who_looks_elsewhere_is_not_called_back(self):
        self.open(sample("letter_box"), "#step=1&view=compare")
        self.one(".player-play").click()
        self.assertEqual(self.text(".player-play"), "❚❚ pause")
        self.one("nav a[data-view=text]").click()
        self.one("nav a[data-view=compare]").click()
        self.assertEqual(self.text(".player-play"), "▶ play")

    def test_it_begins_where_they_part(self):
        for hash_ in ("#view=compare", "#step=1"):
            self.open(sample("letter_box"), hash_)
            self.one("nav a[data-view=compare]").click()
            self.assertIn("They part at step 5: ", self.text(".parting"))

    def test_without_a_repair_it_says_why(self):
        self.open(sample("board"), "#view=compare")
        self.assertIn("No repair", self.text(".absent"))


class Scheduling(Browser):
    def setUp(self):
        self.open(sample("letter_box"), "#view=schedule")

    def go(self, thread, words="go"):
        for turn in self.all(".turn"):
            if f"Thread {thread}" not in turn.find_element(By.TAG_NAME, "legend").text:
                continue
            for button in turn.find_elements(By.CSS_SELECTOR, "button"):
                if words in button.text:
                    return button.click()
        self.fail(f"thread {thread} has no {words}")

    def test_a_reader_makes_it_fail(self):
        for thread, words in ((0, "go"), (0, "go"), (1, "read true"), (1, "go")):
            self.go(thread, words)
        self.assertIn("You made it fail: data race", self.text(".outcome"))
        self.assertEqual(self.all(".turn"), [])
        self.assertIn("fail once and pass 0 times", self.text(".scheduler .score"))
        self.assertEqual(len(self.shown(".scheduler .event")), 4)

    def test_and_keeps_it_from_failing(self):
        for thread, words in ((1, "go"), (1, "go"), (0, "go"), (0, "go")):
            self.go(thread, words)
        self.assertIn("It passed", self.text(".outcome"))
        self.one(".restart").click()
        self.assertEqual(len(self.all(".turn")), 2)

    def test_a_load_may_read_an_old_value(self):
        self.go(0)
        self.go(0)
        self.go(1, "read false")
        self.go(1, "read false")
        self.assertIn("It passed", self.text(".outcome"))

    def test_a_choice_can_be_taken_back(self):
        self.go(0)
        self.one(".undo").click()
        self.assertEqual(self.shown(".scheduler .event"), [])
        self.assertFalse(self.one(".undo").is_enabled())

    def test_hints_count_what_is_left(self):
        self.driver.find_element(By.XPATH, "//label[contains(., 'hints')]/input").click()
        self.assertIn("2 of 3 fail", self.text(".turns"))

    def test_without_recorded_executions_it_says_why(self):
        self.open(sample("board"), "#view=schedule")
        self.assertIn("too many executions", self.text(".absent"))


if __name__ == "__main__":
    unittest.main()
