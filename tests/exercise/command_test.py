#!/usr/bin/env python3
"""./nowait exercise as it is typed: the list, hints, the solution, and messages for bad input. Nothing is built."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import places

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": tempfile.gettempdir()}


class Command(unittest.TestCase):
    def setUp(self):
        """A checkout of the commands and one repair."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "a checkout"
        self.root.mkdir()
        shutil.copy(places.ROOT / "nowait", self.root)
        shutil.copytree(places.ROOT / "tools", self.root / "tools")
        self.folder = places.small_checkout(self.root)
        self.progress = self.root / ".nowait/exercises.json"

    def exercise(self, *arguments):
        return subprocess.run([str(self.root / "nowait"), "exercise", *arguments], cwd="/", capture_output=True, text=True,
                              timeout=60, env=ENVIRONMENT, check=False, stdin=subprocess.DEVNULL)

    def assert_one_line(self, status, *words, arguments=()):
        done = self.exercise(*arguments)
        self.assertEqual(status, done.returncode, done.stderr)
        self.assertEqual("", done.stdout)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)
        self.assertTrue(done.stderr.startswith("nowait: exercise: "), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_the_list(self):
        done = self.exercise()
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn("boxes\n", done.stdout)
        self.assertRegex(done.stdout, r"\n +1  A box too large +repair +20 min  -\n")
        self.assertIn("0 of 1 passed", done.stdout)
        self.assertFalse(self.progress.exists())

    def test_the_lectures_have_their_titles(self):
        places.write(self.root, {"lectures/course.toml": '[[lecture]]\nfolder = "boxes"\ntitle = "Boxes, at length"\n'})
        self.assertIn("Boxes, at length\n", self.exercise().stdout)

    def test_hints_come_one_at_a_time_and_are_counted(self):
        for number, hint in ((1, "Look."), (2, "Think."), (3, "Write 1."), (3, "Write 1.")):
            done = self.exercise("1", "--hint")
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn(f"hint {number} of 3: {hint}\n", done.stdout)
            for other in {"Look.", "Think.", "Write 1."} - {hint}:
                self.assertNotIn(other, done.stdout)
        self.assertIn("3 of 3 hints", self.exercise().stdout)

    def test_the_solution_is_shown_when_asked_twice(self):
        self.assertNotIn("return 1;", self.exercise("too-large", "--solution").stdout)
        done = self.exercise("too-large", "--solution")
        self.assertIn("-int Size() { return 2; }\n+int Size() { return 1; }\n", done.stdout)

    def test_after_a_pass_it_is_shown_at_once(self):
        places.write(self.root, {".nowait/exercises.json": json.dumps(
            {"schema": 1, "exercises": {"too-large": {"begun": True, "passed": "2026-11-23"}}})})
        self.assertIn("+int Size() { return 1; }\n", self.exercise("1", "--solution").stdout)
        self.assertIn("passed 2026-11-23", self.exercise().stdout)

    def test_arguments_that_make_no_sense(self):
        for arguments, words in ((("1", "2"), '"2"'), (("--once",), "--once needs an exercise"), (("1", "--no-such"), "--no-such"),
                                 (("1", "--hint", "--once"), "two commands"), (("1", "--again", "--hint"), "two commands"),
                                 (("",), "empty name"), (("--new",), "--new needs"),
                                 (("--new", "boxes", "a", "riddle"), "riddle"),
                                 (("--new", "boxes", "a", "repair"), "a mutant")):
            with self.subTest(arguments):
                self.assert_one_line(2, words, arguments=arguments)
        for words in ("2", "0", "too-big", "../too-large"):
            for flag in ((), ("--hint",), ("--once",)):
                with self.subTest((words, flag)):
                    self.assert_one_line(2, words, arguments=(words, *flag))
        self.assertFalse(self.progress.exists())
        self.assertFalse((self.root / "exercise").exists())

    def test_a_broken_exercise_loses_no_progress(self):
        self.exercise("1", "--hint")
        before = self.progress.read_bytes()
        places.write(self.root, {f"{self.folder}/exercise.toml": places.TOML + "more = = 1\n"})
        for arguments in ((), ("1",), ("1", "--hint")):
            self.assert_one_line(1, f"{self.folder}/exercise.toml", "line 9", arguments=arguments)
        self.assertEqual(before, self.progress.read_bytes())

    def test_a_damaged_progress_file(self):
        for number, arguments in enumerate(((), ("1", "--hint"), ("1", "--once")), 1):
            places.write(self.root, {".nowait/exercises.json": '{"schema": 1, "exerc'})
            self.assert_one_line(1, "exercises.json", "damaged", f"damaged-{number}", arguments=arguments)
            kept = self.root / f".nowait/exercises.json.damaged-{number}"
            self.assertEqual('{"schema": 1, "exerc', kept.read_text(encoding="utf-8"))
        self.assertFalse((self.root / "exercise").exists())

    def test_progress_of_another_version(self):
        text = '{"schema": 2, "exercises": {}}'
        places.write(self.root, {".nowait/exercises.json": text})
        for arguments in ((), ("1", "--hint"), ("1", "--solution"), ("1", "--once")):
            self.assert_one_line(1, "schema 2", arguments=arguments)
        self.assertEqual(text, self.progress.read_text(encoding="utf-8"))

    def test_a_checkout_that_cannot_be_written(self):
        places.write(self.root, {".nowait": "a file is in the way"})
        self.assert_one_line(1, ".nowait", arguments=("1", "--hint"))

    def test_help(self):
        done = self.exercise("--help")
        self.assertEqual(0, done.returncode)
        for word in ("--once", "--again", "--hint", "--solution", "--here", "--new"):
            self.assertIn(f"{word}", done.stdout)

    def test_a_skeleton(self):
        done = self.exercise("--new", "boxes", "another", "extend")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("lectures/boxes/exercises/another", done.stdout)
        self.assert_one_line(1, "there already", arguments=("--new", "boxes", "another", "extend"))


if __name__ == "__main__":
    unittest.main()
