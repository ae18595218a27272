#!/usr/bin/env python3
"""The commands that a failing model prints work when they are typed: those that a test of Bazel's prints, and a mutant's."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait import show  # noqa: E402
from nowait.check.models import Models  # noqa: E402
from nowait.errors import Failure, Usage  # noqa: E402

OUTPUTS = ".bazel/out/k8-opt/testlogs/models/box/test.outputs"


class Shown(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        pathlib.Path(OUTPUTS).mkdir(parents=True)

    def pack(self, **files):
        with zipfile.ZipFile(f"{OUTPUTS}/outputs.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(name.replace("__", "."), text)

    def unpacked(self, name):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            return show.unpacked(name), output.getvalue()

    def test_a_record_that_a_test_has_left_is_unpacked_with_its_page(self):
        self.pack(result__json="{}", box_2x1__json="[1]", box_2x1__html="<html>", box_3x1__json="[2]")
        self.assertEqual(("out/counterexamples/box_2x1.json", "page: out/counterexamples/box_2x1.html\n"),
                         self.unpacked(f"{OUTPUTS}/box_2x1.json"))
        self.assertEqual("[1]", pathlib.Path("out/counterexamples/box_2x1.json").read_text(encoding="utf-8"))
        self.assertEqual("<html>", pathlib.Path("out/counterexamples/box_2x1.html").read_text(encoding="utf-8"))
        self.assertFalse(pathlib.Path("out/counterexamples/box_3x1.json").exists())

    def test_a_file_that_is_there_stays_where_it_is(self):
        pathlib.Path("box.json").write_text("{}", encoding="utf-8")
        self.assertEqual(("box.json", ""), self.unpacked("box.json"))
        self.assertEqual(("no.json", ""), self.unpacked("no.json"))  # the program that reads it complains

    def test_another_record_is_named(self):
        self.pack(result__json="{}", box_3x1__json="[2]")
        with self.assertRaisesRegex(Failure, "outputs.zip has no box_2x1.json; the records there: box_3x1.json$"):
            show.unpacked(f"{OUTPUTS}/box_2x1.json")
        pathlib.Path(f"{OUTPUTS}/outputs.zip").write_text("no archive", encoding="utf-8")
        with self.assertRaisesRegex(Failure, "outputs.zip cannot be unpacked"):
            show.unpacked(f"{OUTPUTS}/box_2x1.json")

    def test_a_mutant_is_run_with_the_lines_that_it_was_compiled_from(self):
        models = Models(("//models/a:box", "//models/a:lid"))
        pathlib.Path(".bazel/bin/models/a/mutants/box_torn").mkdir(parents=True)
        with unittest.mock.patch("nowait.bazel.query", return_value=["//models/a:box_torn"]) as query:
            mutant = models.only("box_torn")
            self.assertEqual(("//models/a:box_torn",), mutant.labels)
            self.assertEqual(["--sources", ".bazel/bin/models/a/mutants/box_torn"], mutant.beside(["--scenario", "2x1"]))
            with self.assertRaisesRegex(Usage, 'unknown structure "box_whole"; there are: box lid'):
                models.only("box_whole")
            query.reset_mock()
            self.assertEqual([], models.only("box").beside([]))
            with self.assertRaisesRegex(Usage, 'unknown structure "tray"'):
                models.only("tray")
            query.assert_not_called()


if __name__ == "__main__":
    unittest.main()
