#!/usr/bin/env -S /usr/bin/python3 -B
"""./nowait test with a Bazel of ours: the counts, the lines at its end, and the remains of an interruption."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = '<query><rule name="//a:a"/><rule name="//b:b"><list name="tags"><string value="controlled"/></list></rule></query>'
BAZEL = """#!/usr/bin/python3 -SE
import json, os, pathlib, signal, sys
folder = pathlib.Path({folder!r})
with open(folder / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
plan = json.loads((folder / "plan").read_text())
what = next((name for name in ("aquery", "query", "build", "test", "shutdown") if name in sys.argv), "")
config = next((word[9:] for word in sys.argv if word.startswith("--config=")), "")
if what == "query":
    print({tests!r} if "--output=xml" in sys.argv else "//tests/bench:one")
for word in sys.argv:
    if word.startswith("--build_event_json_file="):
        log = folder / "log"
        log.write_text(plan.get("log", "All tests passed (9 assertions in 4 test cases)"))
        result = dict(status="PASSED", testAttemptDurationMillis="1500",
                      testActionOutput=[dict(name="test.log", uri=log.as_uri())])
        event = dict(id=dict(testResult=dict(label="//a:a", run=1)), testResult=result)
        pathlib.Path(word.partition("=")[2]).write_text(json.dumps(event))
if plan.get("wait") == what:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(8))
    (folder / "waiting").touch()
    signal.pause()
sys.exit(plan.get(what, 0))
"""


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "bazel"
        program.write_text(BAZEL.format(folder=folder.name, tests=TESTS), encoding="utf-8")
        program.chmod(0o755)

    def start(self, *arguments, **plan):
        (self.folder / "plan").write_text(json.dumps(plan), encoding="utf-8")
        return subprocess.Popen([ROOT / "nowait", "test", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={"PATH": f"{self.folder}:/usr/bin:/bin", "HOME": str(self.folder)})

    def run_it(self, *arguments, **plan):
        """(status, lines of stdout)"""
        process = self.start(*arguments, **plan)
        out, err = process.communicate(timeout=120)
        self.assertEqual("", err)
        return process.returncode, out.splitlines()

    def calls(self):
        return [json.loads(line) for line in (self.folder / "calls").read_text(encoding="utf-8").splitlines()]

    def test_a_step(self):
        status, lines = self.run_it("--config", "opt")
        self.assertEqual((0, "4 passed, 0 failed"), (status, lines[-1]))
        self.assertEqual("== opt", lines[0])
        self.assertIn("opt: 4 passed, 0 failed; left out by tag: 1 controlled", lines)
        self.assertRegex(lines[2], r"== opt took \d+ s")
        self.assertEqual(["the longest of 1 targets, 2 s of tests in all:", "      1.5 s  opt        //a:a"], lines[3:5])
        self.assertRegex(lines[5], r"== +\d+ s  opt")
        self.assertRegex(lines[6], r"== +\d+ s  in all")
        _, test = self.calls()
        self.assertEqual(["test", "--config=opt", "--keep_going", "--test_tag_filters=-controlled"], test[:4])

    def test_a_third(self):
        status, lines = self.run_it("--config", "opt", "--config", "asan", "--config", "tsan", "--config", "shipped",
                                    "--a-third")
        self.assertEqual(0, status)
        _, opt, asan, tsan, *builds = self.calls()
        self.assertRegex(" ".join(opt), r"--test_tag_filters=-controlled(,-opt_third_[012]){2} "
                                        r"--build_tag_filters=-controlled(,-opt_third_[012]){2}")  # not built either
        self.assertRegex(" ".join(asan), r"-callgrind(,-asan_third_[012]){2} ")
        self.assertRegex(" ".join(tsan), r"-callgrind(,-tsan_third_[012]){2} ")  # no test has such a tag
        self.assertRegex(" ".join(lines), r"shipped: 3 passed, 0 failed; left out: [01] benchmarks")

    def test_cache(self):
        status, _ = self.run_it("--config", "opt", "--config", "shipped", "--cache", str(self.folder / "cache"))
        self.assertEqual(0, status)
        _, opt, *builds = self.calls()
        for call in [opt] + [build for build in builds if build[0] == "build"]:
            self.assertIn(f"--disk_cache={self.folder}/cache/results-", " ".join(call))

    def test_quick_says_what_it_leaves_out(self):
        status, lines = self.run_it("--quick")
        self.assertEqual((0, "4 passed, 0 failed"), (status, lines[-1]))
        self.assertIn("quick: 4 passed, 0 failed; left out by tag: 1 controlled", lines)
        _, test = self.calls()
        self.assertEqual("--config=opt", test[1])
        self.assertIn("--test_tag_filters=-model,-checkout,-controlled,-stress,-random_programs,-aarch64", test)

    def test_all_steps_are_added_up(self):
        status, lines = self.run_it("--config", "opt", "--config", "asan", "--config", "shipped")
        self.assertEqual((0, "11 passed, 0 failed"), (status, lines[-1]))
        self.assertEqual(["== opt", "== asan", "== shipped"], [line for line in lines if line in ("== opt", "== asan", "== shipped")])
        self.assertIn("shipped: 3 passed, 0 failed", lines)

    def test_a_test_that_fails(self):
        status, lines = self.run_it("--config", "opt", log="5 passed, 2 failed", test=3)
        self.assertEqual((1, "5 passed, 2 failed"), (status, lines[-1]))
        self.assertIn("---- opt: //a:a: PASSED; the end of its log:", lines)

    def test_a_bazel_that_fails_without_saying_where(self):
        status, lines = self.run_it("--config", "opt", test=37)
        self.assertEqual((1, "4 passed, 1 failed"), (status, lines[-1]))
        self.assertIn("opt: bazel ended with status 37", lines)

    def test_builds_that_fail(self):
        status, lines = self.run_it("--config", "shipped", build=1)
        self.assertEqual((1, "0 passed, 3 failed"), (status, lines[-1]))

    def test_a_build_file_that_does_not_load(self):
        status, lines = self.run_it(query=7)
        self.assertEqual((1, ["0 passed, 1 failed"]), (status, lines))

    def test_what_was_interrupted_has_failed_and_what_ended_counts(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start("--config", "opt", "--config", "shipped", wait="build")
                pause = threading.Event()
                while not (self.folder / "waiting").exists():
                    pause.wait(0.01)
                process.send_signal(number)
                out, err = process.communicate(timeout=60)
                self.assertEqual((128 + number, "4 passed, 1 failed", ""), (process.returncode, out.splitlines()[-1], err))
                (self.folder / "waiting").unlink()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    os.chdir("/")
    unittest.main()
