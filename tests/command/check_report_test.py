#!/usr/bin/env python3
"""The report of ./nowait check has the tests' results, and takes no missing one for a pass."""

import contextlib
import copy
import io
import json
import pathlib
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.check.report import make as report  # noqa: E402
from nowait.check.report.results import OF_THE_CHECKER  # noqa: E402
from nowait.errors import Usage  # noqa: E402
from nowait.test.results import Counts  # noqa: E402

SCENARIOS = {
    "structure": "gate",
    "scenarios": [{
        "name": "2x1", "promise": "one of two <gets> in", "threads": 2, "passed": True,
        "searches": [
            {"search": "graphs", "executions": 1024, "exhausted": True, "fraction": 1, "seconds": 0.1},
            {"search": "full", "executions": 1200, "exhausted": True, "fraction": 1, "seconds": 0.5},
            {"search": "random:34", "executions": 34, "exhausted": False, "fraction": 1, "seconds": 0.1},
        ],
    }],
    "unsupported_behaviours": [{"words": "load buffering", "rows": ["LB+rlx"], "scenarios": ["2x1"]}],
    "sites": [],
}
MUTATIONS = {
    "structure": "gate",
    "mutants": [
        {"mutation": "gate.h:Enter:load:dropped", "fate": "killed", "executions": 3, "scenario": "2x1",
         "search": "full", "failure": "data race"},
        {"mutation": "gate.h:Enter:load:to-relaxed", "fate": "unverified", "executions": 9,
         "because": "needs a | late read", "litmus": "LB+rlx", "exact": True},
    ],
}
ORDERS = {
    "structure": "gate",
    "exact": True,
    "orders": [{"operation": "gate.h:Enter:load", "in_source": "acquire", "weakest": "relaxed",
                "forbidden_by": "", "because": "the slot's reader needs it"}],
}
LITMUS = {
    "searches": ["full"],
    "rows": [{"name": "LB+rlx", "asked": "?", "cxx20": "allowed", "finding": "never", "remark": "never produced",
              "searches": [{"search": "full", "produced": False, "exhausted": True}]}],
    "unsupported_behaviours": [{"words": "load buffering", "closed_by": None, "rows": ["LB+rlx"]}],
}
SPIN = {
    "runs": [{"model": "gate", "property": "opened", "defines": ["BUG_SHUT"], "expected": "violated",
              "outcome": "violated", "how": "acceptance cycle", "passed": True, "states": 77,
              "seconds": 0.1}],
}


def failing(found):
    found = copy.deepcopy(found)
    found["scenarios"][0]["passed"] = False
    found["scenarios"][0]["searches"] = [
        {"search": "full", "executions": 7, "exhausted": False, "fraction": 0.1, "seconds": 0.1,
         "failure": {"kind": "data race", "words": "of two writes", "site": "", "seed": 0, "state": ""}}]
    return found


# Label: (tags, arguments, shards, [(status, JSON or text or None) for each shard that ran]).
GATE = {
    "//models/a:gate": (["model"], [], 1, [("PASSED", SCENARIOS)]),
    "//models/a:gate_mutations": (["model", "run"], ["--mutate"], 1, [("PASSED", MUTATIONS)]),
    "//models/a:gate_orders": (["model", "run"], ["--minimise"], 1, [("PASSED", ORDERS)]),
    "//models/a:gate_left_open": (["model", "mutant"], ["--expect-failure"], 1,
                                  [("PASSED", failing(SCENARIOS))]),
    "//models/a:gate_watched": (["model", "run", "watched"], [], 1, [("PASSED", None)]),
    "//models/a:gate_buffered": (["model", "run", "buffered"], ["3"], 1, [("PASSED", None)]),
    "//models/a:gate_spin": (["model", "spin"], [], 1, [("PASSED", SPIN)]),
    "//models/kit/litmus:litmus_table": (["model", "litmus"], [], 1, [("PASSED", LITMUS)]),
    "//models/kit:search_test": (["model"], [], 1, [("PASSED", None)]),
}


def write_fixture(folder, tests):
    events, rules = ['{"id": {"started": {}}}'], []
    for number, (label, (tags, arguments, shards, ran)) in enumerate(tests.items()):
        strings = {"tags": tags, "args": arguments}
        rules.append(f'<rule name="{label}"><int name="shard_count" value="{shards if shards > 1 else -1}"/>'
                     + "".join(f'<list name="{name}">' + "".join(f'<string value="{value}"/>' for value in values)
                               + "</list>" for name, values in strings.items()) + "</rule>")
        for shard, (status, left) in enumerate(ran, 1):
            outputs = []
            if left is not None:
                archive = folder / f"{number} {shard}.zip"
                with zipfile.ZipFile(archive, "w") as file:
                    file.writestr("result.json", left if isinstance(left, str) else json.dumps(left))
                outputs = [{"name": "test.outputs__outputs.zip", "uri": archive.as_uri()}]
            events.append(json.dumps({"id": {"testResult": {"label": label, "run": 1, "shard": shard}},
                                      "testResult": {"status": status, "testActionOutput": outputs}}))
    (folder / "check.json").write_text("\n".join(events + ['{"id":']), encoding="utf-8")
    (folder / "tests.xml").write_text(f"<query>{''.join(rules)}</query>", encoding="utf-8")


def made(folder, counts, out="out"):
    files = report.Files(folder / "tests.xml", folder / "check.json")
    return report.make(files, counts, str(folder / out))


class Report(unittest.TestCase):
    def run_with(self, changes=(), counts=Counts(9, 0)):
        """The fixture with some tests changed: (exit code, printed, page, Markdown)."""
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            write_fixture(folder, GATE | dict(changes))
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                code = made(folder, counts)
            return (code, printed.getvalue(), (folder / "out/index.html").read_text(encoding="utf-8"),
                    (folder / "out/report.md").read_text(encoding="utf-8"))

    def assert_failed(self, result, word, *words, counts="9 passed, 1 failed"):
        """Every output says so in words."""
        code, printed, page, markdown = result
        self.assertEqual(1, code)
        self.assertEqual(counts, printed.splitlines()[-1])
        for text in (printed, page, markdown):
            self.assertIn(word, text)
            for expected in words:
                self.assertIn(expected, text)
        self.assertIn("<strong>FAILED</strong>", page)
        self.assertIn("FAILED: ", markdown)
        self.assertNotIn("<strong>PASSED</strong>", page)

    def test_all_passed(self):
        code, printed, page, markdown = self.run_with()
        self.assertEqual(0, code)
        self.assertEqual("9 passed, 0 failed", printed.splitlines()[-1])
        row = "| gate | 1 | 1 of 1 scenarios | 1,024 | 1,234 | 1 / 0 / 0 / 0 / 1 | 1 | 1 | passed |"
        self.assertEqual(row, [line for line in markdown.splitlines() if line.startswith("| gate")][0])
        self.assertIn("needs a \\| late read", markdown)
        self.assertIn("<strong>PASSED</strong>", page)
        for words in ("one of two &lt;gets&gt; in", "needs a | late read", "the slot&#39;s reader needs it",
                      "BUG_SHUT", "data race: of two writes (scenario 2x1, execution 7 of full)",
                      "(2 threads; all 1,024 executions examined)", "no counterexample exists in the scenarios",
                      "every execution of every scenario was examined", "never produced", "load buffering"):
            self.assertIn(words, page)
        for words in ("FAILED", "MISSING", "missing"):
            self.assertNotIn(words, page.replace("td.missing", ""))

    def test_the_page_needs_nothing_else(self):
        _, _, page, _ = self.run_with()
        for words in ("<script", "src=", "http://", "https://", "@import", "url("):
            self.assertNotIn(words, page)

    def test_a_structure_without_atomics_of_its_own_misses_nothing(self):
        tests = {label: test for label, test in GATE.items() if not label.endswith(("_mutations", "_orders"))}
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            write_fixture(folder, tests)
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                self.assertEqual(0, made(folder, Counts(7, 0)))
            markdown = (folder / "out/report.md").read_text(encoding="utf-8")
            page = (folder / "out/index.html").read_text(encoding="utf-8")
        self.assertIn("| gate | 1 | 1 of 1 scenarios | 1,024 | 1,234 | - | 1 | - | passed |", markdown)
        for text in (markdown, page):
            self.assertIn("no atomic operation of its own", text)
        self.assertNotIn("MISSING", printed.getvalue() + page)

    def test_a_structure_whose_orders_alone_are_weakened_misses_nothing(self):
        tests = {label: test for label, test in GATE.items() if not label.endswith("_mutations")}
        for tags, row in ((["model", "no_mutations"], "| - | 1 | 1 | passed |"), (["model"], "| missing | 1 | missing |")):
            with self.subTest(tags), tempfile.TemporaryDirectory() as directory:
                folder = pathlib.Path(directory)
                write_fixture(folder, tests | {"//models/a:gate": (tags, [], 1, [("PASSED", SCENARIOS)])})
                with contextlib.redirect_stdout(io.StringIO()):
                    made(folder, Counts(8, 0))
                self.assertIn(row, (folder / "out/report.md").read_text(encoding="utf-8"))
                page = (folder / "out/index.html").read_text(encoding="utf-8")
                self.assertEqual(len(tags) == 2, "their orders alone are weakened" in page)

    def test_the_gallery_is_no_structure(self):
        code, printed, page, _ = self.run_with({"//models/gallery:list_test": (["model"], [], 1, [("PASSED", None)])})
        self.assertEqual(0, code)
        self.assertNotIn("list_test", printed)
        self.assertNotIn("MISSING", page)

    def test_a_gap_of_some_scenarios_names_them(self):
        self.assertIn("| load buffering | LB+rlx | all |", self.run_with()[3])
        found = copy.deepcopy(SCENARIOS)
        found["scenarios"].append(found["scenarios"][0] | {"name": "3x1"})
        _, _, _, markdown = self.run_with({"//models/a:gate": (["model"], [], 1, [("PASSED", found)])})
        self.assertIn("| load buffering | LB+rlx | gate (2x1) |", markdown)

    def test_shards_add_up(self):
        first, second = copy.deepcopy(SCENARIOS), copy.deepcopy(SCENARIOS)
        second["scenarios"][0]["searches"][1].update(executions=300, exhausted=False)
        sharded = {"//models/a:gate": (["model"], [], 2, [("PASSED", first), ("PASSED", second)])}
        code, _, _, markdown = self.run_with(sharded)
        self.assertEqual(0, code)
        self.assertIn("| gate | 1 | 1 of 1 scenarios | 2,048 | 1,568 |", markdown)
        self.assertIn("| all 2,048 executions examined |", markdown)

    def test_what_a_scenario_could_show_and_no_search_does_stands_in_its_line(self):
        first, second = copy.deepcopy(SCENARIOS), copy.deepcopy(SCENARIOS)
        for found, gaps in (first, ["load buffering"]), (second, ["load buffering", "a second spurious failure"]):
            found["scenarios"][0]["searches"][0]["omitted"] = {"blocked": 1, "rounds": 0, "tries": 0, "gaps": gaps}
        sharded = {"//models/a:gate": (["model"], [], 2, [("PASSED", first), ("PASSED", second)])}
        code, _, _, markdown = self.run_with(sharded)
        self.assertEqual(0, code)
        self.assertIn("| all 2,048 executions examined but for load buffering, a second spurious failure |", markdown)

    def test_a_bounded_scenario_says_why(self):
        found = copy.deepcopy(SCENARIOS)
        found["scenarios"][0]["bounded"] = "31 million executions"
        del found["scenarios"][0]["searches"][0]
        code, _, page, markdown = self.run_with({"//models/a:gate": (["model"], [], 1, [("PASSED", found)])})
        self.assertEqual(0, code)
        self.assertIn("| gate | 1 | 0 of 1 scenarios | 0 | 1,234 |", markdown)
        for text, heading in ((page, '<section id="gate">'), (markdown, "## gate")):
            about = text.partition(heading)[2]
            self.assertIn("bounded: 31 million executions", about)
            self.assertNotIn("executions examined", about)

    def test_what_was_not_finished_has_not_passed(self):
        found = copy.deepcopy(SCENARIOS)
        found["scenarios"][0]["passed"] = False
        found["scenarios"][0]["searches"][0].update(exhausted=False, fraction=0.419)
        change = {"//models/a:gate": (["model"], [], 1, [("FAILED", found)])}
        result = self.run_with(change, Counts(9, 1))
        self.assert_failed(result, "FAILED: //models/a:gate: scenario 2x1",
                           "NOT FINISHED: 1,024 executions, about 41%")
        self.assertIn("| gate | 0 of 1 | 0 of 1 scenarios |", result[3])

    def test_a_failing_model(self):
        change = {"//models/a:gate": (["model"], [], 1, [("FAILED", failing(SCENARIOS))])}
        self.assert_failed(self.run_with(change, Counts(9, 1)), "FAILED: //models/a:gate: scenario 2x1",
                           "data race: of two writes")

    def test_scenarios_behind_a_failure_are_named(self):
        found = failing(SCENARIOS) | {"left_out": ["3x1", "3x3"]}
        change = {"//models/a:gate": (["model"], [], 1, [("FAILED", found)])}
        self.assert_failed(self.run_with(change, Counts(9, 1)), "FAILED: //models/a:gate: scenario 2x1",
                           "//models/a:gate: left out after a failure: 3x1, 3x3")

    def test_a_survivor_without_a_reason(self):
        found = copy.deepcopy(MUTATIONS)
        found["mutants"][0] = {"mutation": "gate.h:Enter:load:dropped", "fate": "SURVIVED", "executions": 9}
        change = {"//models/a:gate_mutations": (["model"], ["--mutate"], 1, [("FAILED", found)])}
        self.assert_failed(self.run_with(change, Counts(9, 1)), "gate.h:Enter:load:dropped: SURVIVED")

    def test_a_patch_that_lives(self):
        change = {"//models/a:gate_left_open": (["model", "mutant"], [], 1, [("FAILED", SCENARIOS)])}
        result = self.run_with(change, Counts(9, 1))
        self.assert_failed(result, "FAILED: //models/a:gate_left_open: its log")
        self.assertIn("NOT killed", result[2])
        self.assertIn("| 0 of 1 |", result[3])

    def test_a_test_that_did_not_run(self):
        for label in GATE:
            change = {label: (GATE[label][0], GATE[label][1], 1, [])}
            with self.subTest(label):
                self.assert_failed(self.run_with(change, Counts(9, 1)), f"MISSING: {label} was not run")

    def test_a_shard_that_did_not_run(self):
        change = {"//models/a:gate_mutations": (["model"], ["--mutate"], 2, [("PASSED", MUTATIONS)])}
        result = self.run_with(change, Counts(9, 1))
        self.assert_failed(result, "MISSING: //models/a:gate_mutations shard 2 of 2: was not run")
        self.assertIn("| missing | 1 | missing | MISSING |", result[3])

    def test_a_test_that_did_not_end(self):
        change = {"//models/a:gate": (["model"], [], 1, [("TIMEOUT", None)])}
        result = self.run_with(change, Counts(9, 1))
        self.assert_failed(result, "MISSING: //models/a:gate did not end (timeout)")
        self.assertIn("| gate | missing | missing | missing |", result[3])

    def test_a_result_that_is_missing_or_damaged_has_not_passed(self):
        for left, words in ((None, "left no result"), ("{", "left a damaged result"),
                            ("[]", "left a damaged result"), ({"structure": "gate"}, "left a damaged result")):
            for label in GATE:
                if label.startswith("//models/kit:") or label.endswith(("_buffered", "_watched")):
                    continue  # these leave no results
                change = {label: (GATE[label][0], GATE[label][1], 1, [("PASSED", left)])}
                with self.subTest(label, left=left):
                    # The test itself was counted as passed.
                    self.assert_failed(self.run_with(change), "MISSING: ", f"{label} {words}")

    def test_unit_tests_of_models_are_of_the_checker(self):
        for build in sorted((ROOT / "models").rglob("BUILD")):
            if "unit_test(" in build.read_text(encoding="utf-8"):
                package = f"//{build.parent.relative_to(ROOT)}"
                self.assertTrue(package.startswith(OF_THE_CHECKER), f"{package}: a row of the report without a result")

    def test_nothing_ran(self):
        tests = {label: (tags, arguments, shards, []) for label, (tags, arguments, shards, _) in GATE.items()}
        self.assert_failed(self.run_with(tests, Counts(0, 7)), "MISSING", counts="0 passed, 7 failed")

    def test_a_folder_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            write_fixture(folder, GATE)
            (folder / "file").write_text("", encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()), self.assertRaises(Usage) as refused:
                made(folder, Counts(9, 0), "file")
            self.assertNotIn("\n", str(refused.exception))
            self.assertIn(str(folder / "file"), str(refused.exception))


if __name__ == "__main__":
    unittest.main()
