#!/usr/bin/env python3
"""usage: merge_test.py PROGRAM: what its user sees, and what git makes of it."""

import errno
import json
import os
import pathlib
import resource
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

    def test_no_room_for_the_result(self):
        """The limit leaves ThreadSanitizer its own file, as in session's test."""
        text = "x" * (1 << 20)
        self.file("base", "{}"), self.file("left", json.dumps({"text": text})), self.file("right", '{"b": 1}')
        limit = 1 << 20
        ended = subprocess.run([PROGRAM, "base", "left", "right", "--out", "left"], cwd=self.folder,
                               capture_output=True, text=True, timeout=60,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assert_refused(ended, "left", "output file", f"errno {errno.EFBIG}")
        self.assertEqual({"text": text}, json.loads((self.folder / "left").read_text()))
        self.assertEqual(["base", "left", "right"], sorted(os.listdir(self.folder)))

    def test_nobody_hears_of_a_conflict(self):
        self.file("base", '{"a": 0}'), self.file("left", '{"a": 1}'), self.file("right", '{"a": 2}')
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([PROGRAM, "base", "left", "right", "--out", "out"], cwd=self.folder, stderr=full, timeout=60)
        self.assertEqual(1, ended.returncode)
        self.assertIn("$conflict", (self.folder / "out").read_text())

    def test_nothing_is_half_written(self):
        self.file("out", "as before")
        self.assert_refused(self.three("{}", "{", "{}", "--out", "out"), "left")
        self.assertEqual("as before", (self.folder / "out").read_text())
        self.assert_refused(self.three("{}", "{}", "{}", "--out", "no/such"), "no/such")


class Repository(unittest.TestCase):
    """A real repository, whose merge driver for JSON is the program."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder.name, "GIT_CONFIG_NOSYSTEM": "1"}
        for who in "AUTHOR", "COMMITTER":
            self.environment |= {f"GIT_{who}_NAME": "a designer", f"GIT_{who}_EMAIL": "designer@example.com"}
        self.git("init", "-q", "-b", "main")
        self.git("config", "merge.json.driver", f"'{PROGRAM}' %O %A %B --out %A")
        self.write(".gitattributes", "*.json merge=json\n")

    def git(self, *arguments, status=0):
        ended = subprocess.run(["git", *arguments], cwd=self.folder, env=self.environment, capture_output=True,
                               text=True, timeout=60)
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        return ended

    def write(self, name, text):
        (self.folder / name).write_bytes(text.encode())

    def level(self, name="level.json", end="\n", **fields):
        """Two units, with the given fields changed."""
        units = [{"id": "gate", "open": False, "at": [0, 0, 1]}, {"id": "horse", "speed": 4.0}]
        for unit in units:
            unit.update(fields.get(unit["id"], {}))
        self.write(name, (json.dumps({"units": units}, indent=2) + "\n").replace("\n", end))

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "an edit")

    def begin(self, *branches, **level):
        self.level(**level)
        self.commit()
        for branch in branches:
            self.git("branch", branch)

    def edit(self, branch, **level):
        self.git("checkout", "-q", branch)
        self.level(**level)
        self.commit()

    def shown(self, name="level.json"):
        return json.loads((self.folder / name).read_text())

    def test_two_branches_change_one_level(self):
        self.begin("night", "day", "noon")
        # Lines beside each other, which git alone calls a conflict.
        self.edit("night", gate={"open": True, "at": [0, 0, 1]})
        self.edit("day", gate={"open": False, "at": [0, 5, 1]}, horse={"speed": 6.0})
        self.edit("noon", gate={"open": False, "at": [7, 0, 1]})

        self.git("checkout", "-q", "night")
        self.git("merge", "-q", "-m", "joined", "day")
        self.assertEqual(
            {"units": [{"id": "gate", "open": True, "at": [0, 5, 1]}, {"id": "horse", "speed": 6.0}]}, self.shown())
        self.git("merge", "-m", "joined", "noon", status=1)
        self.assertIn("UU level.json", self.git("status", "--porcelain").stdout)
        self.assertEqual({"$conflict": "value", "base": [0, 0, 1], "left": [0, 5, 1], "right": [7, 0, 1]},
                         self.shown()["units"][0]["at"])

    def test_a_level_that_one_branch_renames(self):
        name = "the gate's \"level\".json"
        self.begin("day")
        self.git("mv", "level.json", name)
        self.level(name, gate={"open": True})
        self.commit()
        self.edit("day", gate={"at": [0, 5, 1]})
        self.git("merge", "-q", "-m", "joined", "main")
        self.assertFalse((self.folder / "level.json").exists())
        self.assertEqual({"id": "gate", "open": True, "at": [0, 5, 1]}, self.shown(name)["units"][0])

    def test_a_level_that_both_branches_add(self):
        self.commit()
        self.git("branch", "day")
        self.edit("main", gate={"open": True})
        self.edit("day", horse={"name": "star"})
        self.git("merge", "-m", "joined", "main", status=1)
        self.assertEqual([{"id": "gate", "open": {"$conflict": "value", "left": False, "right": True}, "at": [0, 0, 1]},
                          {"id": "horse", "speed": 4.0, "name": "star"}], self.shown()["units"])

    def check_line_ends(self):
        self.begin("day", end="\r\n")
        self.edit("main", end="\r\n", gate={"open": True})
        self.edit("day", end="\r\n", gate={"at": [0, 5, 1]})
        self.git("merge", "-q", "-m", "joined", "main")
        text = (self.folder / "level.json").read_bytes()
        self.assertGreater(text.count(b"\n"), 5)
        self.assertEqual(text.count(b"\n"), text.count(b"\r\n"))
        self.assertEqual({"id": "gate", "open": True, "at": [0, 5, 1]}, self.shown()["units"][0])
        self.assertEqual("", self.git("status", "--porcelain").stdout)

    def test_line_ends_in_the_repository(self):
        self.check_line_ends()

    def test_line_ends_that_git_makes_in_the_working_copy(self):
        self.write(".gitattributes", "*.json merge=json text eol=crlf\n")
        self.check_line_ends()

    def test_branches_that_were_merged_crosswise(self):
        """git merges the two ancestors for a base, in which a conflict is: nobody was asked there."""
        self.begin("day")
        self.edit("main", gate={"open": True})
        self.edit("day", gate={"open": None})
        self.git("branch", "day-before")
        for branch, other in (("day", "main"), ("main", "day-before")):
            self.git("checkout", "-q", branch)
            self.git("merge", "-q", "-m", "joined", other, status=1)
            self.level(gate={"open": "half"})  # both decide alike
            self.commit()
        self.edit("day", gate={"open": "half", "at": [0, 5, 1]})
        self.edit("main", gate={"open": "half"}, horse={"speed": 6.0})
        self.git("merge", "-q", "-m", "joined", "day")
        self.assertEqual([{"id": "gate", "open": "half", "at": [0, 5, 1]}, {"id": "horse", "speed": 6.0}],
                         self.shown()["units"])

    def test_a_file_that_is_no_document_stays_as_it_is(self):
        self.begin("day")
        self.edit("main", gate={"open": True})
        self.git("checkout", "-q", "day")
        self.write("level.json", "{ half of a level")
        self.commit()
        said = self.git("merge", "-m", "joined", "main", status=1)
        self.assertIn("JSON is damaged", said.stdout + said.stderr)
        self.assertEqual("{ half of a level", (self.folder / "level.json").read_text())
        self.assertIn("UU level.json", self.git("status", "--porcelain").stdout)


if __name__ == "__main__":
    unittest.main()
