#!/usr/bin/env python3
"""check's report: what the tests of the models left behind, as a table and as a page.

usage: main.py DIRECTORY [OUT]

DIRECTORY holds check.json (Bazel's build events), tests.xml (a query for the tests that ran) and
check.count ("PASSED FAILED", by count_results.py). Prints a table over the structures and what is
missing; with OUT it writes OUT/index.html and OUT/report.md too. The last line is
"N passed, M failed": the counts, and a failure more for each test that passed and left nothing that
can be read. Exit code 0 when nothing failed and something passed, 1 else, 2 when OUT cannot be written.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from results import read_tests  # noqa: E402
from structures import put_together  # noqa: E402
from table import as_text  # noqa: E402


def main(arguments):
    directory = pathlib.Path(arguments[0])
    tests = read_tests(directory / "tests.xml", directory / "check.json")
    everything = put_together(tests)
    passed, failed = read_counts(directory / "check.count")
    failed += sum(test.passed_unread for test in tests.values())
    good = failed == 0 and passed > 0

    print(as_text(everything.structures))
    for words in complaints(everything):
        print(words)
    if len(arguments) > 1:
        from page import write_report  # Jinja2 is needed for this alone
        try:
            write_report(everything, passed, failed, good, pathlib.Path(arguments[1]))
        except OSError as error:
            print(f"nowait: check --report: {error.filename} cannot be written: {error.strerror}",
                  file=sys.stderr)
            return 2
        print(f"the report: {arguments[1]}/index.html and {arguments[1]}/report.md")
    print(f"{passed} passed, {failed} failed")
    return 0 if good else 1


def complaints(everything):
    """What failed and what is missing, one line each."""
    parts = [*everything.structures, everything]
    return ([f"FAILED: {words}" for part in parts for words in part.failures] +
            [f"MISSING: {words}" for part in parts for words in part.missing])


def read_counts(file):
    try:
        passed, failed = file.read_text(encoding="utf-8").split()
        return int(passed), int(failed)
    except (OSError, ValueError):
        return 0, 1  # what could not be counted has not passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
