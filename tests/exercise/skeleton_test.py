#!/usr/bin/env python3
"""--new: a skeleton of each kind is an exercise, and senseless arguments are refused and write nothing."""

import pathlib
import shutil
import tempfile
import unittest

import places
from nowait.exercise import build_files, catalogue, skeleton  # noqa: E402
from nowait.exercise.catalogue import Complaint  # noqa: E402


class Skeleton(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        (self.root / "lectures/boxes").mkdir(parents=True)
        for name in ("src/sync", "models/sync"):
            shutil.copytree(places.ROOT / name, self.root / name)

    def test_a_repair_needs_words_only(self):
        folder, files = skeleton.make(self.root, "boxes", "one-too-many", "repair", "quota_one_too_many")
        self.assertEqual(("lectures/boxes/exercises/one-too-many", ["exercise.toml", "task.md"]), (folder, files))
        [one] = catalogue.load(self.root)
        self.assertEqual(("src/sync/quota.h",), one.files)
        self.assertEqual("a quota is linearizable as a counter", one.reason)

    def test_the_others_lack_their_patches_and_nothing_else(self):
        for kind, lacks in (("extend", ("starter.patch", "solution.patch")), ("model", ("starter.patch",)),
                            ("litmus", ("solution.patch", "litmus.cc"))):
            with self.subTest(kind):
                folder, _ = skeleton.make(self.root, "boxes", f"my-{kind}", kind)
                for name in lacks:
                    with self.assertRaises(Complaint):
                        catalogue.load(self.root)
                    (self.root / folder / name).touch()
                found = catalogue.find(catalogue.load(self.root), f"my-{kind}")
                [(rule, arguments)] = build_files.calls(self.root / folder / "BUILD")
                self.assertIn(f"//{folder}:{arguments['name']}", found.models + found.tests)
                self.assertTrue(rule.startswith("exercise_"))

    def test_what_is_refused(self):
        for arguments, words in ((("Boxes", "a", "extend"), "no lecture as"), (("lids", "a", "extend"), "no lectures/lids"),
                                 (("boxes", "A b", "extend"), "lower-case"), (("boxes", "../a", "extend"), "lower-case"),
                                 (("boxes", "a", "repair", "no_such"), "no_such")):
            with self.subTest(arguments):
                with self.assertRaises(Complaint) as caught:
                    skeleton.make(self.root, *arguments)
                self.assertIn(words, str(caught.exception))
        self.assertEqual([], list(self.root.glob("lectures/*/exercises/*")))
        skeleton.make(self.root, "boxes", "a", "extend")
        with self.assertRaises(Complaint):
            skeleton.make(self.root, "boxes", "a", "litmus")


if __name__ == "__main__":
    unittest.main()
