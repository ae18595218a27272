#!/usr/bin/env python3
"""Bad input is one line with its place, and leaves everything as it was."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scene import DECLARED, RECORD, ROOT, Scene  # noqa: E402
from nowait.errors import Failure  # noqa: E402
from nowait.record import recordings, records, run  # noqa: E402

TOML = "docs/runs/recordings.toml"


class Marks(Scene):
    def one(self, text, words):
        self.write("docs/a.md", text)
        self.assertEqual([f"docs/a.md:{words}"], self.complaints())

    def test_each_broken_mark(self):
        form = "a mark is <!-- run:NAME.VALUE -->figure<!-- /run -->"
        self.one("one\n<!-- run:two.graphs -->1 is not closed\n", f"2: {form}")
        self.one("1<!-- /run --> is not begun\n", f"1: {form}")
        self.one("<!-- run:two.graphs -->1<!-- /outside -->\n", f"1: {form}")
        self.one("<!-- run:two.graphs -->1<!-- run:two.few -->2<!-- /run -->\n", f"1: {form}")
        self.one("<!--run:two.graphs -->1<!-- /run -->\n", f"1: {form}")
        self.one("<!-- run:two -->1<!-- /run -->\n",
                 "1: the mark <!-- run:two --> is not of the form run:NAME.VALUE or outside:NAME")
        self.one("<!-- run:two.shown -->\nlines\n", "1: the mark has no <!-- /run --> below it")
        self.one("<!-- run:two.shown -->\n```\nlines\n", "2: the block below the mark does not end")
        self.one("x <!-- outside:peer -->1<!-- /outside -->\n", "1: a mark of docs/outside.json is alone on its line")

    def test_each_mark_that_names_nothing(self):
        self.one("<!-- run:no.graphs -->1<!-- /run -->\n", f"1: {TOML} has no recording 'no'")
        self.one("<!-- run:two.no -->1<!-- /run -->\n", "1: docs/runs/two.json has no value 'no'")
        self.one("<!-- run:two.no -->\n<!-- /run -->\n", "1: docs/runs/two.json has no block 'no'")
        self.one("<!-- run:two.graphs:words -->1<!-- /run -->\n",
                 "1: '1,234' has no words: they are for whole numbers below a hundred")
        self.one("<!-- outside:no -->\n<!-- /outside -->\n", "1: docs/outside.json has no 'no'")
        (self.root / "docs/runs/two.json").unlink()
        self.one("<!-- run:two.graphs -->1<!-- /run -->\n",
                 "1: there is no record of 'two'; ./nowait record two")


class Records(Scene):
    def test_each_unreadable_record(self):
        for text, words in [("{\n", "2: is not JSON: Expecting property name enclosed in double quotes"),
                            ("[]", "1: a record has recording, command, commit, changed, date, machine, values, blocks"),
                            (json.dumps(RECORD | {"recording": "three"}), "1: is not a record of 'two'"),
                            (json.dumps(RECORD | {"values": {"graphs": 7}}), "1: is not a record of 'two'"),
                            (json.dumps(RECORD | {"machine": {}}), "1: is not a record of 'two'")]:
            with self.subTest(text):
                self.write("docs/runs/two.json", text)
                self.fails(f"docs/runs/two.json:{words}", self.texts)

    def test_each_unreadable_file_from_outside(self):
        for text, words in [("{", "1: is not JSON: Expecting property name enclosed in double quotes"),
                            ("[]", "1: is not an object"),
                            ('{"a": {}}', "1: 'a' has peer, version, settings, date, source, figures")]:
            with self.subTest(text):
                self.write("docs/outside.json", text)
                self.fails(f"docs/outside.json:{words}", self.texts)


class Declared(Scene):
    def test_each_mistake_in_the_list(self):
        for text, words in [
                ("[[recording]\n", "1: Expected ']]' at the end of an array declaration"),
                ("[other]\n", "1: knows [[recording]] only"),
                (DECLARED + DECLARED, "6: the recording 'two' is there twice"),
                (DECLARED.replace("values.", "value."), "1: a recording knows no 'value'"),
                (DECLARED.replace('"two"', '"Two"'), "1: a recording wants a name in lower-case-with-dashes"),
                (DECLARED.replace('"./two"', '"\'"'), "1: two: the command is missing or cannot be read"),
                (DECLARED.replace("([0-9,]+)", "[0-9,]+"), "1: two: the pattern of 'graphs' has one group, which is the value"),
                (DECLARED.replace("([0-9,]+)", "([0-9,]+"), "1: two: the pattern of 'graphs' is no pattern"),
                (DECLARED.replace("graphs", "date"), "1: two: 'date' is no name for a value of its own"),
                (DECLARED.replace("from", "to"), "1: two: the block 'shown' is a list of {from = \"text\", lines = N}"),
                (DECLARED.replace("values", 'repetitions = "3"\nvalues'), "1: 'repetitions' is of the wrong kind")]:
            with self.subTest(words):
                self.write(TOML, text)
                self.fails(f"{TOML}:{words}", lambda: recordings.read(self.root))


class Runs(Scene):
    """A command that fails, prints something else, or names a folder leaves the old record as it was."""

    def record(self, command, **more):
        old = self.read("docs/runs/two.json")
        recording = recordings.read(self.root)["two"]
        changed = recordings.dataclasses.replace(recording, command=command, **more)
        with self.assertRaises(Failure) as caught:
            records.write(self.root, run.record(self.root, changed))
        self.assertEqual(old, self.read("docs/runs/two.json"))
        return str(caught.exception)

    def setUp(self):
        super().setUp()
        subprocess.run("git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a", shell=True,
                       check=True, cwd=self.root)

    def test_no_new_record(self):
        self.assertEqual("two: false ended with 1 in place of 0", self.record("false"))
        self.assertEqual("two: the output has nothing for 'graphs'", self.record("echo all executions"))
        self.assertIn("names a folder of this machine",
                      self.record(f"echo 'all 7 executions {self.root} two 1x1'"))
        self.assertEqual("two: true has not written out/a.txt", self.record("true", reads="out/a.txt"))

    def test_a_new_record_is_whole(self):
        recording = recordings.dataclasses.replace(recordings.read(self.root)["two"],
                                                   command="echo 'two 1x1 all 7 executions'")
        records.write(self.root, run.record(self.root, recording))
        record = records.read(self.root, "two")
        self.assertEqual(({"graphs": "7"}, {"shown": ["two 1x1 all 7 executions"]}, False),
                         (record.values, record.blocks, record.changed))
        self.assertEqual(["outside.json", "runs"], sorted(path.name for path in (self.root / "docs").iterdir()))
        self.assertEqual(["recordings.toml", "two.json"],
                         sorted(path.name for path in (self.root / "docs/runs").iterdir()))


class Command(unittest.TestCase):
    def says(self, arguments, words):
        done = subprocess.run([ROOT / "nowait", "record", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(2, done.returncode)
        self.assertIn(words, done.stderr)
        self.assertEqual(1, done.stderr.count("\n"))

    def test_each_line(self):
        self.says([], "record: wants names or one of --missing --all --list --texts --check")
        self.says(["--all", "--check"], "record: wants names or one of")
        self.says(["no-such-thing"], 'record: unknown recording "no-such-thing"; there are: ')
        self.says(["--fast"], 'record: unknown argument "--fast"')


if __name__ == "__main__":
    unittest.main()
