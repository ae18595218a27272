#!/usr/bin/python3
"""The page for every reader and with every record: keyboard alone, narrow, dark, on paper, without
scripts; records that are damaged, hostile, or long."""

import copy
import json
import unittest

from browser import Browser, sample
from selenium.webdriver.common.keys import Keys

# The contrast of every text on the page with its background; the least one and where it is.
_CONTRAST = """
const parse = (color) => {
  const canvas = parse.canvas ??= new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((it, i) => i < 3 ? it : it / 255);
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
const light = (color) => {
  const [r, g, b] = color.map((it) => it / 255).map((it) =>
    it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  if (!element) return parse(getComputedStyle(document.documentElement).colorScheme === 'x' ? '' : 'Canvas');
  const own = parse(getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own : [...over(own, behind(element.parentElement)), 1];
};
let least = [99, ''];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility({checkVisibilityCSS: true})) continue;
  if (element.closest('svg, script, .unseen, button:disabled, tr.future')) continue;
  const back = behind(element);
  const front = over(parse(getComputedStyle(element).color), back);
  const [a, b] = [light(front), light(back)];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < least[0]) least = [contrast, `${element.className} "${walker.currentNode.data}"`];
}
return least;
"""


class EveryReader(Browser):
    def emulate(self, command, **arguments):
        self.driver.execute_cdp_cmd(f"Emulation.{command}", arguments)

    def tearDown(self):
        self.emulate("setEmulatedMedia", media="", features=[])
        self.emulate("setScriptExecutionDisabled", value=False)
        self.emulate("clearDeviceMetricsOverride")
        super().tearDown()

    def focused(self):
        return self.run_script("const e = document.activeElement;"
                               "return (e.className + ' ' + (e.textContent || e.ariaLabel)).slice(0, 60)")

    def tab_to(self, words):
        """Once around: what is scrolled may be a stop too, so their number depends on the fonts."""
        stops = []
        while True:
            self.press(Keys.TAB)
            stop = self.driver.switch_to.active_element
            if words in self.focused():
                outline = self.run_script("return getComputedStyle(document.activeElement).outlineStyle")
                self.assertNotEqual(outline, "none", f"{words}: the focus is not seen")
                return
            self.assertNotIn(stop, stops, f"the Tab key does not come to {words}, but to " + self.named(stops))
            stops.append(stop)

    def named(self, elements):
        return "; ".join(" ".join((it.get_attribute("class") or it.tag_name, it.text))[:40] for it in elements)

    def test_keyboard_alone(self):
        self.open(sample("letter_box"))
        self.tab_to("Predict")
        self.press(Keys.ENTER)
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.tab_to("step 3, thread 0")
        self.press(Keys.ENTER)
        self.assertIn("Yes: it reads true", self.text(".explanation"))
        self.run_script("document.activeElement.blur()")
        self.tab_to("Play the scheduler")
        self.press(Keys.ENTER)
        for _ in range(2):
            self.tab_to("choice t0")
            self.press(Keys.ENTER)
        for _ in range(2):
            self.tab_to("read false")
            self.press(Keys.ENTER)
        self.assertIn("It passed", self.text(".outcome"))

    def test_one_step_is_a_stop_of_the_tab_key(self):
        self.open(sample("board"))
        self.assertEqual(len(self.all(".event[tabindex='0']")), 1)
        self.press(Keys.HOME)
        self.assertEqual(self.one(".event[tabindex='0']").get_attribute("data-step"), "1")

    def test_a_screen_reader_finds_its_way(self):
        self.open(sample("board"))
        self.assertEqual(self.one(".sentence").get_attribute("aria-live"), "polite")
        self.assertEqual(len(self.all("main")), 1)
        self.assertEqual(len(self.all("h1")), 1)
        self.assertEqual(self.one("nav a[aria-current=page]").text, "Step by step")
        nameless = self.run_script("""
            return [...document.querySelectorAll('button, input, select, nav, section')]
              .filter((it) => !(it.textContent.trim() && it.localName === 'button') && !it.ariaLabel &&
                              !(it.labels && it.labels.length)).map((it) => it.outerHTML)""")
        self.assertEqual(nameless, [])
        headers = [it.get_attribute("scope") for it in self.all(".lanes thead th")]
        self.assertEqual(headers, ["col"] * 4)

    def test_contrast_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            self.emulate("setEmulatedMedia", media="screen",
                         features=[{"name": "prefers-color-scheme", "value": scheme}])
            for name, hash_ in (("board", "#step=8"), ("board", "#step=6"), ("board", "#step=3&view=predict"),
                                ("letter_box", "#step=5&view=compare"), ("letter_box", "#view=schedule"),
                                ("letter_box", "#view=text")):
                self.open(sample(name), hash_)
                contrast, where = self.run_script(_CONTRAST)
                self.assertGreaterEqual(contrast, 4.5, f"{scheme} {name} {hash_}: {where}")

    def test_a_narrow_screen_is_not_scrolled_sideways(self):
        self.emulate("setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
        for name, view in (("board", "steps"), ("board", "predict"), ("letter_box", "compare"),
                           ("letter_box", "schedule"), ("letter_box", "text")):
            self.open(sample(name), f"#view={view}")
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 360, view)

    def test_on_paper(self):
        self.open(sample("board"))
        self.emulate("setEmulatedMedia", media="print")
        self.assertEqual(self.shown("nav, main"), [])
        paper = self.text(".on-paper")
        for words in ("8. Thread 2: load of value_ (relaxed) in Board::Peek reads 1 from step 1",
                      "Nothing orders step 2 before this load", "own/board/board.h:21"):
            self.assertIn(words, paper)

    def test_without_scripts(self):
        self.emulate("setScriptExecutionDisabled", value=True)
        self.open(sample("board"))
        self.assertEqual(self.text("noscript pre"), "as text")
        self.assertIn("board post-read-peek fails: invariant", self.text("noscript h1"))


class EveryRecord(Browser):
    def refused(self, record, *words):
        self.open(record)
        message = self.text(".damaged")
        self.assertIn("cannot be shown", message)
        for word in words:
            self.assertIn(word, message)

    def test_damaged_records_say_what_and_where(self):
        whole = sample("letter_box")
        self.refused("", "it is not JSON")
        self.refused(whole[:len(whole) // 2], "it is not JSON")
        self.refused("[]", "the record is not an object")
        self.refused('{"format": "something else"}', 'its format is "something else"')

        def damaged(*path, value):
            record = copy.deepcopy(json.loads(whole))
            at = record
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = value
            return json.dumps(record)

        self.refused(damaged("version", value=2), "its version is 2")
        self.refused(damaged("execution", "events", value=[]), "execution.events is empty")
        self.refused(damaged("execution", "events", 3, "read", "from", value=77),
                     "execution.events[3].read.from names step 77")
        self.refused(damaged("execution", "events", 1, "object", value=9), "execution.events[1].object")
        self.refused(damaged("execution", "failure", value=None), "nothing fails here")
        self.refused(damaged("execution", "modification_orders", 0, "stores", value=[0]),
                     "modification_orders[0] names step 0")
        self.refused(damaged("repair", "execution", "events", 0, "number", value=5), "repair.execution.events[0]")
        self.refused(damaged("execution", "failure", "events", value=[9]), "execution.failure.events[0] names step 9")
        self.refused(damaged("repair", "diverges", "other", value=99), "repair.diverges.other names no step")
        self.refused(damaged("recorded", "executions", 0, "order", value=[["length", -1]]),
                     "recorded.executions[0].order[0] names no operation")
        self.refused(damaged("recorded", "executions", 0, "order", value=[[99, -1]]),
                     "recorded.executions[0].order[0] names no operation")

    def test_no_value_becomes_markup(self):
        attack = "</script><img src=x onerror=document.title='taken'><!--"
        record = json.loads(sample("letter_box"))
        record["execution"]["events"][3]["read"]["value"] = attack
        record["execution"]["objects"][1]["name"] = attack
        record["execution"]["failure"]["words"] = attack
        record["scenario"]["promise"] = attack
        record["sources"][0]["lines"][13] = attack
        self.open(json.dumps(record), "#step=4")
        self.assertIn(attack, self.text("h1"))
        self.assertIn(attack, self.text(".sentence"))
        self.assertEqual(self.all("img"), [])
        self.assertNotEqual(self.driver.title, "taken")

    def test_a_long_execution(self):
        record = json.loads(sample("board"))
        execution = record["execution"]
        # Thread 0 posts 300 times before all the rest.
        more = 300
        first = execution["events"][0]
        shift = lambda number: None if number is None else number + more
        for event in execution["events"]:
            event["number"] += more
            if "read" in event:
                event["read"]["from"] = shift(event["read"]["from"])
        for order in execution["modification_orders"]:
            order["stores"] = [shift(store) for store in order["stores"]]
        execution["modification_orders"][0]["stores"][:0] = range(1, more + 1)
        execution["synchronises_with"] = [{"from": shift(it["from"]), "to": shift(it["to"])}
                                          for it in execution["synchronises_with"]]
        execution["candidates"] = []
        execution["failure"]["events"] = [shift(it) for it in execution["failure"]["events"]]
        execution["events"][:0] = [{**first, "number": i} for i in range(1, more + 1)]
        self.open(json.dumps(record))
        self.assertEqual(self.current(), more + 8)
        self.press(Keys.HOME)
        self.assertEqual(self.current(), 1)
        self.press(*[Keys.ARROW_RIGHT] * 20)
        self.assertEqual(self.current(), 21)


if __name__ == "__main__":
    unittest.main()
