#!/usr/bin/python3
"""The gallery's own pages, made as ./nowait gallery makes them, each in a browser."""

import atexit
import functools
import pathlib
import sys
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(sys.argv[0]).absolute().parent
ROOT = HERE.parents[1]  # of the runfiles: the programs are where the checkout's .bazel/bin has them
sys.path[:0] = [str(ROOT / "models/kit/counterexample/page"), str(ROOT / "tools")]
from browser import Browser  # noqa: E402
from nowait.gallery import make_pages, read_pages  # noqa: E402
from selenium.common.exceptions import TimeoutException  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

DEFECTS = tomllib.loads((HERE / "defects.toml").read_text())["defect"]
PROGRAM = ROOT / "models/gallery/gallery"


@functools.cache
def gallery():
    folder = tempfile.TemporaryDirectory(dir="/tmp", prefix="gallery")
    atexit.register(folder.cleanup)
    made = pathlib.Path(folder.name)
    make_pages(read_pages(PROGRAM), PROGRAM, ROOT, made)
    return made


def plain(words):
    return " ".join(words.split())


class Pages(Browser):
    """A page for each defect; without its failure a mutant has no page, and there is no gallery."""

    def test_there_is_one_for_each_defect_and_no_other(self):
        self.assertEqual({path.name for path in gallery().iterdir()},
                         {f"{defect['page']}.html" for defect in DEFECTS} | {"index.html"})

    def test_the_front_page_leads_to_each(self):
        self.visit(gallery() / "index.html")
        targets = [it.get_attribute("href").rsplit("/", 1)[1] for it in self.all("li a")]
        self.assertEqual(targets, [f"{defect['page']}.html" for defect in DEFECTS])

    def test_each_shows_its_defect(self):
        for defect in DEFECTS:
            with self.subTest(defect["page"]):
                self.visit(gallery() / f"{defect['page']}.html")
                self.events = self.run_script(
                    "return JSON.parse(document.getElementById('record').textContent).execution.events")
                self.see_the_story_and_the_verdict(defect)
                self.see_arrows_from_one_thread_to_another()
                self.go_through_all_steps()
                self.see_the_lines_of_the_defect(defect)
                self.see_that_it_fits_a_phone()
                self.see_something_in_every_view()

    def see_the_story_and_the_verdict(self, defect):
        self.assertEqual(self.text("h1"), plain(defect["title"]))
        story = plain(self.text(".story"))
        for part in ("believed", "happens", "fixed"):
            self.assertIn(plain(defect[part]), story)
        self.one(".structure > summary").click()
        self.assertGreater(len(self.text(".structure p")), 100)
        self.assertTrue(self.text(".fails-how").startswith("✗ Fails: "))
        self.assertIn(defect["fails"], self.text(".fails-how"))
        self.assertGreater(len(self.text(".promise")), len("Promised: "))

    def see_arrows_from_one_thread_to_another(self):
        everything = self.one(".tools input")
        if not everything.is_selected():
            everything.click()
        self.press(Keys.END)
        thread = {str(it["number"]): it["thread"] for it in self.events if it["thread"] >= 0}
        # In one piece: the page draws the arrows anew whenever it has been laid out again.
        ends = self.run_script("""
            return [...document.querySelectorAll('.steps path.arrow')].map((it) => [it.dataset.from, it.dataset.to])""")
        self.assertTrue(any(thread[a] != thread[b] for a, b in ends if a in thread and b in thread), ends)

    def go_through_all_steps(self):
        self.press(Keys.HOME)
        first = self.current()
        self.assertEqual(first, next(it["number"] for it in self.events if it["thread"] >= 0))
        self.assertGreater(len(self.text(".sentence .what")), 20)
        self.press(Keys.ARROW_RIGHT)
        self.assertGreater(self.current(), first)
        said = self.run_script("""
            return [...document.querySelectorAll('.steps .event')].map((step) => {
              step.click();
              return document.querySelector('.sentence').textContent;
            })""")
        self.assertEqual(len(said), len(self.events))
        self.assertEqual([words for words in said if len(words) < 20], [])
        self.assertEqual(len([words for words in said if "Here it is broken: " in words]), 1)

    def see_the_lines_of_the_defect(self, defect):
        """Beside the first step that stands in a header which the mutant has patched."""
        step = next(it["number"] for it in self.events if it["site"] and it["site"]["file"] in defect["headers"])
        self.run_script("document.querySelector(`.steps .event[data-step='${arguments[0]}']`).click()", step)
        self.assertNotEqual(self.all(".listing .differs, .listing .repaired"), [])

    def see_that_it_fits_a_phone(self):
        phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        try:  # the page lays itself out anew after the screen has changed
            WebDriverWait(self.driver, 10).until(lambda _: self.width() <= 390)
        except TimeoutException:
            self.fail(f"{self.width()} pixels wide on a screen of 390")
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def width(self):
        return self.run_script("return document.documentElement.scrollWidth")

    def see_something_in_every_view(self):
        for view in ("predict", "compare", "schedule", "text"):
            self.run_script("document.querySelector(`nav a[data-view=${arguments[0]}]`).click()", view)
            self.assertGreater(len(self.text("main")), 50, view)


if __name__ == "__main__":
    unittest.main()
