#!/usr/bin/env python3
"""Copies to work in, their sources, and the files that grade them."""

import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

import places
from nowait.exercise import catalogue, pristine, repository, watch, working_copy  # noqa: E402
from nowait.exercise.catalogue import Complaint  # noqa: E402


class Small(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "a checkout"
        self.folder = places.small_checkout(self.root)
        [self.exercise] = catalogue.load(self.root)
        self.copy = self.root / "exercise/too-large"
        self.mine = self.copy / "src/box/box.h"

    def begin(self):
        return working_copy.begin(self.root, self.root, self.exercise)


class Copies(Small):
    def test_it_has_the_starter_and_the_task_and_nothing_else(self):
        self.assertTrue(self.begin())
        self.assertEqual(["TASK.md", "src/box/box.h"],
                         sorted(path.relative_to(self.copy).as_posix() for path in self.copy.rglob("*") if path.is_file()))
        self.assertIn("return 2;", self.mine.read_text(encoding="utf-8"))
        task = (self.copy / "TASK.md").read_text(encoding="utf-8")
        for words in ("# A box too large", "Repair `Size`.", "`src/box/box.h`", "--hint"):
            self.assertIn(words, task)

    def test_it_is_never_written_over(self):
        self.begin()
        self.mine.write_text("mine", encoding="utf-8")
        self.assertFalse(self.begin())
        self.assertEqual("mine", self.mine.read_text(encoding="utf-8"))

    def test_again_keeps_each_old_one(self):
        for number in (1, 2):
            self.begin()
            self.mine.write_text(f"mine {number}", encoding="utf-8")
            self.assertEqual(f"too-large.old-{number}", working_copy.put_aside(self.copy).name)
        self.assertTrue(self.begin())
        for number in (1, 2):
            old = self.root / f"exercise/too-large.old-{number}/src/box/box.h"
            self.assertEqual(f"mine {number}", old.read_text(encoding="utf-8"))

    def test_a_patch_that_does_not_apply_leaves_nothing(self):
        places.write(self.root, {"src/box/box.h": "// Another box.\n"})
        with self.assertRaises(Complaint) as caught:
            self.begin()
        self.assertIn("does not apply", str(caught.exception))
        self.assertFalse(self.copy.exists())

    def test_a_file_that_is_gone_is_named(self):
        self.begin()
        self.mine.unlink()
        with self.assertRaises(Complaint) as caught:
            working_copy.read(self.root, self.exercise)
        self.assertIn("exercise/too-large/src/box/box.h", str(caught.exception))

    def test_the_solution_of_a_repair_is_the_file_as_it_stands(self):
        self.assertEqual({"src/box/box.h": places.HEADER}, working_copy.solution(self.root, self.exercise))


class Repository(Small):
    def write(self, text):
        repository.write(self.root / ".nowait/grade", self.exercise, {"src/box/box.h": text})

    def test_it_has_the_files_under_the_students_name(self):
        self.write(b"mine\n")
        folder = self.root / ".nowait/grade"
        self.assertEqual('#line 1 "exercise/too-large/src/box/box.h"\nmine\n',
                         (folder / "src/box/box.h").read_text(encoding="utf-8"))
        self.assertEqual('#include "external/exercise/src/box/box.h"\n', (folder / "all.h").read_text(encoding="utf-8"))
        self.assertIn('["all.h", "src/box/box.h"]'.replace('"', "'"), (folder / "BUILD").read_text(encoding="utf-8"))

    def test_what_another_exercise_left_goes(self):
        places.write(self.root / ".nowait/grade", {"src/jobs/job_list.h": "old", "src/box/BUILD": "old"})
        self.write(b"mine\n")
        self.assertEqual(["BUILD", "WORKSPACE", "all.h", "src", "src/box", "src/box/box.h"],
                         sorted(path.relative_to(self.root / ".nowait/grade").as_posix()
                                for path in (self.root / ".nowait/grade").rglob("*")))

    def test_what_is_the_same_is_not_written_again(self):
        self.write(b"mine\n")
        before = (self.root / ".nowait/grade/src/box/box.h").stat().st_mtime_ns
        self.write(b"mine\n")
        self.assertEqual(before, (self.root / ".nowait/grade/src/box/box.h").stat().st_mtime_ns)


class Pristine(Small):
    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments],
                       check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.said = []
        places.write(self.root, {".gitignore": "/.nowait/\n/exercise/\n", "models/box/box.cc": "strict\n"})

    def commit(self):
        self.git("init")
        self.git("add", "-A")
        self.git("commit", "-m", "all")

    def graded_with(self):
        return pristine.root_for_grading(self.root, self.said.append)

    def test_the_checkout_itself_where_nothing_differs(self):
        self.commit()
        self.begin()
        self.mine.write_text("mine", encoding="utf-8")
        places.write(self.root, {f"{self.folder}/task.md": "Read this.\n", "notes.txt": "mine\n"})
        self.assertEqual(self.root, self.graded_with())
        self.assertEqual([], self.said)

    def test_a_check_that_was_made_easier_does_not_count(self):
        self.commit()
        for name, text in (("models/box/box.cc", "lenient\n"), ("src/box/box.h", "// Mine.\n"),
                           (f"{self.folder}/exercise.toml", "kills = 1\n"), ("models/box/more.cc", "new\n"),
                           (".bazelrc", "x")):
            with self.subTest(name):
                self.git("checkout", "--", ".")
                self.git("clean", "-fd")
                places.write(self.root, {name: text})
                root = self.graded_with()
                self.assertEqual(self.root / ".nowait/pristine", root)
                self.assertEqual("strict\n", (root / "models/box/box.cc").read_text(encoding="utf-8"))
                self.assertEqual(places.HEADER, (root / "src/box/box.h").read_text(encoding="utf-8"))
                self.assertFalse((root / "models/box/more.cc").exists())
                self.assertIn(name, self.said[-1])
                self.assertEqual(["too-large"], [one.name for one in catalogue.load(root)])

    def test_a_new_commit_is_unpacked_anew(self):
        self.commit()
        places.write(self.root, {"models/box/box.cc": "stricter\n"})
        self.assertEqual("strict\n", (self.graded_with() / "models/box/box.cc").read_text(encoding="utf-8"))
        self.git("commit", "-am", "stricter")
        places.write(self.root, {"models/box/box.cc": "lenient\n"})
        self.assertEqual("stricter\n", (self.graded_with() / "models/box/box.cc").read_text(encoding="utf-8"))

    def test_without_git_it_is_said(self):
        self.assertEqual(self.root, self.graded_with())
        self.assertIn("no history", self.said[0])

    def test_a_git_that_fails_is_one_line(self):
        (self.root / ".git").write_text("nonsense", encoding="utf-8")
        with self.assertRaises(Complaint) as caught:
            self.graded_with()
        self.assertTrue(str(caught.exception).startswith("git: "))
        self.assertNotIn("\n", str(caught.exception))


class Watch(unittest.TestCase):
    def test_a_save_is_seen_however_an_editor_does_it(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "a.h"
            path.write_text("one", encoding="utf-8")

            def rename():
                other = path.with_suffix(".new")
                other.write_text("two", encoding="utf-8")
                path.unlink()
                other.rename(path)

            for save in (lambda: path.write_text("three", encoding="utf-8"), rename):
                before = watch.state([path])
                seen = threading.Event()

                def sleep(_):
                    if not seen.is_set():
                        seen.set()
                        save()

                after = watch.wait_for_change([path], before, sleep)
                self.assertNotEqual(before, after)
                self.assertNotIn(None, after)

    def test_a_file_that_is_gone_is_waited_for(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "a.h"
            path.write_text("one", encoding="utf-8")
            before = watch.state([path])
            path.unlink()
            turns = []

            def sleep(_):
                turns.append(time.monotonic())
                if len(turns) == 3:
                    path.write_text("two", encoding="utf-8")

            watch.wait_for_change([path], before, sleep)
            self.assertEqual(3, len(turns))


if __name__ == "__main__":
    unittest.main()
