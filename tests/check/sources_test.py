#!/usr/bin/env python3
"""CMake builds the library from the files that Bazel builds it from."""

import pathlib
import re
import unittest


def listed_by_cmake(name):
    text = pathlib.Path("check/sources.cmake").read_text()
    return re.search(rf"set\({name}\n([^)]*)\)", text).group(1).split()


class Sources(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.bazel = pathlib.Path("check/source_files.txt").read_text().split()

    def test_sources(self):
        self.assertEqual([file for file in self.bazel if file.endswith(".cc")], listed_by_cmake("NOWAIT_CHECK_SOURCES"))

    def test_page(self):
        parts = [file for file in self.bazel if file.endswith((".js", ".html", ".css", ".py"))]
        self.assertGreater(len(parts), 10)
        self.assertEqual(parts, listed_by_cmake("NOWAIT_CHECK_PAGE"))


if __name__ == "__main__":
    unittest.main()
