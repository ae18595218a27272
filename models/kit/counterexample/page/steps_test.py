#!/usr/bin/python3
"""The page in a browser: steps, arrows, store histories, folding."""

import json
import unittest

from browser import Browser, sample
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Steps(Browser):
    def setUp(self):
        self.open(sample("letter_box"))

    def test_the_verdict_comes_first(self):
        self.assertIn("data race: letter_ is read by thread 1", self.text("h1"))
        self.assertIn("takes a letter out", self.text(".promise"))
        self.assertEqual(self.current(), 5, "opens where it is broken")
        self.assertIn("Here it is broken", self.text(".sentence"))
        self.assertEqual(self.run_script("return scrollY"), 0)

    def test_keys_go_from_step_to_step(self):
        self.press(Keys.HOME)
        self.assertEqual(self.current(), 1)
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        self.assertEqual(self.current(), 4)
        self.assertIn("Thread 1: load of full_ (acquire) in LetterBox::Take reads true from step 3 (thread 0)",
                      self.text(".sentence"))
        self.assertIn("Step 3 is relaxed: thread 1 learns this one value", self.text(".sentence"))
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.current(), 3)
        self.press(Keys.END, Keys.ARROW_RIGHT)
        self.assertEqual(self.current(), 5)

    def test_the_step_is_in_the_address(self):
        self.press(Keys.HOME, Keys.ARROW_RIGHT)
        self.assertEqual(self.hash(), "#step=2")
        self.run_script("location.hash = '#step=4'")
        self.until(lambda: self.current() == 4)
        self.open(sample("letter_box"), "#step=3&view=compare")
        self.assertIn("So far both do the same", self.text(".parting"))

    def test_addresses_that_nobody_wrote(self):
        for hash_ in ("#step=999", "#step=-4", "#step=x&view=nothing", "#view=", "#%"):
            self.open(sample("letter_box"), hash_)
            self.assertEqual(self.current(), 5, hash_)

    def test_buttons_scrubber_and_play(self):
        self.one(".player-first").click()
        self.assertEqual(self.current(), 1)
        self.one(".player-next").click()
        self.assertEqual(self.current(), 2)
        self.run_script("const s = document.querySelector('.scrubber'); s.value = 3;"
                        "s.dispatchEvent(new Event('input'))")
        self.assertEqual(self.current(), 4)
        self.one(".player-play").click()
        self.until(lambda: self.current() == 5)
        self.until(lambda: self.text(".player-play") == "▶ play")

    def test_what_is_to_come_is_not_told(self):
        self.press(Keys.HOME)
        self.assertEqual([it.text for it in self.shown("tr.future .value")], [])
        self.press(Keys.END)
        self.assertEqual(self.all("tr.future"), [])

    def test_the_source_is_beside(self):
        self.press(Keys.HOME)
        line = self.one(".listing li.current")
        self.assertEqual(line.get_attribute("data-line"), "14")
        self.assertIn("full_.load(std::memory_order::acquire)", line.text)
        self.assertEqual(len(self.all(".listing li")), 22, "the whole file")

    def test_bytes_that_say_nothing_are_not_told(self):
        record = json.loads(sample("letter_box"))
        record["execution"]["objects"][0]["first"] = "..."
        record["execution"]["events"][1]["written"]["value"] = "..."
        record["execution"]["events"][4]["read"]["value"] = "..."
        self.open(json.dumps(record))
        self.assertNotIn("...", self.text(".lanes"))
        self.assertIn("Thread 1: read of letter_ (plain data) in LetterBox::Take.", self.text(".sentence"))

    def test_indices_are_no_steps(self):
        record = json.loads(sample("letter_box"))
        record["execution"]["objects"][0]["name"] = "box[1].letter[2]"
        record["execution"]["failure"]["words"] = "box[1].letter[2] is read in [5]"
        self.open(json.dumps(record))
        self.assertIn("box[1].letter[2]", self.text(".sentence .what"))
        self.assertIn("box[1].letter[2] is read in step 5", self.text(".sentence .broken"))

    def test_steps_are_links(self):
        self.one(".key-steps a[data-step='2']").click()
        self.assertEqual(self.current(), 2)


class StepsToLookAt(Browser):
    def record(self):
        """Nothing to blame; a thread's store that comes before another's although that took effect first."""
        record = json.loads(sample("board"))
        execution = record["execution"]
        execution["failure"].update(events=[], details=["Peek() = 1, by thread 2; meanwhile it was 2"])
        execution["events"][1].update(thread=1, call=None)
        execution["modification_orders"][0]["stores"] = [2, 1]
        return json.dumps(record)

    def test_what_stands_out_is_named(self):
        self.open(self.record())
        words = self.text(".key-steps")
        self.assertIn("step 2 (overwritten from the start)", words)
        self.assertIn("step 3 (ends the call that answers wrongly)", words)
        self.assertIn("Seen: Peek() = 1, by thread 2; meanwhile it was 2", self.text(".observed"))

    def test_what_stands_out_by_what_it_does_comes_first(self):
        self.open(self.record())
        self.assertIn(f"step {self.current()} (", self.text(".key-steps"))
        self.assertNotEqual(self.current(), 3, "where the call ends that answers wrongly")

    def test_each_says_what_it_is(self):
        self.open(self.record(), "#step=2")
        self.assertIn("it stands before step 1, which is above it here", self.text(".sentence"))
        self.press(Keys.ARROW_RIGHT)
        self.assertIn("Here it is broken", self.text(".sentence"))


class Arrows(Browser):
    def arrows(self, within=".steps"):
        return {tuple(it.get_attribute(name) for name in ("class", "data-from", "data-to"))
                for it in self.all(f"{within} path.arrow")}

    def test_the_arrows_of_a_known_race(self):
        self.open(sample("letter_box"))
        self.assertEqual(self.arrows(), {
            ("arrow reads", "3", "4"), ("arrow stale now", "first", "5"), ("arrow race now", "2", "5")})
        self.press(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.arrows(), {("arrow reads now", "3", "4")})
        self.press(Keys.HOME)
        self.assertEqual(self.arrows(), {("arrow reads now", "first", "1")})

    def test_stale_and_synchronising_arrows(self):
        self.open(sample("board"))
        arrows = self.arrows()
        self.assertIn(("arrow stale now", "1", "8"), arrows)
        self.assertIn(("arrow sync", "4", "5"), arrows)
        stale, plain = (self.run_script(
            "const s = getComputedStyle(document.querySelector(arguments[0]));"
            "return [s.stroke, parseFloat(s.strokeWidth)]", f".steps path.arrow.{kind}")
            for kind in ("stale:not(.now)", "reads"))
        self.assertNotEqual(stale[0], plain[0])
        self.assertGreater(stale[1], plain[1], "not by colour alone")

    def test_only_those_of_this_step(self):
        self.open(sample("board"))
        self.driver.find_element(By.XPATH, "//label[contains(., 'arrows of all')]/input").click()
        self.assertEqual(self.arrows(), {("arrow stale now", "1", "8")})
        # A box to tick uses no arrow keys: they still go from step to step.
        self.press(Keys.HOME)
        self.assertEqual(self.current(), 1)

    def test_arrows_end_at_their_steps(self):
        self.open(sample("board"))
        ends = self.run_script("""
            return [...document.querySelectorAll('.steps path.arrow[data-from="1"]')].map((path) => {
              const end = path.getPointAtLength(path.getTotalLength());
              const over = path.closest('.over').getBoundingClientRect();
              const box = document.querySelector(`.event[data-step="${path.dataset.to}"]`)
                .getBoundingClientRect();
              return [end.x + over.x - box.left, (end.y + over.y - (box.top + box.bottom) / 2)];
            })""")
        self.assertEqual(len(ends), 3)
        for x, y in ends:
            self.assertLess(abs(x), 2)
            self.assertLess(abs(y), 2)


class Stores(Browser):
    def test_what_may_not_be_read_is_grey_and_says_why(self):
        self.open(sample("board"), "#step=6")
        rows = {row.get_attribute("data-store"): row for row in self.all(".may-read tbody tr")}
        self.assertEqual(list(rows), ["first", "1", "2"])
        self.assertIn("forbidden", rows["1"].get_attribute("class"))
        self.assertIn("no: It can no longer read the store step 1: step 2 overwrote it", rows["1"].text)
        self.assertIn("step 4, after it in its thread, synchronises with step 5", rows["1"].text)
        self.assertNotIn("forbidden", rows["2"].get_attribute("class"))
        self.assertIn("read here", rows["2"].text)
        self.assertEqual(self.all("path.arrow.path"), [])
        rows["1"].find_element(By.CSS_SELECTOR, "button").click()
        self.assertEqual(len(self.all("path.arrow.path")), 4)

    def test_a_stale_read_says_what_else_was_allowed(self):
        self.open(sample("board"), "#step=3")
        self.assertIn("read here, though stale", self.text(".may-read tr.read"))
        self.assertIn("allowed too", self.text(".may-read tr[data-store='2']"))
        self.assertIn("which is not the newest: step 2 wrote 2", self.text(".sentence"))
        self.assertIn("Nothing orders step 2 before this load", self.text(".sentence"))

    def test_histories_grow_with_the_steps(self):
        self.open(sample("board"), "#step=1")
        history = "const d = [...document.querySelectorAll('.histories dt')].find((it) => " \
                  "it.textContent.startsWith('value_')).nextElementSibling;" \
                  "return [...d.querySelectorAll('li')].map((it) => it.querySelector('.value').textContent)"
        self.assertEqual(self.run_script(history), ["0", "1"])
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.run_script(history), ["0", "1", "2"])


class Folding(Browser):
    def setUp(self):
        self.open(sample("board"), "#step=1")

    def fold(self, name, which=0):
        return [it for it in self.shown(".fold") if it.find_element(By.TAG_NAME, "b").text == name][which]

    def test_a_call_folds_and_is_stepped_over(self):
        fold = self.fold("Post")
        self.assertEqual(fold.get_attribute("aria-expanded"), "true")
        fold.click()
        self.assertEqual(fold.get_attribute("aria-expanded"), "false")
        self.assertEqual(len(self.shown(".event")), 5)
        self.assertIn("3 steps", fold.text)
        self.press(Keys.HOME)
        self.assertEqual(self.hash(), "#step=3")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.hash(), "#step=4", "the folded call, at its end")
        self.press(Keys.END)
        arrow = self.run_script("""
            const path = document.querySelector('path.arrow[data-from="1"][data-to="8"]');
            const start = path.getPointAtLength(0), over = path.closest('.over').getBoundingClientRect();
            const box = arguments[0].getBoundingClientRect();
            return Math.abs(start.y + over.y - (box.top + box.bottom) / 2)""", fold)
        self.assertLess(arrow, 2, "arrows begin at the folded call")
        fold.click()
        self.assertEqual(len(self.shown(".event")), 8)

    def test_calls_within_calls(self):
        self.fold("Twice").click()
        self.assertEqual(len(self.shown(".event")), 6)
        self.assertEqual([it.text for it in self.shown(".fold b")], ["Post", "Peek", "Read", "Twice"])

    def test_a_step_asked_for_by_number_is_opened(self):
        self.fold("Post").click()
        self.run_script("location.hash = '#step=2'")
        self.until(lambda: len(self.shown(".event")) == 8)
        self.assertEqual(self.current(), 2)

    def test_all_at_once(self):
        self.one(".fold-all").click()
        self.assertEqual(self.shown(".event"), [])
        self.one(".unfold-all").click()
        self.assertEqual(len(self.shown(".event")), 8)


class Story(Browser):
    def test_what_a_gallery_tells_comes_first(self):
        lines = json.loads(sample("letter_box"))["sources"][0]["lines"]
        right = [line.replace("true, std::memory_order::relaxed", "true, std::memory_order::release")
                 for line in lines]
        self.assertNotEqual(lines, right)
        self.open(sample("letter_box"), story=json.dumps({
            "title": "A letter <nobody> wrote", "source": "a lecture", "about": "A box for one letter.",
            "parts": [{"heading": "What was believed", "words": "that order is order"}],
            "repaired": [{"file": "own/letter_box/letter_box.h", "lines": right}]}))
        self.assertEqual(self.text("h1"), "A letter <nobody> wrote")
        self.assertIn("that order is order", self.text(".story"))
        self.assertNotIn("A box for one letter.", self.text(".story"))
        self.one(".structure > summary").click()
        self.assertIn("A box for one letter.", self.text(".story"))
        self.assertIn("data race", self.text(".fails-how"))
        self.assertIn("memory_order::relaxed", self.text(".listing .differs"))
        self.assertEqual(self.one(".listing .differs").get_attribute("data-line"), "9")
        self.assertIn("memory_order::release", self.text(".listing .repaired"))
        self.assertEqual(len(self.all(".listing li")), len(lines) + 1)
        # Which side a line is of stands in the line, and nothing runs through it or its neighbours.
        label = self.one(".listing .repaired .which")
        line = self.one(".listing .repaired")
        self.assertEqual(label.text, "right:")
        self.assertLessEqual(label.rect["y"] + label.rect["height"], line.rect["y"] + line.rect["height"] + 1)
        self.assertEqual(label.value_of_css_property("border-top-width"), "0px")

    def test_in_a_lecture_the_lanes_come_first(self):
        page = self.page(sample("letter_box"), name="letter", story=json.dumps({
            "title": "A letter nobody wrote", "source": "a lecture", "about": "A box for one letter.",
            "parts": [{"heading": "What was believed", "words": "that order is order " * 40}]}))
        lecture = page.with_name("lecture.html")
        lecture.write_text(f"<!DOCTYPE html><title>.</title><iframe width=900 height=520 src='{page.name}'></iframe>")
        self.visit(lecture)
        self.driver.switch_to.frame(self.one("iframe"))
        self.addCleanup(self.driver.switch_to.default_content)
        self.assertEqual(self.text("h1"), "A letter nobody wrote")
        self.assertIn("data race", self.text(".fails-how"))
        self.assertLess(self.one(".lanes").rect["y"], 520 * 0.6)
        step = self.one(".steps .event[data-step='1']").rect
        self.assertLess(step["y"] + step["height"], 520, "the first step is in sight")
        self.assertEqual(self.shown(".parts"), [])
        self.one(".about > summary").click()
        self.assertIn("that order is order", self.text(".about"))
        self.assertIn("Promised: ", self.text(".about"))


if __name__ == "__main__":
    unittest.main()
