#!/usr/bin/env -S /usr/bin/python3 -B
"""The figures of the lectures on waits, memory orders and sleeping in a browser: what they compute, and how they play."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import ROOT, Figure  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.select import Select  # noqa: E402

TABLE = ROOT / "models/kit/litmus/table.txt"

# The checker's words on each change of the event count: models/sync/event_count_orders.md, the mutants of
# models/sync/BUILD, and the seeded bugs of models/sync/event_count.pml. The number of sleepers it takes.
CHANGES = {
    "none": (2, None), "unannounced": (1, "deadlock"), "no_second_look": (1, "deadlock"),
    "same_epoch": (2, "deadlock"), "notify_first": (1, "deadlock"), "wake_one": (2, "deadlock"),
    "prepare_relaxed": (1, "deadlock"), "notify_relaxed": (1, "deadlock"), "wait_relaxed": (1, "race"),
}


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
        self.assertIn("not the newest", self.first(".pl-live").text)

        Select(self.first("select")).select_by_value("MP+rel+acq")
        self.assertEqual(self.state()["steps"], 0)
        self.step("thread A, x.store")
        self.step("thread A, y.store")
        self.step("thread B, r0 = y.load(acquire); read 1")
        self.assertIn("synchronises with A", self.first(".pl-live").text)
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
        self.first(".pl-all").click()
        self.assertEqual((self.state()["plays"], self.state()["asked"]), (20, 6))
        self.first(".pl-show").click()
        self.assertTrue(self.state()["bad"])
        Select(self.first("select")).select_by_value("SB+sc")
        self.first(".pl-show").click()
        self.assertEqual((self.state()["steps"], self.state()["asked"]), (0, 0))

    def test_a_race_ends_the_play(self):
        self.open("module=litmus&rows=MP%2Bplain%2Brlx")
        self.first(".pl-show").click()
        self.assertTrue(self.state()["race"])
        self.assertEqual(self.all(".pl-step"), [])


class Executions(Figure):
    def test_all_of_them_one_after_another(self):
        self.open("module=executions&rows=MP%2Brlx")
        seen = []
        for _ in range(4):
            seen.append(self.state())
            self.first(".ex-on").send_keys(Keys.ENTER)
        self.assertEqual(self.state()["execution"], 0)
        self.assertEqual({(it["registers"]["r0"], it["registers"]["r1"]) for it in seen},
                         {(0, 0), (0, 1), (1, 0), (1, 1)})
        self.assertEqual(sum(it["plays"] for it in seen), seen[0]["total"])
        self.assertEqual([it["asked"] for it in seen].count(True), 1)


class EventCount(Figure):
    def test_every_change_fails_as_it_does_in_the_checker(self):
        self.open("module=event-count")
        for change, (sleepers, failure) in CHANGES.items():
            Select(self.first(".ec-change")).select_by_value(change)
            Select(self.first(".ec-sleepers")).select_by_value(str(sleepers))
            self.first(".pl-all").click()
            self.assertEqual(self.state()["failure"], failure, change)
            self.first(".pl-show").click()
            self.assertEqual(self.state()["bad"], failure is not None, change)

    def test_two_changes_need_a_second_sleeper(self):
        self.open("module=event-count&sleepers=1")
        for change in ("same_epoch", "wake_one"):
            Select(self.first(".ec-change")).select_by_value(change)
            self.first(".pl-all").click()
            self.assertIsNone(self.state()["failure"], change)

    def test_an_announcement_in_time(self):
        self.open("module=event-count")
        self.step("thread B, while")
        self.step("fetch_or")
        self.step("thread A, ready.store")
        self.step("thread A, state = state_.load")
        self.step("compare_exchange")
        self.assertIn("a thread may sleep", self.first(".pl-live").text)
        self.step("sees false")
        self.step("state_.wait")
        self.assertIn("not the key", self.first(".pl-live").text)
        self.assertEqual([it.get_attribute("aria-label") for it in self.all(".pl-step")],
                         ["thread A, if ((state & 1) != 0) state_.notify_all(); do it",
                          "thread B, while (!ready.load(relaxed)) { sees true"])


class ThreeWaits(Figure):
    def test_the_lock_is_what_they_wait_for(self):
        self.open("module=three-waits")
        locked = self.state()
        self.assertGreater(locked["waited"][0], 10)
        self.first(".tw-lock").click()
        free = self.state()
        self.assertEqual(free["waited"], [0, 0, 0, 0])
        self.assertAlmostEqual(locked["game"] - free["game"], max(locked["waited"][:2]), delta=0.5)

    def test_a_reader_holds_everybody_up(self):
        self.open("module=three-waits")
        query = self.first(".tw-query")
        before = self.state()
        query.send_keys(Keys.END)
        after = self.state()
        self.assertEqual(after["query"], 50)
        self.assertGreater(after["waited"][0], before["waited"][0] + 30)

    def test_a_run_of_ones_own(self):
        self.open("module=three-waits")
        run = {"schema": "nowait.demo", "version": 1, "frames": 10,
               "game": [{"name": "game 1", "added": 5, "removed": 3, "deferred": 1}],
               "locks": {"game 1": {"taken": 100, "contended": 2, "waited_ms": 0.5},
                         "background": {"taken": 7, "contended": 0, "waited_ms": 0.0}},
               "background": {"passes": 4, "frames_of_passes": 10}}
        alone = {**run, "background": None}
        files = ((json.dumps(run), "each over 2.5 frames"), ("{", "no JSON"), ("{}", "no report"),
                 (json.dumps(alone), "no game threads"))
        for number, (text, words) in enumerate(files):
            path = pathlib.Path(self.folder.name) / f"run{number}.json"
            path.write_text(text)
            self.first(".tw-file").send_keys(str(path))
            self.until(lambda: words in self.text(".tw-measured"))


if __name__ == "__main__":
    unittest.main()
