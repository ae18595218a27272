"""Counts what one `bazel test` ran: test cases, models and stress runs, one each.

usage: count_results.py NAME BAZEL_STATUS LEFT_OUT_TAGS DIRECTORY

Reads DIRECTORY/NAME.json (Bazel's build events) and DIRECTORY/tests.xml (a query for every test),
prints what failed and a line with the numbers, and writes "PASSED FAILED" to DIRECTORY/NAME.count.

A Catch2 program counts its test cases, a program whose last line is "N passed, M failed" (models)
counts these, anything else counts one. Cached results count like fresh ones: their logs are kept. A
test that was neither run nor left out by its tag (or, where LEFT_OUT_TAGS is "+TAG", because it lacks
that one) counts as failed, and so does a Bazel that failed
without saying where.
"""

import collections
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree

CATCH_ALL = re.compile(r"All tests passed \(.* in (\d+) test cases?\)")
CATCH_SOME = re.compile(r"test cases:\s+(\d+) \|(?:\s+(\d+) passed)?")
SHOWN_LINES = 80  # of the log of a test that failed
COUNTS = re.compile(r"(\d+) passed, (\d+) failed")


def cases_in(log, passed):
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


def read_events(path):
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


def read_log(result):
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.log":
            try:
                with open(urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path),
                          encoding="utf-8", errors="replace") as log:
                    return log.read()
            except OSError:
                break
    return ""


def main():
    name, status, left_out_tags, directory = sys.argv[1:]
    results, seen = read_events(f"{directory}/{name}.json")
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

    skipped = collections.Counter()
    not_run = []
    tree = xml.etree.ElementTree.parse(f"{directory}/tests.xml")
    for rule in tree.getroot().iter("rule"):
        if rule.get("name") in seen:
            continue
        tags = [t.get("value") for t in rule.findall("list[@name='tags']/string")]
        if left_out_tags.startswith("+") and left_out_tags[1:] not in tags:
            skipped["not " + left_out_tags[1:]] += 1
            continue
        for tag in left_out_tags.split(",") + ["manual"]:
            if tag in tags:
                skipped[tag] += 1
                break
        else:
            not_run.append(rule.get("name"))
    for label in sorted(not_run):
        print(f"{name}: {label} was not run")
    failed += len(not_run)
    if status != "0" and failed == 0:
        print(f"{name}: bazel ended with status {status}")
        failed = 1

    line = f"{name}: {passed} passed, {failed} failed"
    if skipped:
        line += "; left out by tag: " + ", ".join(f"{n} {tag}" for tag, n in sorted(skipped.items()))
    print(line)
    with open(f"{directory}/{name}.count", "w", encoding="utf-8") as counts:
        counts.write(f"{passed} {failed}\n")


if __name__ == "__main__":
    main()
