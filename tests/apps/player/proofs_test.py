#!/usr/bin/python3
"""The proofs on the viewer's page: counterexamples with the page's own controls, and the progress of a check."""

import json
import re
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from player_page import BINARIES, ROOT, LivePage  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

KIT = "models/kit/counterexample/page"

# The step that the page in the frame shows, and how many stops its player has.
_STEP = "const {player} = document.querySelector('iframe.proof').contentWindow.nowait; return [player.step, player.stops()]"
_VISIBLE = """
return [...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility()).map((it) => it.textContent || it.className)
"""


class Proofs(LivePage):
    window = (1400, 1000)

    def setUp(self):
        self.out = self.path(f"out-{self.id().rpartition('.')[2]}")

    def page_of(self, name, folder, story=""):
        """A counterexample's page, as a check or the gallery writes it."""
        html = subprocess.run([BINARIES / KIT / "make_page", story], check=True, capture_output=True,
                              input=(ROOT / KIT / "testdata" / f"{name}.json").read_bytes()).stdout
        (self.out / folder).mkdir(parents=True, exist_ok=True)
        (self.out / folder / f"{name}.html").write_bytes(html)

    def progress(self, **fields):
        now = round(1000 * time.time())
        progress = {"schema": "nowait.check_progress", "version": 1, "what": "union_find", "state": "running",
                    "begun_unix_ms": now - 12_000, "written_unix_ms": now, "unit": "scenarios", "all": 8, "done": 3,
                    "failed": 0, "executions": 61234, "last": "2x1",
                    "current": {"name": "2x2 graphs", "executions": 1234, "fraction": 0.413, "seconds": 2,
                                "seconds_left": 17.2}} | fields
        (self.out / "check").mkdir(parents=True, exist_ok=True)
        new = self.out / "check/new"
        new.write_text(json.dumps(progress))
        new.replace(self.out / "check/progress.json")

    def open_proofs(self):
        self.start("pyramid", "--bodies", "10", "--proofs", str(self.out))
        self.press("p")
        self.until(lambda: self.text(".check-state") != "")

    def step(self):
        return self.run_script(_STEP)[0]

    def loaded(self):
        self.until(lambda: self.run_script("return Boolean(nowait.proofs.proof.player)"))

    def words_of(self, selector):
        """Of all that are shown, in one look: the page makes its lists anew."""
        return self.run_script("""
          return [...document.querySelectorAll(arguments[0])].filter((it) => it.getClientRects().length > 0)
            .map((it) => it.innerText.trim())""", selector)

    def test_a_counterexample_goes_step_by_step_with_the_same_controls(self):
        self.page_of("letter_box", "gallery", '{"title": "Published too early", "parts": []}')
        self.page_of("board", "counterexamples")
        self.open_proofs()
        self.loaded()
        first, second = self.words_of(".proof-list button")
        self.assertEqual(first, "Published too early")
        self.assertIn("fails: ", second)
        self.assertEqual(self.run_script(_VISIBLE, "canvas, .timeline, .figures, button.throw, .controls select.mode"), [])
        # The keys and the buttons of the scene.
        _, stops = self.run_script(_STEP)
        self.assertGreaterEqual(len(stops), 5)
        self.press(Keys.HOME)
        self.assertEqual(self.step(), stops[0])
        self.press(Keys.ARROW_RIGHT, ".")
        self.assertEqual(self.step(), stops[2])
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.step(), stops[1])
        self.one("button.step").click()
        self.assertEqual(self.step(), stops[2])
        self.run_script("document.activeElement.blur()")
        self.press(Keys.END)
        self.assertEqual(self.step(), stops[-1])
        self.one("button.reset").click()
        self.assertEqual(self.step(), stops[0])
        # The scrubber moves it, and follows.
        self.run_script("nowait.controls.scrubber.value = 3; nowait.controls.scrubber.dispatchEvent(new Event('input'))")
        self.assertEqual(self.step(), stops[3])
        self.press(Keys.ESCAPE)
        self.run_script("document.activeElement.blur()")
        self.press(".")
        self.until(lambda: self.one("input.scrubber").get_attribute("value") == "4")
        # It plays at the page's speed; the program in the background goes on undisturbed.
        frame = self.scene("frame.number")
        self.press(Keys.HOME, "[", Keys.SPACE)
        self.until(lambda: self.text("button.pause") == "Pause")
        self.assertEqual(self.run_script("return nowait.proofs.proof.player.speed"), 0.5)
        self.press("]")
        self.until(lambda: self.step() > stops[0])
        self.press(Keys.SPACE)
        self.until(lambda: self.text("button.pause") == "Go on")
        self.until(lambda: self.scene("frame.number") > frame + 5)
        self.assertFalse(self.scene("frame.paused"))
        self.picture("proofs")

    def test_keys_come_back_from_the_frame(self):
        self.page_of("letter_box", "gallery")
        self.open_proofs()
        self.loaded()
        self.driver.switch_to.frame(self.one("iframe.proof"))
        self.one("h1").click()
        self.press(Keys.HOME)
        first = self.current()
        self.press(".")
        self.assertGreater(self.current(), first)
        self.press(Keys.ARROW_LEFT)  # which the page within takes, once
        self.assertEqual(self.current(), first)
        self.press("p")
        self.driver.switch_to.default_content()
        self.assertFalse(self.one("iframe.proof").is_displayed())
        self.until(lambda: self.one("canvas.picture").is_displayed())
        before = self.run_script("return nowait.camera.yaw")
        self.run_script("document.activeElement.blur(); window.focus()")
        self.press(Keys.ARROW_LEFT)
        self.assertNotEqual(self.run_script("return nowait.camera.yaw"), before)

    def test_a_page_that_a_check_writes_appears_and_opens(self):
        self.open_proofs()
        self.assertIn("no counterexample here yet", self.text("section.scene .hint"))
        self.assertIn("No check has run yet", self.text(".check-state"))
        self.page_of("board", "counterexamples")
        self.until(lambda: self.shown("iframe.proof"))
        self.loaded()
        self.page_of("letter_box", "gallery")
        self.until(lambda: len(self.all(".proof-list button")) == 2)
        other = self.run_script("""
          const it = document.querySelector(".proof-list button:not([aria-current])");
          it.click();
          return it.innerText.trim();""")
        self.until(lambda: self.words_of(".proof-list button[aria-current]") == [other])
        self.loaded()
        self.assertIn("/proofs/gallery/letter_box.html", self.run_script("return document.querySelector('iframe').contentWindow.location.pathname"))
        (self.out / "gallery/none.html").write_text("<p>Not one.")
        self.until(lambda: len(self.all(".proof-list button")) == 3)
        self.run_script("""
          [...document.querySelectorAll(".proof-list button")]
            .find((it) => it.innerText.trim() === "none.html").click()""")
        self.until(lambda: "no counterexample, or it is gone" in self.text("section.scene .hint"))
        self.press(".", Keys.SPACE)  # nothing is there to be moved

    def test_a_check_shows_how_far_it_is(self):
        self.progress()
        self.open_proofs()
        self.assertEqual(self.text(".check-state"), "./nowait check (union_find) runs.")
        self.until(lambda: "3 of 8 scenarios done, 0 failed; 61,234 executions; 12 s." in self.text(".check-words"))
        self.assertIn("Now: 2x2 graphs, 41%, 1,234 executions, about 17 s left.", self.text(".check-words"))
        self.assertEqual(self.run_script("const bar = document.querySelector('.check-bar'); return [bar.value, bar.max]"), [3, 8])
        self.picture("check")
        self.progress(written_unix_ms=round(1000 * time.time()) - 9_000)
        self.until(lambda: re.search(r"No word for (9|\d{2,}) s\.", self.text(".check-words")))
        self.progress(state="failed", current=None, done=4, failed=1)
        self.until(lambda: self.text(".check-state") == "./nowait check (union_find) has failed.")
        self.assertIn("4 of 8 scenarios done, 1 failed;", self.text(".check-words"))
        self.assertIn("Ended last: 2x1.", self.text(".check-words"))
        (self.out / "check/progress.json").write_text("{")
        self.until(lambda: "cannot be read" in self.text(".check-state"))

    def test_both_themes_and_a_phone(self):
        self.page_of("letter_box", "gallery")
        self.progress()
        self.open_proofs()
        self.loaded()
        papers = set()
        for theme in ("light", "dark"):
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": theme}]})
            papers.add(self.run_script("return getComputedStyle(document.body).backgroundColor"))
            self.picture(f"proofs-{theme}")
        self.assertEqual(len(papers), 2)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        try:
            self.until(lambda: self.run_script("return document.documentElement.scrollWidth") <= 390)
            self.picture("proofs-phone")
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_the_program_ends(self):
        self.page_of("letter_box", "gallery")
        self.open_proofs()
        self.loaded()
        self.harmless += ("net::ERR_CONNECTION_REFUSED",)  # of the question that finds nobody
        self.end()
        self.until(lambda: "has ended" in self.text(".notice"))
        step = self.step()
        self.run_script("document.activeElement.blur()")
        self.press(Keys.ARROW_LEFT)
        self.assertNotEqual(self.step(), step)  # what is open stays usable


if __name__ == "__main__":
    unittest.main()
