"""Every page of the course in Debian's Chromium: no complaint on its console, nothing wider than the window."""

import filecmp
import re
import unittest

from nowait.learn import plays
from samples import ROOT, lectures, site, sites
from site_browser import SiteBrowser

PHONE, DESK = (360, 740), (1400, 1000)
DARK = [{"name": "prefers-color-scheme", "value": "dark"}]
# By how much the page is wider than the window, and then what sticks out of it, and not out of something that scrolls.
_WIDE = """
const over = document.documentElement.scrollWidth - innerWidth;
const scrolls = (it) => it && it !== document.body &&
  (getComputedStyle(it).overflowX !== "visible" || scrolls(it.parentElement));
return [over, over === 0 ? [] : [...document.querySelectorAll("main *")]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 1 && !scrolls(it.parentElement))
  .map((it) => it.outerHTML.slice(0, 100))];
"""
# Goes through the slides: each is alone, has no running text, and what does not fit scrolls.
_SLIDES = """
const number = () => document.getElementById("slide-number").textContent;
const count = Number(number().split("/")[1]);
const complaints = [];
for (let i = 1; i <= count; ++i) {
  const say = (what) => complaints.push(`slide ${i}: ${what}`);
  if (number() !== `${i} / ${count}`) say(`is called ${number()}`);
  const shown = [...document.querySelectorAll("section.unit")].filter((unit) => unit.offsetHeight > 0);
  if (shown.length !== 1) say(`${shown.length} sections`);
  const scrolls = ["auto", "scroll"].includes(getComputedStyle(shown[0]).overflowY);
  if (shown[0].scrollHeight > shown[0].clientHeight + 1 && !scrolls) say("cut off");
  const text = shown[0].querySelectorAll(":scope > p:not(.number, .facts)");
  if ([...text].some((it) => it.offsetHeight > 0)) say("running text");
  document.getElementById("slide-after").click();
}
return [count, complaints];
"""


class Pages(SiteBrowser):
    def window(self, size, scheme):
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def look(self, page):
        self.visit(page)
        over, what = self.run_script(_WIDE)
        self.assertEqual(over, 0, f"{page.name}: {what[:3]}")
        complaints = [entry["message"] for entry in self.driver.get_log("browser")
                      if not any(words in entry["message"] for words in self.harmless)]
        self.assertEqual(complaints, [], page.name)

    def brightness(self):
        colour = self.run_script("return getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3

    def test_on_a_desk_in_the_light(self):
        self.window(DESK, "light")
        for page in sorted(site().glob("*.html")) + self.some_sources():
            self.look(page)
            if page in lectures(site()):
                self.no_bullets_of_slides(page)
        self.assertGreater(self.brightness(), 200)

    def some_sources(self):
        """Of the pages of sources, which one template makes, each tenth: there are hundreds."""
        pages = sorted((site() / "source").rglob("*.html"), key=lambda page: (page.stat().st_size, page))
        self.assertGreater(len(pages), 100)
        return pages[::-10]  # the longest among them

    def no_bullets_of_slides(self, page):
        slides, shown = self.run_script("""
          const slides = [...document.querySelectorAll(".slide")];
          return [slides.length, slides.filter((it) => it.getClientRects().length > 0).length];""")
        self.assertGreater(slides, 0, page.name)
        self.assertEqual(shown, 0, page.name)

    def test_on_a_phone_in_the_dark(self):
        self.window(PHONE, "dark")
        for page in sorted(site().glob("*.html")):
            self.look(page)
        self.assertLess(self.brightness(), 60)

    def test_paper_is_light_whatever_the_screen_is(self):
        self.window(DESK, "dark")
        page = site() / "the-job-list.html"
        self.visit(page)
        ink = "return getComputedStyle(document.documentElement).getPropertyValue('--ink')"
        for theme in ("", "dark"):
            self.run_script("document.documentElement.dataset.theme = arguments[0]", theme)
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": DARK})
            on_screen = self.run_script(ink)
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": DARK})
            self.assertNotEqual(self.run_script(ink), on_screen)
            self.assertEqual(self.shown(".bar, .contents, .living button, .counterexample iframe, .recording iframe"), [])

    def test_recordings_show_what_the_lecture_says(self):
        page = site() / "union-find-islands.html"
        self.visit(page)
        frame = self.one(".recording iframe")
        self.run_script("arguments[0].scrollIntoView()", frame)
        self.driver.switch_to.frame(frame)
        self.addCleanup(self.driver.switch_to.default_content)
        self.until(lambda: self.run_script("return Boolean(globalThis.nowait?.source?.scene.frame)"))
        self.assertEqual(self.run_script("return [nowait.source.at, nowait.source.paused]"), [40, True])
        self.assertGreater(self.run_script("return nowait.source.scene.links.size"), 20)
        self.assertIn("links by contact", self.text(".structures .sentences"))
        self.driver.switch_to.default_content()
        linked = {name for lecture in lectures(site()) for name in re.findall(r'"(recordings/[a-z0-9-]+\.html)', lecture.read_text())}
        self.assertEqual(linked, {f"recordings/{path.name}" for path in (site() / "recordings").iterdir()})
        self.assertEqual(len(linked), len(plays.read(ROOT)))

    def test_slides(self):
        for size, pages in ((DESK, lectures(site())), (PHONE, lectures(site())[::4])):
            self.window(size, "light")
            for page in pages:
                self.look(page)
                if not self.run_script("return document.documentElement.dataset.mode"):
                    self.press("s")
                count, complaints = self.run_script(_SLIDES)
                self.assertEqual(complaints, [], page.name)
                self.assertGreaterEqual(count, 8, page.name)
            self.run_script("sessionStorage.clear()")

    def test_cuts_lead_to_their_lines(self):
        page = site() / "the-job-list.html"
        self.visit(page)
        cut = self.all(".cut")[0]
        self.run_script("arguments[0].querySelector('figcaption a').click()", cut)
        self.until(lambda: "source/src/" in self.driver.current_url)
        line = self.one(".line:target")
        self.assertTrue(line.is_displayed())

    def test_two_builds_are_the_same(self):
        self.same(filecmp.dircmp(*sites()))

    def same(self, compared):
        self.assertEqual((compared.left_only, compared.right_only, compared.diff_files), ([], [], []))
        for below in compared.subdirs.values():
            self.same(below)
