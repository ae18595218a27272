#!/usr/bin/env python3
"""What is kept of an output: values by pattern, medians, and the lines of blocks."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scene import Scene  # noqa: E402
from nowait.record import extract, numbers  # noqa: E402
from nowait.record.recordings import Chunk, Recording  # noqa: E402

OUTPUT = "".join(f"{line}\n" for line in [
    "note", "a 1x1: first", "  graphs  all 76 executions, 0.13 s", "  full    20,000 executions, 0.20 s",
    "a 2x1: second", "  graphs  all 1,234 executions, 9.99 s", "", "end"])


def recording(**more):
    return Recording("a", "./a", **more)


def values(**patterns):
    return recording(values={key: re.compile(words, re.MULTILINE) for key, words in patterns.items()})


class Values(Scene):
    def test_a_value_is_the_group_of_its_pattern(self):
        found = extract.values_of(values(one=r"all (\d+) ", two=r"^a 2x1:.*\n +graphs +all ([\d,]+)"), [OUTPUT])
        self.assertEqual({"one": "76", "two": "1,234"}, found)

    def test_of_several_runs_it_is_the_median_as_it_was_printed(self):
        found = extract.values_of(values(x=r"x (\S+)"), ["x 10.0", "x 9.50", "x 1,000"])
        self.assertEqual({"x": "10.0"}, found)

    def test_a_pattern_that_finds_nothing_is_named(self):
        self.fails("a: the output has nothing for 'x'", lambda: extract.values_of(values(x="(x)"), ["y"]))

    def test_words_have_no_median(self):
        self.fails("a: there is no median of 'x', for it is no number",
                   lambda: extract.values_of(values(x="(.+)"), ["passed", "failed"]))

    def test_numbers_in_words(self):
        self.assertEqual(["zero", "nineteen", "twenty", "forty-two", None, None],
                         [numbers.in_words(figure) for figure in ("0", "19", "20", "42", "100", "1.5")])


class Blocks(Scene):
    def lines(self, *chunks, **more):
        return extract.blocks_of(recording(blocks={"b": chunks}, **more), OUTPUT)["b"]

    def test_lines_that_are_left_out_are_a_mark(self):
        self.assertEqual(["…", "a 1x1: first", "  graphs  all 76 executions, 0.13 s", "…", "a 2x1: second", "…"],
                         self.lines(Chunk("a 1x1", 2), Chunk("a 2x1", 1)))

    def test_chunks_that_follow_each_other_have_none_between_them(self):
        self.assertEqual(["…", "a 2x1: second", "  graphs  all 1,234 executions, 9.99 s", "", "end"],
                         self.lines(Chunk("a 2x1", 0), Chunk("", 2)))

    def test_the_text_is_looked_for_behind_the_chunk_before(self):
        self.assertEqual("  graphs  all 1,234 executions, 9.99 s", self.lines(Chunk("a 2x1", 1), Chunk("graphs", 1))[2])

    def test_times_are_hidden(self):
        found = self.lines(Chunk("graphs", 1), hide=(re.compile(r"[0-9.]+(?= s\b)"),))
        self.assertEqual("  graphs  all 76 executions, … s", found[1])

    def test_a_line_that_is_not_there_is_named(self):
        self.fails("a: the output has no line for 'a 3x1' of the block 'b'", lambda: self.lines(Chunk("a 3x1", 1)))
        self.fails("a: the output ends within the block 'b'", lambda: self.lines(Chunk("end", 2)))

    def test_a_block_is_found_again_in_an_output(self):
        block, lines = self.lines(Chunk("a 1x1", 2), Chunk("a 2x1", 2)), OUTPUT.splitlines()
        self.assertIsNone(extract.first_missing(block, lines))
        changed = [line.replace("76", "77") for line in lines]
        self.assertEqual("  graphs  all 76 executions, 0.13 s", extract.first_missing(block, changed))
        self.assertEqual("a 2x1: second", extract.first_missing(block, lines[4:] + lines[:4]))


if __name__ == "__main__":
    unittest.main()
