#!/usr/bin/env python3
"""One repair from its beginning to its end, by the real command and a Bazel of its own.

The argument is the list of what the checker is linked from (checkout.py).
"""

import json
import os
import signal
import subprocess
import sys
import threading
import unittest

import places  # noqa: F401
from checkout import ROOT, Checkout

from nowait.exercise import argument, catalogue  # noqa: E402

NAME = "nobody-was-told"
COPY = f"exercise/{NAME}"


class Repair(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.checkout = Checkout(sys.argv[1])
        cls.addClassCleanup(cls.checkout.close)
        cls.mine = cls.checkout.root / COPY / "src/sync/event_count.h"
        cls.right = (ROOT / "src/sync/event_count.h").read_text(encoding="utf-8")

    def once(self, *flags):
        return self.checkout.run("./nowait", "exercise", NAME, "--once", *flags)

    def record(self):
        progress = json.loads((self.checkout.root / ".nowait/exercises.json").read_text(encoding="utf-8"))
        return progress["exercises"][NAME]

    # In the order of their names.

    def test_1_the_starter_fails_for_its_reason(self):
        done = self.once()
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        self.assertIn("fails: deadlock (what the exercise began with); ", done.stdout)
        self.assertRegex(done.stdout, r"thread 0 +thread 1")  # the lanes
        self.assertIn("event_count.h:", done.stdout)
        pages = list((self.checkout.root / COPY / "counterexample").glob("*.html"))
        self.assertTrue(pages)
        self.assertIn(f"counterexample: {COPY}/counterexample/", done.stdout)
        self.assertIn(f"{COPY}/src/sync/event_count.h", pages[0].read_text(encoding="utf-8"))
        self.assertEqual((True, 1, ""), tuple(self.record()[key] for key in ("begun", "checks", "passed")))

    def test_2_a_compile_error_has_the_students_place(self):
        text = self.mine.read_text(encoding="utf-8")
        line = 1 + text[:text.index("state_.wait(")].count("\n")
        self.mine.write_text(text.replace("state_.wait(", "stat_.wait("), encoding="utf-8")
        done = self.once()
        self.assertEqual(1, done.returncode)
        self.assertIn(f"{COPY}/src/sync/event_count.h:{line}:5: error: ", done.stdout)
        self.assertIn(f"\n  {line} |     stat_.wait(key", done.stdout)
        self.assertIn("does not compile", done.stdout)
        self.assertEqual("", self.record()["passed"])

    def test_3_an_easier_check_does_not_help(self):
        """No file of the student's, in the copy or in the checkout, takes part in the grading."""
        self.mine.write_text(self.right.replace("(state | kSleepers) + 1", "state & ~kSleepers"), encoding="utf-8")
        easier = "int main() { return 0; }\n"
        for place in (self.checkout.root / COPY / "models/sync", self.checkout.root / COPY):
            place.mkdir(parents=True, exist_ok=True)
            (place / "event_count.cc").write_text(easier, encoding="utf-8")
        done = self.once()
        self.assertEqual((1, ""), (done.returncode, done.stderr), done.stdout)
        self.assertIn("fails: deadlock", done.stdout)

        (self.checkout.root / "models/sync/event_count.cc").write_text(easier, encoding="utf-8")
        done = self.once()
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertIn("models/sync/event_count.cc differs from the last commit", done.stderr)
        self.assertIn("fails: deadlock", done.stdout)
        self.checkout.git("checkout", "--", "models")

    def test_4_the_solution_passes_and_is_recorded(self):
        self.mine.write_text(self.right, encoding="utf-8")
        done = self.once()
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith(
            f"fails: the argument in {COPY}/ARGUMENT.txt: no answer to a, b, c\n"), done.stdout)
        self.assertEqual("", self.record()["passed"])

        questions = argument.questions(ROOT, catalogue.find(catalogue.load(ROOT), NAME))
        (self.checkout.root / COPY / argument.FILE).write_text(
            "".join(f"{one.letter}: {one.right}\n" for one in questions), encoding="utf-8")
        done = self.once()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("passed: A sleeper that no notification wakes\n"), done.stdout)
        self.assertRegex(self.record()["passed"], r"^\d{4}-\d\d-\d\d$")
        self.assertFalse((self.checkout.root / COPY / "counterexample").exists())
        self.assertRegex(self.checkout.run("./nowait", "exercise").stdout, r"A sleeper that no notification wakes .* passed \d{4}-")

    def test_5_a_save_is_checked_and_ctrl_c_ends_it(self):
        with subprocess.Popen(["./nowait", "exercise", NAME], cwd=self.checkout.root, env=self.checkout.environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              start_new_session=True) as watching:
            self.addCleanup(watching.kill)
            self.until(watching, f"-- checks again when you save {COPY}/src/sync/event_count.h, {COPY}/ARGUMENT.txt; Ctrl-C ends\n")
            self.mine.write_text(self.right + "\n// Saved.\n", encoding="utf-8")
            self.until(watching, "passed: A sleeper that no notification wakes\n")
            self.until(watching, "-- the next one: ./nowait exercise ")
            self.until(watching, "-- checks again")
            os.killpg(watching.pid, signal.SIGINT)
            self.assertEqual(0, watching.wait(timeout=20))

    def until(self, process, words):
        """A process that prints nothing more is killed: its output ends then."""
        end = threading.Timer(120, process.kill)
        end.start()
        try:
            for line in process.stdout:
                if words in line:
                    return
        finally:
            end.cancel()
        self.fail(f"it ended without {words!r}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
