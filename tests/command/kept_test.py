#!/usr/bin/env -S /usr/bin/python3 -B
"""./nowait test --cache: the folder of the results, and the room in it."""

import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.errors import Failure  # noqa: E402
from nowait.test import kept  # noqa: E402


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name) / "cache"

    def flags(self, digest="aa", **how):
        with unittest.mock.patch.object(kept, "digest_of", lambda needs: digest):
            return kept.flags(self.cache, **how)

    def put(self, name, size, age):
        file = self.cache / "results-aa" / "cas" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * size)
        os.utime(file, (1_000_000 - age, 1_000_000 - age))
        return file

    def test_each_set_of_packages_has_its_own(self):
        self.assertEqual([f"--disk_cache={self.cache}/results-aa"], self.flags("aa"))
        strange = self.cache / "somebody-elses"
        strange.mkdir()
        self.assertEqual([f"--disk_cache={self.cache}/results-bb"], self.flags("bb"))
        self.assertFalse((self.cache / "results-aa").exists())
        self.assertTrue(strange.exists())

    def test_the_oldest_make_room(self):
        old, middle, new = self.put("old", 40, 3), self.put("middle", 40, 2), self.put("new", 40, 1)
        self.flags(most_bytes=120)
        self.assertTrue(old.exists())
        self.flags(most_bytes=100)
        self.assertEqual([False, False, True], [file.exists() for file in (old, middle, new)])

    def test_no_folder(self):
        self.cache.write_text("a file", encoding="utf-8")
        with self.assertRaisesRegex(Failure, "the results cannot be kept in .*cache: "):
            self.flags()


if __name__ == "__main__":
    unittest.main()
