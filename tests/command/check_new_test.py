#!/usr/bin/env python3
"""./nowait check --new writes the whole skeleton, or says in one line why not and writes nothing.

Whether the skeleton itself is right is tested in tests/new_structure, where it is built and checked.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C"}


class NewStructure(unittest.TestCase):
    def setUp(self):
        """A checkout with the files that --new looks at."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "a checkout"
        self.root.mkdir()
        shutil.copy(ROOT / "nowait", self.root)
        shutil.copytree(ROOT / "tools", self.root / "tools")
        (self.root / "models/islands").mkdir(parents=True)
        for ending in ("toml", "cc"):
            shutil.copy(ROOT / f"models/islands/union_find.{ending}", self.root / "models/islands")

    def new(self, *arguments):
        return subprocess.run([str(self.root / "nowait"), "check", "--new", *arguments], cwd="/",
                              capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)

    def files(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.glob("own/**/*") if path.is_file())

    def assert_refused(self, words, *arguments):
        before = self.files()
        done = self.new(*arguments)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertEqual("", done.stdout)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(before, self.files())

    def test_everything_is_there(self):
        done = self.new("letter_box")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual("", done.stderr)
        folder = self.root / "own/letter_box"
        self.assertEqual(["BUILD", "letter_box.cc", "letter_box.h", "letter_box.toml", "letter_box_orders.md"],
                         sorted(path.name for path in folder.iterdir()))
        for path in folder.iterdir():
            self.assertIn("letter_box", path.read_text(encoding="utf-8"))
            for line in path.read_text(encoding="utf-8").splitlines():
                self.assertNotRegex(line, "@[A-Za-z]+@")
        header = (folder / "letter_box.h").read_text(encoding="utf-8")
        self.assertIn("#ifndef NOWAIT_OWN_LETTER_BOX_LETTER_BOX_H_\n", header)
        self.assertIn("class LetterBox {", header)
        self.assertIn('#include "own/letter_box/letter_box.h"', (folder / "letter_box.cc").read_text("utf-8"))
        for command in ("./nowait check letter_box", "./nowait check letter_box --mutate"):
            self.assertIn(command, done.stdout)

    def test_another_folder(self):
        self.assertEqual(0, self.new("letter_box", "own/week_3/boxes/").returncode)
        header = self.root / "own/week_3/boxes/letter_box.h"
        self.assertIn("NOWAIT_OWN_WEEK_3_BOXES_LETTER_BOX_H_", header.read_text(encoding="utf-8"))

    def test_bad_names(self):
        for name in ("", "Box", "2box", "_box", "box_", "a__b", "a-b", "a b", "a/b", "../box", "böx", "a\nb",
                     "$(id)", "--list"):
            with self.subTest(name):
                self.assert_refused("lower_snake_case", name)
        for name in ("for", "while", "co_await", "char8_t", "xor_eq", "all", "sync"):
            with self.subTest(name):
                self.assert_refused(f'"{name}" means something else', name)

    def test_bad_folders(self):
        for folder in ("own", "own/", "/own/box", "src/box", "own/../box", "own//box", "own/a b", "own/Box", "./own/x"):
            with self.subTest(folder):
                self.assert_refused("not a folder below own/", "box", folder)

    def test_arguments(self):
        self.assert_refused("a name is needed")
        self.assert_refused('"--quick"', "box", "own/box", "--quick")

    def test_what_is_there_already(self):
        self.assert_refused("models/islands/union_find", "union_find")
        self.assertEqual(0, self.new("letter_box").returncode)
        self.assert_refused("own/letter_box", "letter_box", "own/another")
        self.assert_refused("own/letter_box is there", "another", "own/letter_box")

    def test_what_cannot_be_written(self):
        (self.root / "own").write_text("", encoding="utf-8")
        self.assert_refused("own cannot be written", "letter_box")

    def test_the_build_file_is_the_one_that_is_tested(self):
        self.assertEqual(0, self.new("sample").returncode)
        rules = (self.root / "own/sample/BUILD").read_text(encoding="utf-8").partition("cc_library(")[2]
        tested = (ROOT / "tests/new_structure/BUILD").read_text(encoding="utf-8").partition("cc_library(")[2]
        self.assertEqual(rules, tested)


if __name__ == "__main__":
    unittest.main()
