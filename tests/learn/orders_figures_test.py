#!/usr/bin/python3
"""The figures of lectures 01, 02 and 04 in a browser: what they compute, and that clicks and keys play them."""

import functools
import http.server
import json
import os
import pathlib
import tempfile
import threading
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[2]  # not the runfiles, where this file is a link
FIGURES = ROOT / "lectures/figures"
TABLE = ROOT / "models/kit/litmus/table.txt"

# What the checker says of each change of the event count: models/sync/event_count_orders.md, the mutants of
# models/sync/BUILD, and the seeded bugs of models/sync/event_count.pml. The number of sleepers it takes.
CHANGES = {
    "none": (2, None), "unannounced": (1, "deadlock"), "no_second_look": (1, "deadlock"),
    "same_epoch": (2, "deadlock"), "notify_first": (1, "deadlock"), "wake_one": (2, "deadlock"),
    "prepare_relaxed": (1, "deadlock"), "notify_relaxed": (1, "deadlock"), "wait_relaxed": (1, "race"),
}

PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<figure id="figure"></figure><script type="module">
const {module, ...options} = Object.fromEntries(new URLSearchParams(location.search));
const {mount} = await import(`./${module}.js`);
mount(document.getElementById("figure"), options);
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".html": "text/html"}

    def do_GET(self):
        if not self.path.startswith("/figure.html"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


class Figure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not TEST_TMPDIR: the paths of Chromium's sockets may have 107 characters.
        cls.folder = tempfile.TemporaryDirectory(dir="/tmp", prefix="figure")
        cls.addClassCleanup(cls.folder.cleanup)
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"):
            os.environ[name] = cls.folder.name
        handler = functools.partial(Handler, directory=FIGURES)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run", f"--user-data-dir={cls.folder.name}/profile"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        cls.addClassCleanup(cls.driver.quit)

    def tearDown(self):
        complaints = [entry["message"] for entry in self.driver.get_log("browser")
                      if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(complaints, [], "the console")

    def open(self, query):
        self.driver.get(f"http://127.0.0.1:{self.server.server_port}/figure.html?{query}")
        WebDriverWait(self.driver, 10).until(lambda _: self.one("#figure").get_attribute("data-state"))

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def state(self):
        return json.loads(self.one("#figure").get_attribute("data-state"))

    def step(self, words):
        """Presses the step whose label has these words."""
        found = [it for it in self.all(".pl-step") if words in it.get_attribute("aria-label")]
        self.assertEqual(len(found), 1, f"{words}: {len(found)} of them")
        found[0].click()

    def key(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)


class Litmus(Figure):
    def test_every_row_agrees_with_the_checker(self):
        graphs = {line.split()[0]: line.split()[2] for line in TABLE.read_text().splitlines()
                  if len(line.split()) > 2}
        self.open("module=litmus&rows=MP%2Brlx")
        rows = self.driver.execute_async_script("""
          const done = arguments[0];
          Promise.all([import("./litmus-rows.js"), import("./memory-machine.js")]).then(
              ([{kRowNames, RowNamed}, {All, Start}]) => done(kRowNames.map((name) =>
                  [name, All(RowNamed(name), Start(RowNamed(name))).asked > 0])));""")
        self.assertGreater(len(rows), 20)
        for name, happens in rows:
            self.assertEqual("yes" if happens else "-", graphs[name], name)

    def test_a_flag_without_its_content(self):
        self.open("module=litmus&rows=MP%2Brlx MP%2Brel%2Bacq")
        self.step("thread A, x.store")
        self.step("thread A, y.store")
        self.step("thread B, r0 = y.load(relaxed); read 1")
        self.step("thread B, r1 = x.load(relaxed); read 0")
        state = self.state()
        self.assertTrue(state["ended"] and state["bad"])
        self.assertEqual(state["registers"], {"r0": 1, "r1": 0})
        self.assertIn("not the newest", self.one(".pl-live").text)

        Select(self.one("select")).select_by_value("MP+rel+acq")
        self.assertEqual(self.state()["steps"], 0)
        self.step("thread A, x.store")
        self.step("thread A, y.store")
        self.step("thread B, r0 = y.load(acquire); read 1")
        self.assertIn("synchronises with A", self.one(".pl-live").text)
        choices = [it.text for it in self.all(".pl-step")]
        self.assertEqual(choices, ["read 1: A's store"])

    def test_by_keys_alone(self):
        self.open("module=litmus&rows=SB%2Bsc")
        self.key(Keys.TAB, Keys.TAB)  # the tests, then "start again": there is no step to take back
        self.key(Keys.TAB, Keys.TAB, Keys.TAB)
        for _ in range(4):
            self.assertEqual(self.driver.switch_to.active_element.get_attribute("class"), "pl-step")
            self.key(Keys.ENTER)
        self.assertTrue(self.state()["ended"])
        self.assertEqual(self.driver.switch_to.active_element.text, "one step back")
        self.key(Keys.ENTER)
        self.assertEqual(self.state()["steps"], 3)

    def test_trying_all_and_showing_one(self):
        self.open("module=litmus&rows=SB%2Brel%2Bacq SB%2Bsc")
        self.one(".pl-all").click()
        self.assertEqual((self.state()["plays"], self.state()["asked"]), (20, 6))
        self.one(".pl-show").click()
        self.assertTrue(self.state()["bad"])
        Select(self.one("select")).select_by_value("SB+sc")
        self.one(".pl-show").click()
        self.assertEqual((self.state()["steps"], self.state()["asked"]), (0, 0))

    def test_a_race_ends_the_play(self):
        self.open("module=litmus&rows=MP%2Bplain%2Brlx")
        self.one(".pl-show").click()
        self.assertTrue(self.state()["race"])
        self.assertEqual(self.all(".pl-step"), [])


class Executions(Figure):
    def test_all_of_them_one_after_another(self):
        self.open("module=executions&rows=MP%2Brlx")
        seen = []
        for _ in range(4):
            seen.append(self.state())
            self.one(".ex-on").send_keys(Keys.ENTER)
        self.assertEqual(self.state()["execution"], 0)
        self.assertEqual({(it["registers"]["r0"], it["registers"]["r1"]) for it in seen},
                         {(0, 0), (0, 1), (1, 0), (1, 1)})
        self.assertEqual(sum(it["plays"] for it in seen), seen[0]["total"])
        self.assertEqual([it["asked"] for it in seen].count(True), 1)


class EventCount(Figure):
    def test_every_change_fails_as_it_does_in_the_checker(self):
        self.open("module=event-count")
        for change, (sleepers, failure) in CHANGES.items():
            Select(self.one(".ec-change")).select_by_value(change)
            Select(self.one(".ec-sleepers")).select_by_value(str(sleepers))
            self.one(".pl-all").click()
            self.assertEqual(self.state()["failure"], failure, change)
            self.one(".pl-show").click()
            self.assertEqual(self.state()["bad"], failure is not None, change)

    def test_two_changes_need_a_second_sleeper(self):
        self.open("module=event-count&sleepers=1")
        for change in ("same_epoch", "wake_one"):
            Select(self.one(".ec-change")).select_by_value(change)
            self.one(".pl-all").click()
            self.assertIsNone(self.state()["failure"], change)

    def test_an_announcement_in_time(self):
        self.open("module=event-count")
        self.step("thread B, while")
        self.step("fetch_or")
        self.step("thread A, ready.store")
        self.step("thread A, state = state_.load")
        self.step("compare_exchange")
        self.assertIn("somebody may sleep", self.one(".pl-live").text)
        self.step("sees false")
        self.step("state_.wait")
        self.assertIn("not the key", self.one(".pl-live").text)
        self.assertEqual([it.get_attribute("aria-label") for it in self.all(".pl-step")],
                         ["thread A, if ((state & 1) != 0) state_.notify_all(); do it",
                          "thread B, while (!ready.load(relaxed)) { sees true"])


class ThreeWaits(Figure):
    def test_the_lock_is_what_they_wait_for(self):
        self.open("module=three-waits")
        locked = self.state()
        self.assertGreater(locked["waited"][0], 10)
        self.one(".tw-lock").click()
        free = self.state()
        self.assertEqual(free["waited"], [0, 0, 0, 0])
        self.assertAlmostEqual(locked["game"] - free["game"], max(locked["waited"][:2]), delta=0.5)

    def test_a_reader_holds_everybody_up(self):
        self.open("module=three-waits")
        query = self.one(".tw-query")
        before = self.state()
        query.send_keys(Keys.END)
        after = self.state()
        self.assertEqual(after["query"], 50)
        self.assertGreater(after["waited"][0], before["waited"][0] + 30)

    def test_a_run_of_ones_own(self):
        self.open("module=three-waits")
        run = {"schema": "nowait.demo", "version": 1, "frames": 10,
               "game": [{"name": "game 1", "added": 5, "removed": 3, "put_off": 1}],
               "locks": {"game 1": {"taken": 100, "contended": 2, "waited_ms": 0.5},
                         "background": {"taken": 7, "contended": 0, "waited_ms": 0.0}},
               "background": {"passes": 4, "frames_of_passes": 10}}
        alone = {**run, "background": None}
        files = ((json.dumps(run), "each over 2.5 frames"), ("{", "no JSON"), ("{}", "no report"),
                 (json.dumps(alone), "no game threads"))
        for number, (text, words) in enumerate(files):
            path = pathlib.Path(self.folder.name) / f"run{number}.json"
            path.write_text(text)
            self.one(".tw-file").send_keys(str(path))
            WebDriverWait(self.driver, 10).until(lambda _: words in self.one(".tw-measured").text)


if __name__ == "__main__":
    unittest.main()
