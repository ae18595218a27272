#!/usr/bin/env python3
"""Bazel's stderr becomes the compiler's words with the student's line below them."""

import pathlib
import tempfile
import unittest

import places
from nowait.exercise import compiler  # noqa: E402

STDERR = """\
INFO: Analyzed target //models/box:box_yours (0 packages loaded, 3 targets configured).
ERROR: /somewhere/models/box/BUILD:7:6: Compiling models/box/box.cc failed: (Exit 1): gcc failed: error executing \
command /usr/bin/gcc -U_FORTIFY_SOURCE -Wall ... (remaining 41 argument(s) skipped)

Use --sandbox_debug to see verbose messages from the sandbox
In file included from external/exercise/all.h:1,
                 from <command-line>:
exercise/too-large/src/box/box.h: In function 'int Size()':
exercise/too-large/src/box/box.h:2:24: error: expected ';' before '}' token
Target //models/box:box_yours failed to build
Use --verbose_failures to see the command lines of failed build steps.
INFO: Elapsed time: 3.1s, Critical Path: 2.8s
FAILED: Build did NOT complete successfully
"""


class Compiler(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        places.write(self.root, {"exercise/too-large/src/box/box.h": "// A box.\nint Size() { return 1 }\n"})

    def test_the_place_is_the_students(self):
        text = compiler.explain(self.root, STDERR)
        self.assertIn("exercise/too-large/src/box/box.h:2:24: error: expected ';'", text)
        self.assertIn("\n  2 | int Size() { return 1 }\n    |" + " " * 24 + "^", text)
        for word in ("gcc failed", "remaining", "Use --", "Target", "INFO", "FAILED", "/somewhere"):
            self.assertNotIn(word, text)

    def test_the_same_in_two_programs_is_said_once(self):
        text = compiler.explain(self.root, STDERR + STDERR)
        self.assertEqual(1, text.count("expected ';'"))

    def test_a_long_one_is_cut(self):
        line = "exercise/too-large/src/box/box.h:2:24: error: expected ';' before '}' token\n"
        text = compiler.explain(self.root, STDERR.replace(line, line + "note\n" * 100))
        self.assertLess(len(text.splitlines()), compiler.MOST_LINES + 2)
        self.assertIn("more lines", text)

    def test_what_is_no_compilers_is_shown_as_it_is(self):
        words = "ERROR: no such package '@exercise//': there is no such directory"
        self.assertEqual(words, compiler.explain(self.root, words + "\n"))


if __name__ == "__main__":
    unittest.main()
