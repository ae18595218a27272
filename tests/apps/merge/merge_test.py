#!/usr/bin/env python3
"""usage: merge_test.py PROGRAM: what its user sees, and what git makes of it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Merge(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def merge(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60)

    def three(self, base, left, right, *flags):
        return self.merge(self.file("base", base), self.file("left", left), self.file("right", right), *flags)

    def assert_refused(self, ended, *words):
        self.assertEqual(2, ended.returncode, ended.stderr)
        self.assertEqual(1, ended.stderr.count("\n"), ended.stderr)
        self.assertEqual("", ended.stdout)
        for word in words:
            self.assertIn(word, ended.stderr)

    def test_joined_in_the_layout_of_the_left(self):
        ended = self.three('{"a": 1, "b": 1}', '{\n\t"a": 2.50,\n\t"b": 1\n}\n', '{"a": 1, "b": 3}')
        self.assertEqual((0, '{\n\t"a": 2.50,\n\t"b": 3\n}\n', ""), (ended.returncode, ended.stdout, ended.stderr))

    def test_conflicts_are_named(self):
        ended = self.three('{"a": 1}', '{"a": 2}', '{"a": 3}', "--out", "out")
        self.assertEqual((1, "merge: conflict at /a\n"), (ended.returncode, ended.stderr))
        self.assertEqual({"a": {"$conflict": "value", "base": 1, "left": 2, "right": 3}},
                         json.loads((self.folder / "out").read_text()))

    def test_identities(self):
        ended = self.three('[{"n": 1, "x": 1, "y": 1}]', '[{"n": 1, "x": 2, "y": 1}, {"n": 2}]',
                           '[{"n": 3}, {"n": 1, "x": 1, "y": 2}]', "--id", "n")
        self.assertEqual((0, '[{"n":3},{"n":1,"x":2,"y":2},{"n":2}]'), (ended.returncode, ended.stdout))

    def test_new_on_both_sides(self):
        ended = self.three("", '{"a": 1}', '{"b": 2}')
        self.assertEqual((0, '{"a":1,"b":2}'), (ended.returncode, ended.stdout))

    def test_bad_input(self):
        good = "{}"
        self.assert_refused(self.three(good, good, '{\n"a": 1,\n}'), "right:3:1", "JSON is damaged")
        self.assert_refused(self.three(good, "", good), "left", "empty")
        self.assert_refused(self.three(good, '{"$conflict": "value"}', good), "left", "holds a conflict")
        self.assert_refused(self.three(good, good, "[" * 300), "right", "levels of JSON", "200")
        self.assert_refused(self.merge("none", "left", "right"), "none not found")
        self.assert_refused(self.merge("base"), "LEFT")
        self.assert_refused(self.merge("base", "left", "right", "--fast"), "--fast")

    def test_more_text_than_memory(self):
        """An indent of a megabyte, in 190 levels."""
        left = "{\n" + " " * 1_000_000 + '"a": ' + "[" * 190 + "{}" + "]" * 190 + "}"
        self.file("base", "{}"), self.file("left", left), self.file("right", '{"b": 1}')
        if "Sanitizer" in pathlib.Path(PROGRAM).read_bytes().decode("latin-1"):
            self.skipTest("a sanitizer's memory has no limit")
        ended = subprocess.run(["prlimit", "--as=2000000000", PROGRAM, "base", "left", "right"], cwd=self.folder,
                               capture_output=True, text=True, timeout=60)
        self.assert_refused(ended, "memory")

    def test_nothing_is_half_written(self):
        self.file("out", "as before")
        self.assert_refused(self.three("{}", "{", "{}", "--out", "out"), "left")
        self.assertEqual("as before", (self.folder / "out").read_text())
        self.assert_refused(self.three("{}", "{}", "{}", "--out", "no/such"), "no/such")

    def test_git(self):
        """A real repository: two branches that change one level."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        for who in "AUTHOR", "COMMITTER":
            environment |= {f"GIT_{who}_NAME": "a designer", f"GIT_{who}_EMAIL": "designer@example.com"}

        def git(*arguments, status=0):
            ended = subprocess.run(["git", *arguments], cwd=self.folder, env=environment, capture_output=True,
                                   text=True, timeout=60)
            self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
            return ended

        def level(**fields):
            units = [{"id": "gate", "open": False, "at": [0, 0, 1]}, {"id": "horse", "speed": 4.0}]
            for unit in units:
                unit.update(fields.get(unit["id"], {}))
            return self.file("level.json", json.dumps({"units": units}, indent=2) + "\n")

        def commit(branch, **fields):
            git("checkout", "-q", branch)
            level(**fields)
            git("commit", "-q", "-a", "-m", "an edit")

        git("init", "-q", "-b", "main")
        git("config", "merge.json.driver", f"'{PROGRAM}' %O %A %B --out %A")
        self.file(".gitattributes", "*.json merge=json\n")
        level()
        git("add", "level.json", ".gitattributes")
        git("commit", "-q", "-m", "the level")
        for branch in "night", "day", "noon":
            git("branch", branch)
        # Lines beside each other, which git alone calls a conflict.
        commit("night", gate={"open": True, "at": [0, 0, 1]})
        commit("day", gate={"open": False, "at": [0, 5, 1]}, horse={"speed": 6.0})
        commit("noon", gate={"open": False, "at": [7, 0, 1]})

        git("checkout", "-q", "night")
        git("merge", "-q", "-m", "joined", "day")
        self.assertEqual(
            {"units": [{"id": "gate", "open": True, "at": [0, 5, 1]}, {"id": "horse", "speed": 6.0}]},
            json.loads((self.folder / "level.json").read_text()))
        git("merge", "-m", "joined", "noon", status=1)
        self.assertIn("UU level.json", git("status", "--porcelain").stdout)
        self.assertEqual({"$conflict": "value", "base": [0, 0, 1], "left": [0, 5, 1], "right": [7, 0, 1]},
                         json.loads((self.folder / "level.json").read_text())["units"][0]["at"])


if __name__ == "__main__":
    unittest.main()
