#!/usr/bin/env -S /usr/bin/python3 -B
"""An error in a lecture ends the build with one line that names the place, and nothing is written."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from samples import LECTURE, SMALL, folder, learn, learn_here, small  # noqa: E402

TEXT = "lectures/one/lecture.md"


def edited(before, after):
    assert before in LECTURE
    return {TEXT: LECTURE.replace(before, after)}


def line(text):
    """The line of the small lecture that holds this text."""
    return LECTURE[:LECTURE.index(text)].count("\n") + 1


class BadInput(unittest.TestCase):
    def refused(self, changes, said, *arguments):
        root = small(changes)
        done = learn_here("--check", *arguments, root=root)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(said, done.stderr)

    def test_the_small_course_is_in_order(self):
        for start in (learn, learn_here):
            done = start("--check", root=small({}))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_process_of_its_own_says_the_same(self):
        root = small(edited("[word]{.term}", "[world]{.term}"))
        self.assertEqual(*((done.returncode, done.stdout, done.stderr)
                           for done in (learn("--check", root=root), learn_here("--check", root=root))))
        self.assertEqual(learn("--check", root=root).returncode, 1)

    def test_cuts(self):
        cut = 'cut="src/one.h" from="int Twice"'
        at = f"{TEXT}:{line('cut=')}: "
        for other, said in (
                ('cut="src/two.h" from="int Twice"', "there is no file src/two.h"),
                ('cut="src/one.h" from="int Thrice"', "no line of src/one.h has 'int Thrice'"),
                ('cut="src/one.h" from="x"', "2 lines of src/one.h have 'x' (2, 3)"),
                ('cut="src/one.h" from="int Twice" to="never"', "no line of src/one.h after 'int Twice' has 'never'"),
                ('cut="src/one.h"', 'a cut wants from="..."'),
                ('cut="src/one.h" from="int Twice" form="x"', "a cut knows no 'form'"),
                ('cut="../one.h" from="int Twice"', "../one.h is not for reading here")):
            with self.subTest(other):
                self.refused(edited(cut, other), at + said)
        self.refused({"src/one.h": "int Twice(int x) {\n"}, at + "the block of 'int Twice' in src/one.h does not end")
        self.refused(edited(f"{cut}}}\n", f"{cut}}}\nint Twice;\n"), at + "a cut is an empty block")

    def test_recordings(self):
        table = '[[recording]]\nname = "pile"\ntitle = "A pile"\nplay = "pile --seconds 1"\n'
        figure = '::: {.figure module="still"}'
        root = small(edited(figure, '::: {.recording of="pile" frame="3" show="tree,links"}') | {"lectures/recordings.toml": table})
        self.assertEqual(learn_here("--check", root=root).returncode, 0)
        for of, said in (('of="chute"', "lectures/recordings.toml has no 'chute'"),
                         ('of="pile" form="x"', "a recording knows no 'form'"),
                         ('of="pile" frame="-1"', "a recording cannot have frame='-1'"),
                         ('of="pile" show="roots"', "a recording cannot have show='roots'")):
            with self.subTest(of):
                self.refused(edited(figure, f"::: {{.recording {of}}}") | {"lectures/recordings.toml": table},
                             f"{TEXT}:{line(figure)}: {said}")
        for wrong, said in ((table + table, "two recordings are named 'pile'"),
                            (table.replace("title", "titel"), "the recording 'pile' has to have a name, a title and play"),
                            (table.replace('"pile"', '"../pile"'), "the recording '../pile' has to have")):
            self.refused({"lectures/recordings.toml": wrong}, f"lectures/recordings.toml: {said}")
        # A page of it that is not there.
        done = learn_here("--recordings", folder(), "--build", folder() / "no-recording", root=root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pile.html: is missing; ./nowait learn makes it", done.stderr)

    def test_text(self):
        for before, after, said in (
                ("[word]{.term}", "[world]{.term}", "lectures/glossary.md has no 'world'"),
                ("[@one]", "[@two]", "lectures/bibliography.bib has no 'two'"),
                ('module="still"', 'module="moving"', "there is no figure lectures/figures/moving.js"),
                ('::: {.figure module="still"}', '::: {.counterexample defect="99"}', "has no '99'"),
                ('::: {.figure module="still"}', '::: {.drawing file="docs/no.svg" shows="no"}', "there is no drawing"),
                ('::: {.figure module="still"}', '::: {.drawing file="docs/one.svg"}', 'a drawing wants shows="..."'),
                ("See `src/one.h`", "See `src/two.h`", "there is no src/two.h"),
                ("::: slide", "::: slid", "unknown division 'slid'"),
                ("a -> b", "a -> -> b", "dot: "),
                ("$x^2$", "$\\nothing$", "nothing"),
                ("The same.", "<b>The same.</b>", "html in the text"),
                ("The same.", "[Here](../two/lecture.md)", "lectures/course.toml has no two")):
            with self.subTest(after):
                self.refused(edited(before, after), f"{TEXT}:{line(before)}: " if said != "dot: " else f"{TEXT}:")
                self.refused(edited(before, after), said)
        self.refused(edited("The same.", "[Here](nowhere.html)"), "a link leads to nowhere.html, which is not there")

    def test_head_and_parts(self):
        self.refused(edited('title: "One"', 'title: "Another"'), "the title is 'Another', and in lectures/course.toml 'One'")
        self.refused(edited("able:\n  - read\n", ""), "the head has no list `able`")
        self.refused(edited('title: "One"', 'title: "One'), f"{TEXT}:")
        self.refused(edited("## The idea", "## An idea"), f"{TEXT}:{line('## The idea')}: here stands the part 'An idea'")
        self.refused(edited("## Exercises\n", ""), "the part 'Exercises' is missing")

    def test_files(self):
        course = SMALL["lectures/course.toml"]
        for changes, said in (
                ({"lectures/course.toml": course + "minutes = =\n"}, "lectures/course.toml:6: "),
                ({"lectures/course.toml": course.replace("needs = []", 'needs = ["two"]')},
                 "lectures/course.toml:2: one needs two"),
                ({"lectures/course.toml": course.replace("5", '"5"')}, "'minutes' is missing, or is not a int"),
                ({"lectures/course.toml": course + "colour = 1\n"}, "unknown key 'colour'"),
                ({"lectures/course.toml": course + course}, "one is there twice"),
                ({"lectures/course.toml": course.replace("one", "glossary")}, "glossary is a page of the site already"),
                ({"lectures/course.toml": None}, "lectures/course.toml: is missing"),
                ({"lectures/two/lecture.md": LECTURE}, "lectures/two is not listed"),
                ({"lectures/glossary.md": "word\n:   One.\n\nword\n:   Two.\n"}, "'word' is there twice"),
                ({"lectures/glossary.md": "Only text.\n"}, "this is no entry"),
                ({"lectures/glossary.md": "word\n:   From\n    [@two].\n"},
                 "lectures/glossary.md:3: lectures/bibliography.bib has no 'two'"),
                ({"lectures/bibliography.bib": SMALL["lectures/bibliography.bib"] * 2}, "'one' is there twice"),
                ({"lectures/figures/still.js": "export function mount( {"}, "lectures/figures/still.js:1: esbuild: "),
                ({"lectures/one/exercises/a/exercise.toml": "title = 1\n"}, "exercises/a/exercise.toml:1: 'title'"),
                ({"lectures/one/exercises/a/exercise.toml":
                  'title = "A"\nkind = "repair"\nminutes = 5\n'}, "exercises/a/task.md: is missing")):
            with self.subTest(said):
                self.refused(changes, said)

    def test_nothing_half_written(self):
        out = folder() / "out"
        broken = small(edited("[word]{.term}", "[world]{.term}"))
        self.assertEqual(learn_here("--gallery", folder(), "--build", out, root=broken).returncode, 1)
        self.assertFalse(out.exists())
        self.assertEqual(learn_here("--gallery", folder(), "--build", out, root=small({})).returncode, 0)
        before = (out / "one.html").read_text()
        self.assertEqual(learn_here("--gallery", folder(), "--build", out, root=broken).returncode, 1)
        self.assertEqual((out / "one.html").read_text(), before)
        self.assertEqual(learn_here("--gallery", folder(), "--build", out, root=small({})).returncode, 0)
        self.assertEqual([path.name for path in folder().iterdir() if path.name.startswith(".out")], [])

    def test_a_folder_of_somebody_else(self):
        out = folder() / "letters"
        out.mkdir()
        (out / "letter").write_text("Dear")
        done = learn_here("--gallery", folder(), "--build", out, root=small({}))
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not empty and not a site of the course", done.stderr)
        self.assertEqual((out / "letter").read_text(), "Dear")
        done = learn_here("--gallery", folder(), "--build", out / "letter", root=small({}))
        self.assertIn("is not a folder", done.stderr)

    def test_a_solution_is_not_shown(self):
        path = "lectures/one/exercises/a/solution.patch"
        self.refused({**edited("See `src/one.h`", f"See `{path}`"), path: "x"}, f"{path} is not for reading here")

    def test_a_lecture_that_is_not_there_yet_is_planned(self):
        course = SMALL["lectures/course.toml"]
        out = folder() / "planned"
        more = course + course.replace("one", "two").replace('"One"', '"Two"')
        done = learn_here("--gallery", folder(), "--build", out, root=small({
            "lectures/course.toml": more, **edited("The same.", "[Here](../two/lecture.md)")}))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn('<span class="planned">Two</span>', (out / "index.html").read_text())


if __name__ == "__main__":
    unittest.main()
