"""Each living figure moves when it is clicked, moves likewise by the keyboard alone, and says so."""

import json
import re
import unittest

from samples import ROOT, lectures, site
from site_browser import SiteBrowser
from selenium.webdriver.common.keys import Keys

_USABLE = """
return [...arguments[0].querySelectorAll("button")].filter((it) => !it.disabled && it.checkVisibility({visibilityProperty: true}))
"""


def modules_of(page):
    """Of its figures, in their order."""
    return re.findall(r'<figure class="living"[^>]* data-module="([^"]*)"', page.read_text())


class Figures(SiteBrowser):
    def stage(self, page, number):
        self.visit(page)
        return self.all("figure.living .stage")[number]

    def state(self, stage):
        text = stage.get_attribute("data-state")
        self.assertTrue(text, stage.get_attribute("outerHTML")[:200])
        json.loads(text)
        return text

    def buttons(self, stage):
        return self.run_script(_USABLE, stage)

    def first_that_moves(self, page, number):
        """Which button changes the state, and to what; or None, where there are only fields."""
        stage = self.stage(page, number)
        before = self.state(stage)
        for i, button in enumerate(self.buttons(stage)):
            self.run_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
            button.click()
            after = self.state(stage)
            if after != before:
                return i, before, after
        return None, before, None

    def press_buttons(self, stage, last):
        for i, button in enumerate(self.buttons(stage)[:last + 1]):
            self.run_script("arguments[0].focus()", button)
            self.press(Keys.ENTER if i % 2 == 0 else Keys.SPACE)

    def turn_fields(self, stage):
        for field in stage.find_elements("css selector", "input, select"):
            self.run_script("arguments[0].focus()", field)
            self.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN if field.tag_name == "select" else Keys.ARROW_RIGHT)

    def test_each(self):
        seen = set()
        for page in lectures(site()):
            for number, module in enumerate(modules_of(page)):
                if module in seen:
                    continue
                with self.subTest(page=page.name, figure=module):
                    seen.add(module)
                    which, before, after = self.first_that_moves(page, number)
                    stage = self.stage(page, number)
                    self.assertEqual(self.state(stage), before, "the same beginning each time")
                    if which is None:
                        self.turn_fields(stage)
                        self.assertNotEqual(self.state(stage), before, "no key changes the state")
                    else:
                        self.press_buttons(stage, which)
                        self.assertEqual(self.state(stage), after, "the keyboard does what a click does")
                    self.assertTrue(stage.find_elements("css selector", "[aria-live=polite]"), "nothing is read out")
        self.assertGreaterEqual(len(seen), 8)

    def test_all_that_there_are_stand_in_a_lecture(self):
        files = sorted((ROOT / "lectures/figures").glob("*.js"))
        mounted = {path.stem for path in files if "export function mount(" in path.read_text()}
        used = {module for page in lectures(site()) for module in modules_of(page)}
        self.assertEqual(mounted - used, set())
