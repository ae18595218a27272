#!/usr/bin/python3
"""Certificates of real scenarios are good, and damaged ones are found out, with the place."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[0]).absolute().parents[2]  # of the runfiles
VERIFY = ROOT / "models/kit/certificate/verify.py"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.texts = {}

    def certificate(self, model, scenario):
        """The text, made once."""
        key = model, scenario
        if key not in self.texts:
            path = self.folder / f"{scenario}.txt"
            made = run(ROOT / model, "--scenario", scenario, "--certificate", path)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.texts[key] = path.read_text()
        return self.texts[key]

    def judge(self, text):
        path = self.folder / "judged.txt"
        path.write_text(text)
        return run(VERIFY, path)

    def assert_bad(self, text, words):
        judged = self.judge(text)
        self.assertRegex(judged.stderr, words)
        self.assertEqual((judged.returncode, judged.stdout), (1, "0 passed, 1 failed\n"))

    def test_they_are_good(self):
        for model, scenario, executions in (
                ("models/islands/union_find", "2x1", "60"), ("models/islands/union_find", "halve-link", "64"),
                ("models/jobs/job_list", "2x1", "22"), ("models/jobs/job_list", "sync_1_1", "100"),
                ("models/sync/event_count", "two_sleepers", "31"), ("models/sync/event_count", "news", "201")):
            with self.subTest(model=model, scenario=scenario):
                judged = self.judge(self.certificate(model, scenario))
                self.assertEqual((judged.returncode, judged.stderr), (0, ""))
                self.assertIn(f"{scenario}: {executions} executions, each consistent", judged.stdout)

    def graphs(self):
        head, *graphs = re.split(r"(?m)^(?=graph$)", self.certificate("models/islands/union_find", "2x1"))
        *graphs, last = graphs
        last, end, _ = re.split(r"(?m)^(?=end )|(?<=\n)$", last)
        return head, [*graphs, last], end

    def test_any_missing_graph_is_missed(self):
        head, graphs, _ = self.graphs()
        self.assertEqual(len(graphs), 60)
        for left_out in range(0, 60, 7):
            rest = graphs[:left_out] + graphs[left_out + 1:]
            self.assert_bad(head + "".join(rest) + "end 59\n", "an execution is missing")

    def test_a_graph_that_is_listed_twice(self):
        head, graphs, _ = self.graphs()
        self.assert_bad(head + "".join(graphs + graphs[3:4]) + "end 61\n", r":\d+: it is the graph of line \d+ again")

    def test_a_value_that_was_not_written(self):
        text = self.certificate("models/islands/union_find", "2x1")
        self.assert_bad(text.replace("= initial 3", "= initial 4", 1), r":4: event \(0, 0\) reads 4, which the first value is not")

    def test_a_read_of_the_past(self):
        # Thread 0 has written object 3 before it reads that object again.
        text = self.certificate("models/islands/union_find", "2x1")
        self.assert_bad(re.sub(r"(writes 2\n0 load 3 relaxed) = 0\.2 2", r"\1 = initial 3", text, count=1), "it is not coherent")

    def test_a_modification_order_that_is_wrong(self):
        text = self.certificate("models/jobs/job_list", "2x1")
        self.assert_bad(re.sub(r"order 0 (\S+) (\S+)", r"order 0 \2 \1", text, count=1), "coherent|right before its own")
        self.assert_bad(re.sub(r"order 0 \S+", "order 0", text, count=1), "a write is in no modification order")

    def test_weaker_orders_have_more_executions(self):
        for model, scenario, strong, weak in (
                ("models/jobs/job_list", "2x1", "store 0 release", "store 0 relaxed"),
                ("models/jobs/job_list", "2x1", "strong 0 acquire", "strong 0 relaxed")):
            with self.subTest(strong):
                judged = self.judge(self.certificate(model, scenario).replace(strong, weak))
                self.assertEqual(judged.returncode, 1, judged.stdout)
                self.assertRegex(judged.stderr, "an execution is missing|does not repeat itself")

    def store_buffering(self, order, fence, both_see_nothing):
        """Each of two threads stores to an atomic, and loads the other one's."""
        fences = {f"{t}": f"{t} fence {fence} =\n" if fence else "" for t in "01"}
        graphs = []
        for first, second in (("initial 0", "0.0 1"), ("1.0 1", "initial 0"), ("1.0 1", "0.0 1"), ("initial 0", "initial 0")):
            graphs.append(f"graph\nat 0 0\nat 1 0\n0 store 0 {order} 1 = writes 1\n{fences['0']}0 load 1 {order} = {first}\n"
                          f"1 store 1 {order} 1 = writes 1\n{fences['1']}1 load 0 {order} = {second}\n"
                          "order 0 0.0\norder 1 1.0\n")
        graphs = graphs[:4 if both_see_nothing else 3]
        return ("nowait certificate 1\nscenario written by_hand\nthreads 2\n" + "".join(graphs)
                + f"end {len(graphs)}\n")

    def test_the_order_of_seq_cst(self):
        for order, fence, allowed in (("seq_cst", "", False), ("relaxed", "seq_cst", False), ("acq_rel", "", True),
                                      ("relaxed", "acq_rel", True), ("relaxed", "", True)):
            with self.subTest(order=order, fence=fence):
                self.assertEqual(self.judge(self.store_buffering(order, fence, allowed)).stderr, "")
                self.assert_bad(self.store_buffering(order, fence, not allowed),
                                "an execution is missing" if allowed else "no total order")

    def test_a_program_that_does_not_repeat_itself(self):
        text = self.certificate("models/islands/union_find", "2x1")
        begin = text.rindex("\n1 load ")
        self.assert_bad(text[:begin] + text[begin:].replace("relaxed", "acquire", 1), "does not repeat itself")

    def test_what_is_no_certificate(self):
        text = self.certificate("models/islands/union_find", "2x1")
        for damaged, words in (
                ("", ":1: no certificate of version 1"), (text[:-10], "the end is missing|not understood|is no"),
                (text.replace("end 60", "end 59"), ": 60 graphs stand before it"), (text + "graph\n", "something follows the end"),
                (text.replace("\n0 load", "\n7 load", 1), ": there is no thread 7"),
                (text.replace("relaxed", "lax", 1), ": 'lax' is no memory order"),
                (text.replace("load 3", "load x", 1), ": 'x' is no number"), (text.replace(" = ", " ", 1), ": not understood")):
            with self.subTest(words):
                judged = self.judge(damaged)
                self.assertEqual((judged.returncode, judged.stdout), (2, ""))
                self.assertRegex(judged.stderr, words)
                self.assertEqual(judged.stderr.count("\n"), 1)

    def by_hand(self, *graphs):
        return ("nowait certificate 1\nscenario written by_hand\nthreads 2\n" + "".join(f"graph\n{g}" for g in graphs)
                + f"end {len(graphs)}\n")

    def test_hostile_text_gets_one_line(self):
        good = "at 0 0\n0 store 0 relaxed 1 = writes 1\norder 0 0.0\n"
        self.assertEqual(self.judge(self.by_hand(good)).returncode, 0)
        many = "9" * 5000
        for text, words in (
                (self.by_hand(good.replace("1", many)), ":6: '9{20}' begins a number of more than 64 bits"),
                (self.by_hand(good).replace("end 1", f"end {many}"), "more than 64 bits"),
                (self.by_hand(good.replace("1", "18446744073709551616")), "more than 64 bits"),
                (self.by_hand(good.replace("at 0", "at \u0660")), "'\u0660' is no number"),
                (self.by_hand(good).replace("written", "\x1b[2J"), ":2: the name has a character that cannot be printed"),
                (self.by_hand(good).replace("scenario written by_hand\n", ""), ":2: not understood"),
                (self.by_hand("at 0 5\n" + good), ":6: object 0 begins twice"),
                (self.by_hand(good + "order 0 0.0\n"), ":8: object 0 has no first value or two orders"),
                (self.by_hand(good + "order 9 0.0\n"), ":8: object 9 has no first value or two orders")):
            with self.subTest(words):
                judged = self.judge(text)
                self.assertEqual((judged.returncode, judged.stdout), (2, ""))
                self.assertRegex(judged.stderr, words)
                self.assertEqual(judged.stderr.count("\n"), 1)

    def test_updates_that_read_in_a_circle(self):
        for graph in ("at 0 0\n0 update 0 relaxed = 0.0 1 writes 1\norder 0 0.0\n",
                      "at 0 0\n0 update 0 relaxed = 1.0 1 writes 1\n1 update 0 relaxed = 0.0 1 writes 1\norder 0 0.0 1.0\n"):
            self.assert_bad(self.by_hand(graph), ":4: program order and reads-from have a cycle")
        self.assert_bad(self.by_hand("at 0 0\n0 update 0 relaxed = initial 0\norder 0\n"), "is an update that writes nothing")

    def test_a_choice_among_many(self):
        self.assert_bad(self.by_hand("0 choose 1000000000000000000 =\n"), "an execution is missing")
        self.assertEqual(self.judge(self.by_hand("0 choose 2 =\n", "0 choose 2 = variant 1\n")).returncode, 0)

    def test_scenarios_without_a_certificate(self):
        path = self.folder / "refused.txt"
        refused = run(ROOT / "models/islands/union_find", "--scenario", "3x2", "--certificate", "/nowhere/at/all")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertRegex(refused.stderr, "/nowhere/at/all cannot be written")
        refused = run(ROOT / "models/islands/union_find", "--certificate", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--certificate requires --scenario", refused.stderr)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
