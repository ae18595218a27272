#!/usr/bin/env python3
"""The texts of the checkout keep the wording of english.py, and english.py notices when they do not."""

import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import english  # noqa: E402


class Checkout(unittest.TestCase):
    maxDiff = None

    def test_wording(self):
        self.assertEqual([], list(english.check_english(ROOT)))

    def test_width(self):
        self.assertEqual([], list(english.check_width(ROOT)))


class Complaints(unittest.TestCase):
    """A small checkout with one text at a time."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def complaints(self, name, text, excused=""):
        for folder in english.FOLDERS:
            shutil.rmtree(self.root / folder, ignore_errors=True)
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if excused:
            table = self.root / english.EXCEPTIONS
            table.parent.mkdir(parents=True, exist_ok=True)
            table.write_text(excused, encoding="utf-8")
        return list(english.check_english(self.root))

    def one(self, name, text, wording):
        found = self.complaints(name, text)
        self.assertEqual(1, len(found), found)
        self.assertIn(wording, found[0])
        return found[0]

    def test_each_pattern_has_a_sentence_that_it_refuses(self):
        refused = [
            "whoever comes first takes it",
            "the one who waits helps",
            "the thread looks, and he sleeps",
            "the owner and his deque",
            "First it looks. What it finds there it takes.",
            "the node is hung up below the root",
            "a worker tells the others",
            "the sleeper is told in time",
            "the exchange fails for no reason",
            "the queue is full, or there is none",
            "the place of a body, or none",
            "It has two children. None for the first.",
            "the list is short and stays so.",
            "It is free. Or else it waits",
            "it is free, or else it waits",
            "it is free; else it waits",
            "it is taken all the same.",
            "locks, queues and what not",
        ]
        self.assertEqual(len(english.PATTERNS), len(refused))
        for (pattern, _), sentence in zip(english.COMPILED, refused, strict=True):
            self.assertTrue(pattern.search(sentence), f"{pattern.pattern} accepts {sentence!r}")
            self.assertTrue(self.complaints("src/a.h", f"// {sentence}\n"), sentence)

    def test_what_is_plain_is_accepted(self):
        for sentence in [
            "A waiting thread helps.",
            "a reader who opens the file sees why",
            "None of the threads waits.",
            "What does a thread see?",
            "their boxes cannot be told apart",
            "so that it is seen",
            "if so, it waits",
        ]:
            self.assertEqual([], self.complaints("src/a.h", f"// {sentence}\n"), sentence)

    def test_where_prose_is_read(self):
        self.one("src/a.cc", "int a;\n// one who waits\n", "src/a.cc:2")
        self.one("src/a.cc", "// What is done: all.\n", "src/a.cc:1")
        self.one("src/a.cc", "int a;\n//\n// Whoever comes takes it.\n", "src/a.cc:3")
        self.one("tests/a.cc", 'TEST_CASE("one who waits helps") {}\n', "tests/a.cc:1")
        self.one("models/a.py", '"""The one\n\nwho waits.\n"""\n', "who")
        self.one("models/BUILD", 'model(promise = "the one who waits helps")\n', "models/BUILD:1")
        self.one("docs/a.md", "# A\n\nThe thread\nwho waits helps.\n", "docs/a.md:4")
        self.one("models/m/a.patch", "--- a/x.h\n+++ b/x.h\n@@ -1 +1 @@\n-int a;\n+int b;  // who waits\n", "a.patch:5")

    def test_code_is_not_read(self):
        self.assertEqual([], self.complaints("src/a.cc", "int who = 1; if (who) {} else std::string who;\n"))
        self.assertEqual([], self.complaints("docs/a.md", "Call `who` twice.\n\n```\nthe one who waits\n```\n"))
        self.assertEqual([], self.complaints("src/b.cc", 'const char* a = "who";\n'))
        self.assertEqual([], self.complaints("models/a.patch", "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-// who waits\n // who waits\n"))

    def test_exceptions_have_to_be_used(self):
        excused = '[[exception]]\nfile = "src/a.h"\nwords = "one who waits"\nreason = "a quotation"\n'
        self.assertEqual([], self.complaints("src/a.h", "// the one who waits\n", excused))
        self.assertIn("not in src/a.h any more", self.complaints("src/a.h", "// a thread waits\n", excused)[0])

    def test_width(self):
        (self.root / "src").mkdir()
        (self.root / "src/a.h").write_text("// a " + "ä" * 95 + "\n// b " + "b" * 96 + "\n", encoding="utf-8")
        found = list(english.check_width(self.root))
        self.assertEqual(1, len(found))
        self.assertIn("src/a.h:2", found[0])


if __name__ == "__main__":
    unittest.main()
