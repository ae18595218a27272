#!/usr/bin/python3
"""The complaints of ./nowait show and ./nowait gallery about files that they cannot read or write.

Always one line and a status that is not 0; the earlier files stay, and no file is left half written.
"""

import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[0]).absolute().parents[2]  # of the runfiles
SHOW = ROOT / "models/kit/counterexample/show"
GALLERY = ROOT / "models/gallery/gallery"
RECORD = ROOT / "models/kit/counterexample/page/testdata/letter_box.json"
DEFECT = """[structures]
letter_box = "a box"

[[defect]]
number = "1"
structure = "letter_box"
page = "01-letter"
title = "A letter"
mutant = "//models:letter"
scenario = "2x1"
fails = "data race"
headers = ["letter_box.h"]
believed = "one thing"
happens = "another thing"
fixed = "an order"
source = "this test"
"""


def full_disk():
    """Files that the program writes may not become larger, and which is an error and not a signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def file(self, name, contents):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def run_program(self, program, *arguments, **more):
        more = {"stdout": subprocess.PIPE, **more}
        return subprocess.run([program, *map(str, arguments)], stderr=subprocess.PIPE, text=True, cwd=self.path, **more)

    def assert_refused(self, words, done):
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertFalse(done.stdout)
        self.assertIn(done.returncode, (1, 2))

    def contents(self):
        return {path.relative_to(self.path): path.read_bytes() for path in self.path.rglob("*") if path.is_file()}

    def bad_records(self):
        """(file, words of the complaint)."""
        whole = RECORD.read_text()
        record = json.loads(whole)
        (self.path / "directory.json").mkdir()
        return [
            (self.path / "no-such.json", "No such file"),
            (self.path / "directory.json", "Is a directory"),
            (self.file("empty.json", ""), "is no JSON, or was cut off"),
            (self.file("cut.json", whole[:len(whole) // 2]), "is no JSON, or was cut off"),
            (self.file("bytes.json", bytes(range(256))), "is no JSON, or was cut off"),
            (self.file("foreign.json", '{"traceEvents": []}'), 'format: is not "nowait counterexample"'),
            (self.file("list.json", "[1, 2]"), "is no"),
            (self.file("newer.json", json.dumps(record | {"version": record["version"] + 1})), "version: is not 1"),
            (self.file("more.json", json.dumps(record | {"more": 1})), "more: is no field"),
            (self.file("damaged.json", whole.replace('"relaxed"', '"relaxde"', 1)), "relaxde is no memory order"),
        ]

    def bad_places(self):
        """(where nothing can be written, words of the complaint)."""
        (self.path / "directory").mkdir()
        return [
            (self.path / "directory", "Is a directory"),
            (self.path / "no/such/page.html", "No such file"),
            (self.file("file", "a file") / "page.html", "Not a directory"),
            (pathlib.Path("/proc/page.html"), "/proc/page.html cannot be written"),
            (pathlib.Path("/dev/full"), "No space left"),
        ]


class Show(Case):
    def test_what_is_no_record(self):
        for record, words in self.bad_records():
            before = self.contents()
            for arguments in ([record], [record, "--page", self.path / "page.html"]):
                with self.subTest(record.name, arguments=len(arguments)):
                    done = self.run_program(SHOW, *arguments)
                    self.assert_refused(words, done)
                    self.assertIn(record.name, done.stderr)
            self.assertEqual(before, self.contents())

    def test_where_no_page_can_be_written(self):
        for place, words in self.bad_places():
            before = self.contents()
            with self.subTest(place):
                self.assert_refused(words, self.run_program(SHOW, RECORD, "--page", place))
            self.assertEqual(before, self.contents())
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())

    def test_a_disk_that_is_full(self):
        page = self.file("page.html", "as it was")
        before = self.contents()
        self.assert_refused("page.html cannot be written",
                            self.run_program(SHOW, RECORD, "--page", page, preexec_fn=full_disk))
        self.assertEqual(before, self.contents())

    def test_what_cannot_be_printed(self):
        for arguments in ([RECORD], [RECORD, "--page", "page.html"]):
            with self.subTest(len(arguments)), open("/dev/full", "w", encoding="utf-8") as full:
                self.assert_refused("No space left", self.run_program(SHOW, *arguments, stdout=full))

    def test_what_is_right_is_shown(self):
        # The records of the page's tests are like those that a check writes.
        for record, words in ((RECORD, "data race"), (RECORD.with_name("board.json"), "broken invariant")):
            done = self.run_program(SHOW, record)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            self.assertIn(words, done.stdout)
        self.assertEqual(0, self.run_program(SHOW, RECORD, "--page", "page.html").returncode)
        self.assertTrue((self.path / "page.html").read_text().endswith("</html>\n"))


class Gallery(Case):
    def setUp(self):
        super().setUp()
        self.defects = self.file("defects.toml", DEFECT)
        self.record = self.file("records/01-letter/letter.json", RECORD.read_bytes())
        self.file("src/letter_box.h", "// as it should be\n")

    def gallery(self, out="out", **more):
        return self.run_program(GALLERY, "--defects", self.defects, "--records", "records", "--root", "src",
                                "--out", out, **more)

    def test_what_is_no_record(self):
        for record, words in self.bad_records():
            with self.subTest(record.name):
                shutil.rmtree(self.record, ignore_errors=True)
                self.record.unlink(missing_ok=True)
                if record.is_dir():
                    self.record.mkdir()
                elif record.exists():
                    shutil.copy(record, self.record)
                else:
                    words = "has 0 records, not one"
                self.assert_refused(words, self.gallery())
            self.assertFalse((self.path / "out").exists())

    def test_a_list_that_is_none(self):
        (self.path / "directory").mkdir()
        for place, words in [("no-such.toml", "No such file"), ("directory", "Is a directory"),
                             (self.file("empty.toml", ""), "has no [[defect]]"),
                             (self.file("foreign.toml", "[package]\nname = 'a'\n"), 'unknown key "package"'),
                             (self.file("cut.toml", DEFECT[:100]), "cut.toml:"), (RECORD, "letter_box.json:")]:
            with self.subTest(place):
                self.assert_refused(words, self.run_program(GALLERY, "--list", "--defects", place))

    def test_sources_that_are_missing(self):
        (self.path / "src/letter_box.h").unlink()
        self.assert_refused("src/letter_box.h cannot be read", self.gallery())
        self.assertFalse((self.path / "out").exists())

    def test_where_no_page_can_be_written(self):
        for place, words in [(self.file("file", "a file"), "Not a directory"), ("/proc/no-such", "No such file")]:
            before = self.contents()
            with self.subTest(place):
                self.assert_refused(words, self.gallery(place))
            self.assertEqual(before, self.contents())

    def test_a_disk_that_is_full(self):
        self.file("out/01-letter.html", "as it was")
        before = self.contents()
        self.assert_refused("01-letter.html cannot be written", self.gallery(preexec_fn=full_disk))
        self.assertEqual(before, self.contents())

    def test_what_cannot_be_printed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assert_refused("No space left", self.run_program(
                GALLERY, "--list", "--defects", self.defects, stdout=full))

    def test_what_is_right_is_made(self):
        done = self.gallery()
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertEqual({"01-letter.html", "index.html"}, {path.name for path in (self.path / "out").iterdir()})


if __name__ == "__main__":
    unittest.main()
