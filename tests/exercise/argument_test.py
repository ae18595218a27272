#!/usr/bin/env python3
"""The argument behind a repair: what is asked, and what is said to the answers."""

import dataclasses
import pathlib
import tempfile
import unittest

import places
from nowait.exercise import argument, catalogue, comments, working_copy  # noqa: E402

BUILD = """mutants(
    model = "box",
    expected = {"too_large": "data race", "too_small": "a box is linearizable"},
    headers = ["//src/box:box.h"],
)
"""
ORDERS = """| operation | in the source | weakest | what forbids weaker | why the source has more |
|---|---|---|---|---|
| `box.h:Size:load` | acquire | acquire | relaxed: two_boxes, use after free |  |
| `box.h:Size:store` | relaxed | relaxed |  |  |
"""
SMALL = places.PATCH.replace("return 2", "return 0")
ASKED = """
[[argument]]
edit = "box_too_small"
[[argument]]
edit = "box.h:Size:load:relaxed"
[[argument]]
edit = "box.h:Size:store:release"
[[argument]]
claim = "A box is a box."
holds = true
"""


class Argument(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.folder = places.small_checkout(self.root, places.TOML + ASKED)
        places.write(self.root, {"models/box/BUILD": BUILD, "models/box/box_orders.md": ORDERS,
                                 "models/box/mutants/box_too_small.patch": SMALL})
        [self.exercise] = catalogue.load(self.root)

    def questions(self, *items):
        exercise = dataclasses.replace(self.exercise, argument=items) if items else self.exercise
        return argument.questions(self.root, exercise)

    def judge(self, *answers):
        text = "# A remark.\n" + "".join(f"{letter}: {answer}\n" for letter, answer in zip("abcd", answers))
        judged = argument.judge(self.questions(), text)
        return judged.right, judged.lines

    def test_the_answers_come_from_the_model(self):
        self.assertEqual(["a box is linearizable", "use after free", "accepted", "holds"],
                         [one.right for one in self.questions()])

    def test_the_task_has_the_questions_and_no_line_of_the_hole(self):
        task = working_copy.task(self.root, self.exercise)
        self.assertIn("+int Size() { return 0; }", task)
        self.assertIn("`load` has the order relaxed in place of acquire", task)
        self.assertIn("**d**: A box is a box.", task)
        self.assertIn("- a box is linearizable\n", task)

    def test_a_part_of_an_answer_is_enough(self):
        self.assertEqual((True, ["4 of 4 answers are right"]),
                         self.judge("Linearizable", "use  after free", "accepted", "holds"))

    def test_how_many_are_right_and_not_which(self):
        self.assertEqual((False, ["2 of 4 answers are right"]),
                         self.judge("deadlock", "use after free", "accepted", "does not hold"))

    def test_answers_that_are_missing_or_unclear(self):
        self.assertEqual((False, ["no answer to b, d"]), self.judge("deadlock", "", "accepted"))
        right, lines = self.judge("race", "lock", "refused", "holds")
        self.assertFalse(right)
        self.assertRegex(lines[0], "^b: 'lock' is more than one of the answers to choose from: accepted; ")
        self.assertRegex(lines[1], "^c: 'refused' is none of the answers to choose from: ")

    def test_an_edit_that_the_model_does_not_know(self):
        for edit, words in {"box_blue": "no mutant", "box.h:Size:load:strong": "no operation and order",
                            "box.h:Size:load:acquire": "has this order already",
                            "box.h:Width:load:relaxed": "no operation"}.items():
            with self.subTest(edit), self.assertRaisesRegex(catalogue.Complaint, words):
                self.questions({"edit": edit})

    def test_the_form_in_the_toml(self):
        for item in ('edit = ""', 'edit = 3', 'claim = "A."', 'holds = true', 'claim = "A."\nholds = 1',
                     'edit = "a"\nclaim = "b"\nholds = true'):
            with self.subTest(item), self.assertRaisesRegex(catalogue.Complaint, "argument"):
                places.small_checkout(self.root, f"{places.TOML}\n[[argument]]\n{item}\n")
                catalogue.load(self.root)

    def test_the_sheet_is_made_with_the_copy_and_again_when_it_is_gone(self):
        self.assertTrue(working_copy.begin(self.root, self.root, self.exercise))
        sheet = working_copy.folder_of(self.root, self.exercise) / argument.FILE
        self.assertTrue(sheet.read_text(encoding="utf-8").endswith("\na:\nb:\nc:\nd:\n"))
        sheet.unlink()
        self.assertFalse(working_copy.begin(self.root, self.root, self.exercise))
        self.assertTrue(sheet.exists())


HEADER = """// A box. seq_cst is in its contract.
#define SIZE(x) ((x) + 1)
namespace box {

// Its size.
template <class T = int>
class Box {
 public:
  // The width. It comes first: the
  // height is not known yet.
  //
  // Never 0.
  int Width() const {
    // relaxed: nothing depends on it.
    return '"' + Load("//") /* here */ + 1;  // and one
  }
  struct Inner {
    int side = 0;  // of the box
  };
};

}  // namespace box

// Implementation: why this is right
//
// It is.

#endif  // BOX
"""


class Comments(unittest.TestCase):
    def test_those_of_bodies_and_the_argument_go(self):
        left = comments.without_arguments(HEADER)
        for words in ("relaxed", "here", "and one", "why this", "It is."):
            self.assertNotIn(words, left)
        for words in ("contract", "Its size", "Never 0", '"//"', "of the box", "namespace box\n", "#endif  // BOX"):
            self.assertIn(words, left)

    def test_the_rest_of_a_paragraph_is_forgotten(self):
        left = comments.forget(HEADER, ("It comes first",))
        self.assertIn("  // The width.\n  //\n  // Never 0.\n", left)
        for words in ("It comes last", "Load"):
            with self.assertRaises(ValueError):
                comments.forget(HEADER, (words,))


if __name__ == "__main__":
    unittest.main()
