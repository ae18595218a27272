#!/usr/bin/env -S /usr/bin/python3 -B
"""The figures of the lectures from body locks to the whole in a browser: what they compute, and how they play."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from figure import Figure  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.select import Select  # noqa: E402

# The words of worked_example_test.cc of the checker: each visit of message passing, and what its loads read.
VISITS = [(".", "A1 reads 0, A2 reads 0"), (".0", "A1 reads 0, A2 reads 1"),
          (".0.0", "A1 reads 1, A2 reads 1"), (".0.0.0", "A1 reads 1, A2 reads 0")]
# Executions by brute force, and what a search without step 4 does not see once: README.md of the checker, the models.
EXECUTIONS = {"mp": 4, "mpRelease": 3, "torn": 4, "add": 2, "sb": 4}
REPEATED = {"mp": 2, "mpRelease": 1, "torn": 0, "add": 0, "sb": 0}


class Trust(Figure):
    def selects(self):
        return [Select(one) for one in self.all("select")]

    def test_the_visits_are_the_checkers(self):
        self.open("module=trust")
        seen = []
        while self.state()["step"] + 1 < self.state()["steps"]:
            state = self.state()
            if not state["answered"]:
                self.first(".tr-may" if state["kind"] == "revisit" else ".tr-may-not").click()
                continue
            self.first(".tr-next").click()
            if self.state()["kind"] == "complete":
                seen.append((self.state()["name"], self.first(".tr-live").text.partition(": ")[2].rstrip(".")))
        self.assertEqual(seen, VISITS)
        self.assertEqual((self.state()["asked"], self.state()["right"]), (3, 3))

    def test_a_wrong_answer_counts(self):
        self.open("module=trust")
        while self.state()["answered"]:
            self.first(".tr-next").send_keys(Keys.ENTER)
        self.first(".tr-may-not").send_keys(Keys.SPACE)
        self.assertEqual((self.state()["asked"], self.state()["right"]), (1, 0))

    def test_each_search_against_brute_force(self):
        for program, executions in EXECUTIONS.items():
            for rules in ("", "every revisit", "no revisits", "newest only", "no coherence"):
                with self.subTest(program=program, rules=rules):
                    self.open("module=trust")
                    self.selects()[0].select_by_value(program)
                    self.selects()[1].select_by_value(rules)
                    self.first(".tr-end").click()
                    verdict = self.state()["verdict"]
                    self.assertEqual(
                        verdict["found"] - verdict["twice"] - verdict["forbidden"] + verdict["missing"], executions)
                    wrong = verdict["missing"] + verdict["forbidden"] + verdict["twice"]
                    if not rules:
                        self.assertEqual(wrong, 0)
                    elif rules == "every revisit":
                        self.assertEqual(verdict["twice"], REPEATED[program])
                    elif rules == "no revisits":
                        self.assertGreater(verdict["missing"], 0)


class BodyLocks(Figure):
    def all_orders(self, query):
        self.open(f"module=body-locks&{query}")
        self.first(".pl-all").click()
        return self.state()

    def test_only_the_order_of_asking_deadlocks(self):
        self.assertGreater(self.all_orders("program=pairs&locks=8&order=asked")["deadlocks"], 0)
        for locks in (1, 2, 4, 8):
            for program in ("meet", "pairs"):
                self.assertEqual(self.all_orders(f"program={program}&locks={locks}")["deadlocks"], 0)

    def test_more_locks_fewer_waits(self):
        shares = []
        for locks in (1, 4, 8):
            state = self.all_orders(f"program=meet&locks={locks}")
            shares.append(state["waiting"] / state["orders"])
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertGreater(shares[0], shares[-1])

    def test_the_deadlock_is_shown(self):
        self.open("module=body-locks&program=pairs&locks=8&order=asked")
        self.first(".pl-show").click()
        self.assertTrue(self.state()["bad"])
        self.first(".pl-undo").send_keys(Keys.ENTER)
        self.assertFalse(self.state()["ended"])


class PhysicsUpdate(Figure):
    def run_often(self):
        for threads in (1, 2, 3, 4):
            self.first(f".pu-threads-{threads}").click()
            for _ in range(5):
                self.first(".pu-again").send_keys(Keys.ENTER)
        return self.state()["hashes"]

    def test_sorted_contacts_have_one_hash_and_others_have_not(self):
        self.open("module=physics-update")
        self.assertEqual(self.run_often(), 1)
        self.first(".pu-sort").click()
        self.assertGreater(self.run_often(), 1)


class ControlledSchedules(Figure):
    def search(self, program, mended):
        self.open(f"module=controlled-schedules&program={program}&mended={mended}")
        self.first(".pl-all").click()
        return self.state()

    def test_some_orders_fail_and_of_the_mended_code_none(self):
        for program, orders, failing in (("helping", 45, 4), ("batch", 5, 1)):
            with self.subTest(program=program):
                state = self.search(program, "no")
                self.assertEqual((state["orders"], state["failing"]), (orders, failing))
                self.first(".pl-show").click()
                self.assertTrue(self.state()["bad"])
                mended = self.search(program, "yes")
                self.assertEqual((mended["failing"], mended["walk"], mended["pct"]), (0, 0, [0, 0, 0]))

    def test_pct_keeps_the_bound_that_the_lecture_computes(self):
        state = self.search("batch", "no")
        self.assertEqual(state["longest"], 6)
        self.assertEqual(state["pct"][0], 0, "a bug of depth 2")
        self.assertGreaterEqual(state["pct"][1], 1000 // (2 * 6))

    def test_keys_alone(self):
        self.open("module=controlled-schedules")
        self.first(".pl-step").send_keys(Keys.SPACE)
        self.assertEqual(self.state()["steps"], 1)
        self.first(".pl-undo").send_keys(Keys.ENTER)
        self.assertEqual(self.state()["steps"], 0)
        self.assertTrue(self.first("[aria-live]").text)


if __name__ == "__main__":
    unittest.main()
