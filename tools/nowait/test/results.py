"""Counts what one `bazel test` ran: test cases, models and stress runs, one each.

A Catch2 program counts its test cases, a program whose last line is "N passed, M failed" (models) counts these, and
any other program counts one. Cached results count like fresh ones: their logs are kept. A test that was neither run nor
left out by its tag (or, for "+TAG", because it lacks the tag) counts as failed, and so does a
Bazel that failed without saying where.

The counts are read from logs, not from Bazel's test.xml: Bazel writes one with a single test case for a program that
does not write its own, and neither Catch2 2 nor the models do.
"""

import collections
import dataclasses
import json
import pathlib
import re
import urllib.parse
import xml.etree.ElementTree

CATCH_ALL = re.compile(r"All tests passed \(.* in (\d+) test cases?\)")
CATCH_SOME = re.compile(r"test cases:\s+(\d+) \|(?:\s+(\d+) passed)?")
SHOWN_LINES = 80  # of the log of a test that failed
COUNTS = re.compile(r"(\d+) passed, (\d+) failed")


def cases_in(log: str, passed: bool) -> tuple[int, int]:
    """The (passed, failed) cases of one log. `passed`: what the test's exit status says."""
    lines = [line for line in log.splitlines() if line.strip()]
    good, bad = (1, 0) if passed else (0, 1)
    last = COUNTS.fullmatch(lines[-1].strip()) if lines else None
    if last:
        good, bad = int(last[1]), int(last[2])
        lines = []  # Catch2's line above it is another program's
    for line in reversed(lines):
        if match := CATCH_ALL.match(line):
            good, bad = int(match[1]), 0
            break
        if match := CATCH_SOME.match(line):
            good = int(match[2] or 0)
            bad = int(match[1]) - good
            break
        if line.startswith("No tests ran"):
            good, bad = 0, 1
            break
    # A sanitizer can fail a program whose cases all passed.
    return (good, bad) if passed or bad else (good, 1)


def read_events(path: pathlib.Path) -> tuple[dict[tuple, dict], set[str]]:
    """The last result of every (test, shard), and the tests that got none because of the build."""
    results = {}
    seen = set()
    try:
        with open(path, encoding="utf-8", errors="replace") as events:
            for line in events:
                try:
                    event = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the last line of a Bazel that was killed
                if "testResult" not in event:
                    continue
                name = event["id"]["testResult"]
                seen.add(name["label"])
                results[name["label"], name.get("run", 1), name.get("shard", 1)] = event["testResult"]
    except OSError:
        pass
    return results, seen


def read_log(result: dict) -> str:
    """Of one result; empty if it cannot be read."""
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.log":
            try:
                with open(urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path),
                          encoding="utf-8", errors="replace") as log:
                    return log.read()
            except OSError:
                break
    return ""


@dataclasses.dataclass(frozen=True)
class Counts:
    """How many have passed and failed."""

    passed: int = 0
    failed: int = 0

    @property
    def good(self) -> bool:
        """A run without a test is not good."""
        return self.failed == 0 and self.passed > 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed"


def one(good: bool) -> Counts:
    """The counts of a single check."""
    return Counts(1, 0) if good else Counts(0, 1)


@dataclasses.dataclass(frozen=True)
class Ran:
    """One `bazel test`: what it is called, Bazel's status and its build events."""

    name: str
    status: int
    events: pathlib.Path


def count(ran: Ran, tests: pathlib.Path, left_out: str = "") -> Counts:
    """Prints what failed and a line with the numbers. tests: a query for every test, as XML."""
    results, seen = read_events(ran.events)
    passed, failed = _count_results(ran.name, results)
    not_run, skipped = _not_run(tests, seen, left_out)
    for label in not_run:
        print(f"{ran.name}: {label} was not run")
    failed += len(not_run)
    if ran.status != 0 and failed == 0:
        print(f"{ran.name}: bazel ended with status {ran.status}")
        failed = 1
    counts = Counts(passed, failed)
    tags = ", ".join(f"{number} {tag}" for tag, number in sorted(skipped.items()))
    print(f"{ran.name}: {counts}" + (f"; left out by tag: {tags}" if tags else ""))
    return counts


def _count_results(name: str, results: dict) -> tuple[int, int]:
    passed = failed = 0
    for (label, _, _), result in sorted(results.items()):
        log = read_log(result)
        good, bad = cases_in(log, result["status"] == "PASSED")
        passed += good
        failed += bad
        if bad:
            print(f"---- {name}: {label}: {result['status']}; the end of its log:")
            print("\n".join(log.splitlines()[-SHOWN_LINES:]))
            print("----")
    return passed, failed


def _not_run(tests: pathlib.Path, seen: set[str], left_out: str) -> tuple[list[str], collections.Counter]:
    """The tests that should have run and did not, and how many each tag has left out."""
    skipped: collections.Counter = collections.Counter()
    not_run = []
    for rule in xml.etree.ElementTree.parse(tests).getroot().iter("rule"):
        if rule.get("name") in seen:
            continue
        tags = [it.get("value") for it in rule.findall("list[@name='tags']/string")]
        if left_out.startswith("+") and left_out[1:] not in tags:
            skipped["not " + left_out[1:]] += 1
            continue
        for tag in [*left_out.split(","), "manual"]:
            if tag in tags:
                skipped[tag] += 1
                break
        else:
            not_run.append(rule.get("name"))
    return sorted(not_run), skipped
