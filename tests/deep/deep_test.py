#!/usr/bin/env python3
"""A deep run: planned, interrupted, gone on with, divided among machines and merged; and what it refuses.

usage: deep_test.py PROGRAM [unittest's arguments]      PROGRAM: a real model's, for the one test that needs one
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
START = ROOT / "tests/deep/start.py"
STEPS = ROOT / "tests/deep/steps.py"


def last_line(text):
    return text.splitlines()[-1]


class DeepRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="nowait-deep-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.state = self.folder / "state"
        self.programs = self.folder / "programs"
        self.begun = self.folder / "begun"
        self.install(["stairs", "ladder"])

    def install(self, names):
        """Programs that are searched."""
        paths = []
        for name in names:
            path = self.folder / name
            shutil.copy(STEPS, path)
            path.chmod(0o755)
            paths.append(str(path))
        self.programs.write_text("\n".join(paths), encoding="utf-8")

    def start(self, *arguments, **environment):
        command = [sys.executable, str(START), str(ROOT), str(self.programs), *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=os.environ | {"STEPS_BEGUN": str(self.begun)} | environment)

    def deep(self, *arguments, **environment):
        """(status, stdout, stderr)"""
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def run_it(self, *arguments, **environment):
        return self.deep("--hours", "1", "--state", self.state, *arguments, **environment)

    def shards(self, state=None):
        fields = json.loads(((state or self.state) / "deep.json").read_text(encoding="utf-8"))
        return {(shard["structure"], shard["scenario"], shard["search"], shard["index"]): shard
                for shard in fields["shards"]}

    def assert_refused(self, words, result):
        status, out, err = result
        self.assertEqual(2, status, err)
        self.assertEqual("", out)
        complaints = [line for line in err.splitlines() if line.startswith("nowait: check --deep: ")]
        self.assertEqual(1, len(complaints), err)
        self.assertNotIn("Traceback", err)
        self.assertIn(words, complaints[0])


class ToTheEnd(DeepRun):
    def test_everything_beyond_a_check_is_searched(self):
        status, out, err = self.run_it()
        self.assertEqual(0, status, err)
        self.assertEqual("3 passed, 0 failed", last_line(out))
        self.assertIn("all 9,000 executions examined", out)  # of the bounded scenario
        self.assertIn("4,000 executions, no failure", out)  # a thousand times as many
        shards = self.shards()
        self.assertEqual({"passed"}, {shard["status"] for shard in shards.values()})
        self.assertEqual({"graphs", "full", "random:4000+stale"}, {search for _, _, search, _ in shards})
        # They begin where a check's end.
        self.assertEqual(5, shards["ladder", "small", "random:4000+stale", 1]["seed"])
        self.assertEqual(4, shards["ladder", "large", "graphs", 1]["count"])
        self.assertEqual([], list((self.state / "saved").iterdir()))
        self.assertEqual(out.splitlines(), (self.state / "report.txt").read_text(encoding="utf-8").splitlines())

    def test_more_switches_than_in_a_check(self):
        self.assertEqual(0, self.run_it(STEPS_BOUND="yes")[0])
        self.assertIn(("stairs", "small", "bound:5", 1), self.shards())

    def test_a_finished_run_does_nothing_again(self):
        _, first, _ = self.run_it()
        self.begun.unlink()
        status, out, _ = self.run_it()
        self.assertEqual((0, first), (status, out))
        self.assertFalse(self.begun.exists())
        self.assertEqual((0, first.rstrip()), self.show())

    def show(self):
        status, out, _ = self.deep("--show", "--state", self.state)
        return status, out.rstrip()

    def test_a_failure_is_reported_and_the_rest_goes_on(self):
        status, out, _ = self.run_it(STEPS_FAIL="large")
        self.assertEqual(1, status)
        self.assertEqual("2 passed, 1 failed", last_line(out))
        self.assertRegex(out, r"FAILED: data race: of two writes, \d+ s\n    again: ./nowait check ladder --scenario "
                              r"large --search graphs --state 012\n    page: ")
        # Each of the four shards has failed, and has its own.
        pages = re.findall(r"    page: (.*)", out)
        self.assertEqual(4, len(set(pages)))
        for page in pages:
            self.assertEqual("the page of ladder large", pathlib.Path(page).read_text(encoding="utf-8"))
        self.assertEqual([], list(self.folder.glob("*.html")))
        # It stays one.
        status, out, _ = self.run_it()
        self.assertEqual((1, "2 passed, 1 failed"), (status, last_line(out)))

    def test_a_process_that_always_dies_has_not_passed(self):
        status, out, _ = self.run_it(STEPS_DIE="small")
        self.assertEqual(1, status)
        self.assertEqual("1 passed, 2 failed", last_line(out))
        self.assertIn("process lost: ended with signal 9, 2 times", out)

    def test_a_real_model(self):
        self.programs.write_text(str(PROGRAM), encoding="utf-8")
        status, out, err = self.deep("--hours", "0.001", "--state", self.state, "--jobs", "2")
        self.assertIn(status, (0, 3), err)
        self.assertRegex(last_line(out), r"^[1-9]\d* passed, 0 failed")
        self.assertIn("quota used_up\n  full ", out)
        again = self.shards()
        self.assertTrue(all(shard["executions"] > 0 for shard in again.values() if shard["status"] == "passed"))


class Interrupted(DeepRun):
    def interrupt(self, number):
        process = self.start("--hours", "1", "--state", self.state, "--jobs", "2", STEPS_WAIT="large")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            lines = self.begun.read_text(encoding="utf-8").splitlines() if self.begun.exists() else []
            if sum(" large " in line for line in lines) >= 2:
                break
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_nothing_is_lost(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                status, out, err = self.interrupt(number)
                self.assertEqual(128 + number, status, err)
                self.assertIn("go on with: ./nowait check --deep --hours 1 --state", out)
                passed = {key for key, shard in self.shards().items() if shard["status"] == "passed"}
                self.assertNotEqual(set(), passed)
                self.begun.unlink()
                status, out, err = self.run_it()
                self.assertEqual(0, status, err)
                self.assertEqual("3 passed, 0 failed", last_line(out))
                self.assertIn("all 9,000 executions examined", out)
                began = [line.split() for line in self.begun.read_text(encoding="utf-8").splitlines()]
                for structure, scenario, search, shard, _ in began:
                    self.assertNotIn((structure, scenario, search, int(shard.partition("/")[0])), passed)
                self.assertIn("1", [executions for *_, executions in began])  # where the interrupted ones stopped
                shutil.rmtree(self.state)
                self.begun.unlink()

    def test_time_is_up(self):
        status, out, _ = self.deep("--hours", "0.001", "--state", self.state, "--jobs", "2", STEPS_WAIT="large")
        self.assertEqual(3, status)
        self.assertRegex(last_line(out), r"^2 passed, 0 failed, 1 not finished$")
        self.assertIn("NOT FINISHED", out)

    def test_killed_itself_it_goes_on_from_its_state(self):
        process = self.start("--hours", "1", "--state", self.state, "--jobs", "1", STEPS_WAIT="large")
        while not self.begun.exists() or " large " not in self.begun.read_text(encoding="utf-8"):
            time.sleep(0.02)
        process.kill()
        process.communicate()
        status, out, err = self.run_it()
        self.assertEqual((0, "3 passed, 0 failed"), (status, last_line(out)), err)


class ManyMachines(DeepRun):
    def parts(self, count, **environment):
        for index in range(1, count + 1):
            status, _, err = self.deep("--hours", "1", "--state", self.folder / f"part{index}", "--part",
                                       f"{index}/{count}", **environment)
            self.assertIn(status, (0, 1), err)
        return [self.folder / f"part{index}" for index in range(1, count + 1)]

    def merge(self, *folders):
        return self.deep("--merge", *folders)

    def test_the_parts_are_the_whole(self):
        _, whole, _ = self.run_it()
        parts = self.parts(3)
        owned = [sum(shard["part"] == index for shard in self.shards(folder).values())
                 for index, folder in enumerate(parts, 1)]
        self.assertEqual(len(self.shards()), sum(owned))
        self.assertTrue(all(owned), owned)
        status, out, err = self.merge(*parts)
        self.assertEqual((0, whole), (status, out), err)
        # In two steps, and from a folder.
        self.assertEqual(3, self.deep("--merge", *parts[:2], "--into", self.folder / "two")[0])
        self.assertEqual((0, whole), self.merge(self.folder / "two", parts[2])[:2])

    def test_what_is_missing_is_named_and_has_not_passed(self):
        parts = self.parts(3)
        status, out, _ = self.merge(parts[0], parts[2])
        self.assertEqual(3, status)
        self.assertRegex(last_line(out), r"^\d+ passed, 0 failed, [1-9]\d* not finished$")
        self.assertEqual(1, out.count("MISSING: "))
        self.assertIn("MISSING: part 2/3: ", out)

    def test_a_failure_of_one_is_a_failure_of_all(self):
        status, out, _ = self.merge(*self.parts(2, STEPS_FAIL="small"))
        self.assertEqual((1, "1 passed, 2 failed"), (status, last_line(out)))

    def test_each_part_counts_once(self):
        parts = self.parts(2)
        self.assert_refused("both are part 1/2", self.merge(parts[0], parts[1], parts[0]))

    def test_other_builds_and_plans(self):
        one, = self.parts(1)
        shutil.move(one, self.folder / "one")
        parts = self.parts(2)
        self.assert_refused("different plans", self.merge(self.folder / "one", parts[1]))
        with open(self.folder / "stairs", "a", encoding="utf-8") as program:
            program.write("\n")
        shutil.rmtree(parts[1])
        self.deep("--hours", "1", "--state", parts[1], "--part", "2/2")
        self.assert_refused("different builds, in stairs", self.merge(*parts))

    def test_measured_costs_make_the_plan(self):
        self.run_it()
        status, _, err = self.deep("--hours", "1", "--state", self.folder / "next", "--costs", self.state)
        self.assertEqual(0, status, err)
        measured, planned = self.shards(), self.shards(self.folder / "next")
        for key, shard in planned.items():
            self.assertAlmostEqual(measured[key]["seconds"], shard["cost"], places=2)


class BadInput(DeepRun):
    def test_arguments(self):
        for words, arguments in [("\"eight\" is no number of hours", ["--hours", "eight"]),
                                 ("\"0\" is no number of hours", ["--hours", "0"]),
                                 ("\"nan\" is no number of hours", ["--hours", "nan"]),
                                 ("\"1e3\" is no number of hours", ["--hours", "1e3"]),
                                 ("\"-1\" is no number of hours", ["--hours=-1"]),
                                 ("\"3/2\" is no part", ["--hours", "1", "--part", "3/2"]),
                                 ("\"0/2\" is no part", ["--hours", "1", "--part", "0/2"]),
                                 ("\"0\" is no number of processes", ["--hours", "1", "--jobs", "0"]),
                                 ("one of --hours", []),
                                 ("one of --hours", ["--hours", "1", "--show"]),
                                 ("--into is for --merge", ["--hours", "1", "--into", "x"]),
                                 ("--no-such", ["--hours", "1", "--no-such"])]:
            with self.subTest(arguments):
                self.assert_refused(words, self.deep(*arguments))

    def test_folders_that_cannot_be_used(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        for folder in ("/proc/no-such", self.folder / "file", self.folder / "file/below"):
            self.assert_refused(f"{folder} cannot be written", self.deep("--hours", "1", "--state", folder))
        for arguments in (["--show", "--state", self.state], ["--merge", self.state],
                          ["--hours", "1", "--state", self.folder / "new", "--costs", self.state]):
            self.assert_refused(f"{self.state}/deep.json is not there", self.deep(*arguments))

    def test_a_state_that_is_damaged(self):
        self.run_it()
        path = self.state / "deep.json"
        good = path.read_text(encoding="utf-8")
        for bad in ("", "{}", "[]", "null", good[:-9], good + " ", good.replace('"passed"', '"failed"', 1),
                    good.replace('"fraction": 1.0', '"fraction": 0.5', 1), good.replace('"nowait deep', '"another', 1),
                    "\0\1\2"):
            path.write_text(bad, encoding="utf-8")
            for arguments in (["--hours", "1"], ["--show"]):
                self.assert_refused("damaged", self.deep(*arguments, "--state", self.state))
            self.assert_refused("damaged", self.deep("--merge", self.state))
            self.assertEqual(bad, path.read_text(encoding="utf-8"))
        path.write_bytes(b"\xff\xfe")
        self.assert_refused("cannot be read", self.deep("--show", "--state", self.state))

    def test_a_search_that_was_saved_and_is_damaged(self):
        self.deep("--hours", "0.0005", "--state", self.state, "--jobs", "1", STEPS_WAIT="large")
        saved = sorted((self.state / "saved").glob("*.search"))
        self.assertNotEqual([], saved)
        for path in saved:
            path.write_text("garbage", encoding="utf-8")
        self.assert_refused("is damaged", self.run_it())
        # The finished goals still are finished, and the rest has not passed.
        statuses = [shard["status"] for shard in self.shards().values()]
        self.assertIn("passed", statuses)
        self.assertIn("begun", statuses)

    def test_the_state_of_another_build(self):
        self.run_it()
        before = (self.state / "deep.json").read_bytes()
        with open(self.folder / "ladder", "a", encoding="utf-8") as program:
            program.write("\n")
        self.assert_refused("another build of ladder", self.run_it())
        self.assert_refused("another build of ladder", self.run_it())
        self.assertEqual(before, (self.state / "deep.json").read_bytes())

    def test_the_state_of_another_part(self):
        self.run_it("--part", "1/2")
        self.assert_refused("begun as part 1/2", self.run_it())
        self.assert_refused("has its plan", self.run_it("--part", "1/2", "--costs", self.state))

    def test_two_runs_at_once(self):
        process = self.start("--hours", "1", "--state", self.state, "--jobs", "1", STEPS_WAIT="large")
        while not self.begun.exists():
            time.sleep(0.02)
        self.assert_refused("another deep run is going on", self.run_it())
        process.terminate()
        process.communicate()

    def test_a_program_that_cannot_be_asked(self):
        (self.folder / "ladder").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        self.assert_refused("ended with status 1", self.run_it())
        self.assertFalse((self.state / "deep.json").exists())


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
