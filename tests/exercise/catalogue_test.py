#!/usr/bin/env python3
"""exercise.toml: a right one is read, and an error is named in one line with its file."""

import pathlib
import tempfile
import unittest

import places
from nowait.exercise import catalogue  # noqa: E402


class Catalogue(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.folder = places.small_checkout(self.root)

    def set(self, toml):
        (self.root / self.folder / "exercise.toml").write_text(toml, encoding="utf-8")

    def assert_complaint(self, *words):
        with self.assertRaises(catalogue.Complaint) as caught:
            catalogue.load(self.root)
        self.assertNotIn("\n", str(caught.exception))
        for word in (self.folder, *words):
            self.assertIn(word, str(caught.exception))

    def test_what_is_right(self):
        [one] = catalogue.load(self.root)
        self.assertEqual((1, "too-large", "boxes"), (one.number, one.name, one.lecture))
        self.assertEqual(("//models/box:box",), one.models)
        self.assertEqual(("Look.", "Think.", "Write 1."), one.hints)

    def test_broken_toml_says_where(self):
        self.set(places.TOML.replace("minutes = 20", "minutes = = 20"))
        self.assert_complaint("exercise.toml", "line 3")

    def test_bytes_that_are_no_text(self):
        (self.root / self.folder / "exercise.toml").write_bytes(b'title = "\xff"\n')
        self.assert_complaint("exercise.toml")

    def test_each_key_that_is_missing(self):
        for line in places.TOML.splitlines():
            key = line.split(" = ")[0]
            with self.subTest(key):
                self.set(places.TOML.replace(line + "\n", ""))
                self.assert_complaint(key)

    def test_keys_of_another_type_kind_or_name(self):
        for old, new, word in (
            ("minutes = 20", 'minutes = "20"', "minutes"),
            ("minutes = 20", "minutes = true", "minutes"),
            ("minutes = 20", "minutes = 0", "minutes"),
            ('title = "A box too large"', 'title = " "', "title"),
            ('kind = "repair"', 'kind = "repairs"', "repairs"),
            ('kind = "repair"', 'kind = "repair"\nkills = 3', "kills"),
            ('kind = "repair"', 'kind = "repair"\nmutent = "x"', "'mutant'?"),
            ('files = ["src/box/box.h"]', "files = [1]", "files"),
            ('files = ["src/box/box.h"]', "files = []", "files"),
            ('files = ["src/box/box.h"]', 'files = ["src/box/lid.h"]', "src/box/lid.h"),
            ('files = ["src/box/box.h"]', 'files = ["/etc/passwd"]', "/etc/passwd"),
            ('files = ["src/box/box.h"]', 'files = ["src/../../x"]', "src/../../x"),
            ('files = ["src/box/box.h"]', 'files = ["tools/nowait/exercise/kills.py"]', "tools/nowait/exercise/kills.py"),
            ('"//models/box:box"', '"models/box"', "models/box"),
            ('mutant = "box_too_large"', 'mutant = "box_too_small"', "box_too_small.patch"),
            ('hints = ["Look.", "Think.", "Write 1."]', 'hints = ["Look.", "Think."]', "2 hints"),
        ):
            with self.subTest(new):
                self.assertIn(old, places.TOML)
                self.set(places.TOML.replace(old, new))
                self.assert_complaint(word)

    def test_what_must_lie_beside_it(self):
        (self.root / self.folder / "task.md").unlink()
        self.assert_complaint("task.md")

    def test_which_patches_each_kind_has(self):
        """An extend and a model begin with less than there is; a litmus may begin with its file as it stands."""
        for kind, keys, needed in (
            ("extend", 'model = "//models/box:box"', ("starter.patch", "solution.patch")),
            ("model", 'model = "//models/box:mine"\nstructure = "//models/box:box"\nmutants = ["too_large"]\nkills = 1',
             ("starter.patch",)),
            ("litmus", 'tests = ["//models/box:box_test"]', ("solution.patch",)),
        ):
            toml = places.TOML.replace('"repair"', f'"{kind}"').replace('mutant = "box_too_large"\n', "")
            self.set(toml.replace('model = "//models/box:box"', keys))
            for name in needed:
                with self.subTest(kind, missing=name):
                    self.assert_complaint(f"there is no {name}")
                places.write(self.root, {f"{self.folder}/{name}": places.PATCH})
            self.assertEqual([kind], [one.kind for one in catalogue.load(self.root)])
            for name in needed:
                (self.root / self.folder / name).unlink()

    def test_a_bench_and_the_work_that_passes(self):
        places.write(self.root, {f"{self.folder}/{name}.patch": places.PATCH for name in ("starter", "solution")})
        toml = places.TOML.replace('"repair"', '"extend"').replace('mutant = "box_too_large"\n', "")
        both = 'bench = "//models/box:work"\nat_most = 0.5'
        self.set(toml.replace('model = "//models/box:box"', both))
        [one] = catalogue.load(self.root)
        self.assertEqual(("//models/box:work", 0.5), (one.bench, one.at_most))
        for keys, word in ((both.replace("0.5", "1.5"), "between 0 and 1"), (both.replace("0.5", '"0.5"'), "at_most"),
                           (both.replace("//", ""), "models/box:work"), ("at_most = 0.5", "come together"),
                           ('bench = "//models/box:work"', "come together")):
            with self.subTest(keys):
                self.set(toml.replace('model = "//models/box:box"', keys))
                self.assert_complaint(word)
        self.set(places.TOML + both)
        self.assert_complaint("not for kind 'repair'")

    def test_numbers_follow_the_course(self):
        for lecture, name, minutes in (("boxes", "a-longer-one", 30), ("lids", "first", 90), ("boxes", "b", 20)):
            toml = places.TOML.replace("minutes = 20", f"minutes = {minutes}")
            places.write(self.root, {f"lectures/{lecture}/exercises/{name}/exercise.toml": toml,
                                     f"lectures/{lecture}/exercises/{name}/task.md": "x"})
        places.write(self.root, {"lectures/course.toml": '[[lecture]]\nfolder = "lids"\ntitle = "Lids"\n'
                                                         '[[lecture]]\nfolder = "boxes"\ntitle = "Boxes"\n'})
        found = catalogue.load(self.root)
        self.assertEqual(["first", "b", "too-large", "a-longer-one"], [one.name for one in found])
        self.assertEqual([1, 2, 3, 4], [one.number for one in found])
        self.assertEqual("too-large", catalogue.find(found, "3").name)
        self.assertEqual("too-large", catalogue.find(found, "too-large").name)

    def test_a_name_twice(self):
        places.write(self.root, {"lectures/lids/exercises/too-large/exercise.toml": places.TOML,
                                 "lectures/lids/exercises/too-large/task.md": "x"})
        self.assert_complaint("same name")

    def test_what_is_not_there(self):
        found = catalogue.load(self.root)
        for words, answer in (("7", "from 1 to 1"), ("too-lerge", "'too-large'?"), ("zzz", "lists them")):
            with self.assertRaises(catalogue.Complaint) as caught:
                catalogue.find(found, words)
            self.assertIn(answer, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
