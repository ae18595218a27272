#!/usr/bin/env python3
"""check: Bazel's build events become the progress that the viewer's page reads."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.check import progress  # noqa: E402

LOG = """union_find 2x1: finds and unions are linearizable
  graphs                           all 1,234 executions examined, 0.01 s
  full+stale                          66 executions, exhausted, 0.01 s
"""


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.events = self.folder / "events"
        self.file = self.folder / "out/progress.json"

    def watch(self, tests=3, file=None):
        watch = progress.Watch(self.events, tests, file or self.file)
        self.addCleanup(watch._stop.set)
        return watch

    def told(self):
        return json.loads(self.file.read_text())

    def result(self, label):
        log = self.folder / "test.log"
        log.write_text(LOG)
        return {"id": {"testResult": {"label": label}},
                "testResult": {"testActionOutput": [{"name": "test.log", "uri": log.as_uri()}]}}

    def summary(self, label, status):
        return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}

    def append(self, *events, end="\n"):
        with self.events.open("a") as file:
            file.write("\n".join(map(json.dumps, events)) + end)

    def test_events_are_counted_as_they_come_and_a_half_line_waits(self):
        watch = self.watch()
        watch._read()  # Bazel has not begun
        self.append(self.result("//a:a"), self.summary("//a:a", "PASSED"))
        whole = json.dumps(self.summary("//b:b", "FAILED"))
        self.append({"id": {"progress": {}}}, end="\n" + whole[:20])
        watch._read()
        watch._write()
        self.assertEqual([self.told()[name] for name in ("all", "done", "failed", "executions", "last", "state")],
                         [3, 1, 0, 1300, "//a:a", "running"])
        with self.events.open("a") as file:
            file.write(whole[20:] + "\n")
        watch._read()
        watch._write()
        self.assertEqual([self.told()[name] for name in ("done", "failed", "executions", "last")],
                         [2, 1, 1300, "//b:b"])

    def test_the_end_is_what_the_check_says_or_an_interruption(self):
        for good, state in ((True, "passed"), (False, "failed"), (None, "interrupted")):
            with self.subTest(state), self.watch() as watch:
                if good is not None:
                    watch.end(good)
            self.assertEqual(self.told()["state"], state)

    def test_a_file_that_cannot_be_written_ends_the_display_alone(self):
        with self.watch(file=pathlib.Path("/proc/none/progress.json")) as watch:
            watch.end(True)

    def test_flags_of_a_program(self):
        self.assertEqual(progress.beside(["--progress=mine"]), [])
        self.assertEqual(progress.beside(["--progress", "mine", "--all"]), [])


if __name__ == "__main__":
    unittest.main()
