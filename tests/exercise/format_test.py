#!/usr/bin/env python3
"""Every exercise of the course is as lectures/README.md says.

Whether starters fail for their reason, and solutions pass, is tested by the targets that lectures/exercise.bzl makes,
and of repairs by those of models/: here is what makes sure that they are the exercise's.
"""

import re
import unittest

import places
from nowait.exercise import build_files, catalogue, working_copy  # noqa: E402

ROOT = places.ROOT
NAMED = re.compile(r"^(?:---|\+\+\+) [ab]/(\S+)", re.MULTILINE)
MACROS = {"exercise_model": "models", "exercise_kills": "models", "exercise_test": "tests", "exercise_bench": "bench"}
LONG = 30  # characters of a line of the solution that the task must not have


def named_by(patch):
    """The files that a patch changes."""
    return set(NAMED.findall(patch.read_text(encoding="utf-8")))


class Exercises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exercises = catalogue.load(ROOT)
        cls.mutants = build_files.mutants(ROOT)

    def test_there_are_some_of_each_kind(self):
        self.assertEqual(set(catalogue.KINDS), {one.kind for one in self.exercises})

    def for_each(self, kinds, judge):
        for one in self.exercises:
            if one.kind in kinds:
                with self.subTest(one.folder):
                    judge(one)

    def test_a_repair_is_a_mutant_that_ci_kills_for_that_reason(self):
        def judge(one):
            package, _ = catalogue.package_and_name(one.models[0])
            mutant = self.mutants[f"//{package}:{one.mutant}"]
            self.assertEqual((mutant.model,), one.models)
            self.assertEqual(mutant.files, one.files)
            self.assertEqual(mutant.reason, one.reason)
            self.assertFalse((ROOT / one.folder / "BUILD").exists())

        self.for_each(["repair"], judge)

    def test_the_same_repair_is_not_asked_for_twice(self):
        mutants = [one.mutant for one in self.exercises if one.kind == "repair"]
        self.assertEqual(sorted(set(mutants)), sorted(mutants))

    def test_starter_and_solution_differ_only_in_the_files(self):
        def judge(one):
            patches = [catalogue.mutant_patch(ROOT, one)] if one.kind == "repair" else \
                [f"{one.folder}/starter.patch", f"{one.folder}/solution.patch"]
            for patch in patches:
                if (ROOT / patch).is_file():
                    self.assertLessEqual(named_by(ROOT / patch), set(one.files), patch)

        self.for_each(catalogue.KINDS, judge)

    def test_starter_and_solution_are_made_and_differ(self):
        def judge(one):
            starter, solution = working_copy.starter(ROOT, one), working_copy.solution(ROOT, one)
            self.assertEqual(set(one.files), set(starter))
            for file in one.files:
                self.assertNotEqual(starter[file], solution[file], file)

        self.for_each(catalogue.KINDS, judge)

    def test_the_task_does_not_have_the_solution(self):
        def judge(one):
            task = " ".join((ROOT / one.folder / "task.md").read_text(encoding="utf-8").split())
            starter, solution = working_copy.starter(ROOT, one), working_copy.solution(ROOT, one)
            for file in one.files:
                begin = set(starter[file].splitlines())
                for line in solution[file].splitlines():
                    line = line.strip()
                    if len(line) >= LONG and line not in begin and not line.startswith("//"):
                        self.assertNotIn(line, task)

        self.for_each(catalogue.KINDS, judge)

    def test_the_checks_of_build_are_those_of_the_toml(self):
        def judge(one):
            own = {"models": set(), "tests": set(), "bench": set()}
            for rule, arguments in build_files.calls(ROOT / one.folder / "BUILD"):
                if rule not in MACROS:
                    continue
                own[MACROS[rule]].add(f"//{one.folder}:{arguments['name']}")
                files = arguments.get("headers", []) + arguments.get("sources", [])
                if rule == "exercise_kills":
                    self.assertEqual(one.structure, arguments["model"])
                    self.assertEqual(sorted(one.mutants), sorted(arguments["mutants"]))
                    self.assertEqual(one.kills, arguments["kills"])
                    files = [arguments["model"] + ".cc"]
                if rule == "exercise_bench":
                    self.assertEqual(one.at_most, arguments["at_most"])
                    self.assertGreaterEqual(len(arguments["wrong"]), 1, "a wrong solution that must not pass")
                self.assertEqual(one.files, tuple(build_files.path_of(file, one.folder) for file in files))
                self.assertEqual(one.reason, arguments["reason"])
            self.assertLessEqual(own["models"], set(one.models))
            self.assertEqual(own["tests"], set(one.tests))
            self.assertEqual(own["bench"], {one.bench} - {""})
            self.assertTrue(any(own.values()))
            for label in set(one.models) - own["models"]:  # models that must go on passing
                package, name = catalogue.package_and_name(label)
                rules = [(rule, arguments["name"]) for rule, arguments in build_files.calls(ROOT / package / "BUILD")
                         if rule == "model"]
                self.assertIn(("model", name), rules)

        self.for_each(["extend", "model", "litmus"], judge)

    def test_every_folder_of_an_exercise_is_one(self):
        for folder in sorted(ROOT.glob("lectures/*/exercises/*/")):
            self.assertTrue((folder / "exercise.toml").is_file(), folder.relative_to(ROOT).as_posix())


if __name__ == "__main__":
    unittest.main()
