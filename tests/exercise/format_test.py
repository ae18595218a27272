#!/usr/bin/env python3
"""Every exercise of the course is as lectures/README.md says.

Whether starters fail for their reason, and solutions pass, is tested by the targets that lectures/exercise.bzl makes,
and of repairs by those of models/: here is what makes sure that they are the exercise's.
"""

import difflib
import re
import subprocess
import unittest

import places
from nowait.exercise import argument, build_files, catalogue, comments, working_copy  # noqa: E402

ROOT = places.ROOT
NAMED = re.compile(r"^(?:---|\+\+\+) [ab]/(\S+)", re.MULTILINE)
MACROS = {"exercise_model": "models", "exercise_kills": "models", "exercise_test": "tests", "exercise_bench": "bench"}
LONG = 30  # characters of a line of the solution that the task must not have
NEAR = 20  # lines on either side of a hole whose comments must not have the answer's words
ANSWER = re.compile(r"[A-Za-z_]\w*(?=\()|(?<=memory_order::)\w+")  # what is called, and with which order
SAID = {("look-and-sleep", "ready"): "the contract of Await is about it, whichever way Await asks"}


def code_of(line):
    return line.partition("//")[0].strip()


def told(starter, solution):
    """Words of the solution's lines that a comment near the hole in the starter has: (line, word)."""
    lines = starter.splitlines()
    begin, end = [code_of(line) for line in lines], [code_of(line) for line in solution.splitlines()]
    found = set()
    for kind, first, last, new_first, new_last in difflib.SequenceMatcher(None, begin, end, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        words = set(ANSWER.findall("\n".join(end[new_first:new_last]))) - set(ANSWER.findall("\n".join(begin[first:last])))
        for number in range(max(0, first - NEAR), min(len(lines), last + NEAR)):
            comment = lines[number].partition("//")[2]
            found |= {(number + 1, word) for word in words if re.search(rf"\b{word}\b", comment)}
    return sorted(found)


def without_comments(text):
    """As the compiler drops them."""
    return subprocess.run(["g++", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c++", "-"], input=text, text=True,
                          capture_output=True, check=True).stdout


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

    def test_no_comment_near_the_hole_names_the_answer(self):
        def judge(one):
            starter, solution = working_copy.starter(ROOT, one), working_copy.solution(ROOT, one)
            for file in one.files:
                found = [(line, word) for line, word in told(starter[file], comments.without_arguments(solution[file]))
                         if (one.name, word) not in SAID]
                self.assertEqual([], found, file)

        self.for_each(["repair"], judge)

    def test_a_comment_beside_the_hole_is_noticed(self):
        solution = "int x = y.load(std::memory_order::seq_cst);\n"
        starter = "// seq_cst here.\nint x = y.load(std::memory_order::acquire);\n"
        self.assertEqual([(1, "seq_cst")], told(starter, solution))

    def test_the_starter_has_the_code_of_the_mutant(self):
        def judge(one):
            defect, starter = working_copy.defect(ROOT, one), working_copy.starter(ROOT, one)
            for file in one.files:
                self.assertEqual(without_comments(defect[file]), without_comments(starter[file]), file)

        self.for_each(["repair"], judge)

    def test_words_to_be_forgotten_are_there(self):
        def judge(one):
            texts = "".join(working_copy.defect(ROOT, one).values())
            for words in one.forget:
                self.assertEqual(1, texts.count(words), words)

        self.for_each(["repair"], judge)

    def test_every_repair_asks_for_its_argument(self):
        exercises_mutants = {one.mutant for one in self.exercises}

        def judge(one):
            questions = argument.questions(ROOT, one)
            self.assertGreaterEqual(len(questions), 3)
            self.assertGreaterEqual(len({question.right for question in questions}), 2, "one answer for all")
            for item in one.argument:
                self.assertNotIn(item.get("edit"), exercises_mutants, "another exercise's solution")
            asked = argument.asked(questions)
            starter, solution = working_copy.starter(ROOT, one), working_copy.solution(ROOT, one)
            for file in one.files:
                begin = {code_of(line) for line in starter[file].splitlines()}
                for line in map(code_of, solution[file].splitlines()):
                    if len(line) >= LONG and line not in begin:
                        self.assertNotIn(line, asked)
            right = "".join(f"{question.letter}: {question.right}\n" for question in questions)
            self.assertTrue(argument.judge(questions, right).right)

        self.for_each(["repair"], judge)

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
