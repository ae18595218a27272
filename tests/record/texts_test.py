#!/usr/bin/env python3
"""Marked figures follow their records, and a figure that differs is named with its place."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scene import ROOT, Scene  # noqa: E402
from nowait.record import marks, recordings  # noqa: E402
from nowait.record.texts import Texts  # noqa: E402

TEXT = """# A text
All <!-- run:two.graphs -->7<!-- /run --> executions, in <!-- run:two.few:words -->six<!-- /run --> lines, by
<!-- run:two.commit -->x<!-- /run --> on <!-- run:two.machine -->y<!-- /run -->. `<!-- run:NAME.VALUE -->` is a mark.

<!-- run:two.shown -->
```console
$ ./other
old
```

| a |
|---|
<!-- run:two.shown -->
| x |
<!-- /run -->

<!-- outside:peer -->
<!-- /outside -->

```
<!-- run:no.mark -->
```
"""
RIGHT = """# A text
All <!-- run:two.graphs -->1,234<!-- /run --> executions, in <!-- run:two.few:words -->nineteen<!-- /run --> lines, by
<!-- run:two.commit -->01234567<!-- /run --> on <!-- run:two.machine -->a processor, 2 cores, 8 GiB, g++ 12.2.0<!-- /run -->. `<!-- run:NAME.VALUE -->` is a mark.

<!-- run:two.shown -->
```console
$ ./two
two 1x1
…
```

| a |
|---|
<!-- run:two.shown -->
two 1x1
…
<!-- /run -->

<!-- outside:peer -->
| | P | here |
|---|---|---|
| q | 1 | 2 |
| r | 3 | |

- version: not recorded
- settings: two threads
- date: not recorded
- source: a program
<!-- /outside -->

```
<!-- run:no.mark -->
```
"""


class Rewritten(Scene):
    def test_every_mark_gets_its_figure_and_the_second_time_nothing_changes(self):
        self.write("docs/a.md", TEXT)
        self.write("README.md", "nothing marked\n")
        self.assertEqual(["docs/a.md"], self.texts().rewrite())
        self.assertEqual(RIGHT, self.read("docs/a.md"))
        self.assertEqual([], self.texts().rewrite())
        self.assertEqual([], self.complaints())

    def test_a_mistake_in_one_text_leaves_all_as_they_were(self):
        self.write("docs/a.md", TEXT)
        self.write("docs/b.md", "\n<!-- run:two.gone -->1<!-- /run -->\n")
        self.fails("docs/b.md:2: docs/runs/two.json has no value 'gone'", lambda: self.texts().rewrite())
        self.assertEqual(TEXT, self.read("docs/a.md"))

    def test_the_course_does_not_see_marks(self):
        shown = marks.removed(RIGHT)
        self.assertEqual(len(RIGHT.splitlines()), len(shown.splitlines()))
        self.assertEqual(["`<!-- run:NAME.VALUE -->` is a mark.", "<!-- run:no.mark -->"],
                         [line[line.index("`<") if "`<" in line else 0:] for line in shown.splitlines() if "<!" in line])


class Checked(Scene):
    def test_a_changed_figure_is_named_with_its_place(self):
        self.write("docs/a.md", RIGHT.replace("1,234", "1,235"))
        self.assertEqual(["docs/a.md:2: run:two.graphs is '1,235' here and '1,234' in docs/runs/two.json"],
                         self.complaints())

    def test_a_changed_line_of_a_block_is_named_with_its_place(self):
        self.write("docs/a.md", RIGHT.replace("two 1x1\n…\n```", "two 1x2\n…\n```"))
        self.assertEqual(["docs/a.md:8: run:two.shown has 'two 1x2' here and 'two 1x1' in docs/runs/two.json"],
                         self.complaints())

    def test_a_changed_command_is_named(self):
        self.write("docs/a.md", RIGHT.replace("$ ./two", "$ ./three"))
        self.assertEqual(["docs/a.md:7: run:two.shown has '$ ./three' here and '$ ./two' in docs/runs/two.json"],
                         self.complaints())

    def test_a_changed_figure_from_outside_is_named(self):
        self.write("docs/a.md", RIGHT.replace("| q | 1 |", "| q | 9 |"))
        self.assertEqual(["docs/a.md:22: outside:peer has '| q | 9 | 2 |' here and '| q | 1 | 2 |' in "
                          "docs/outside.json"], self.complaints())

    def test_a_record_of_another_command_is_named(self):
        self.write("docs/runs/recordings.toml", self.read("docs/runs/recordings.toml").replace("./two", "./two --fast"))
        self.assertEqual(["docs/runs/two.json:1: the command of 'two' in docs/runs/recordings.toml is another one by "
                          "now"], self.complaints())

    def test_a_record_that_nothing_declares_is_named(self):
        self.write("docs/runs/old.json", "{}")
        self.assertEqual(["docs/runs/old.json:1: docs/runs/recordings.toml has no recording 'old'"], self.complaints())


class Checkout(unittest.TestCase):
    def test_the_texts_have_the_figures_of_the_records(self):
        self.assertEqual([], Texts(ROOT, recordings.read(ROOT)).complaints())


if __name__ == "__main__":
    unittest.main()
