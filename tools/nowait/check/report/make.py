"""check's report: the results of the models' tests, as a table and as a page."""

import dataclasses
import pathlib

from nowait.check.report.results import read_tests
from nowait.check.report.structures import put_together
from nowait.check.report.table import as_text
from nowait.errors import FAILED, Usage
from nowait.test.results import Counts


@dataclasses.dataclass(frozen=True)
class Files:
    """Bazel's two files: a query for the tests that ran, as XML, and the build events."""

    tests: pathlib.Path
    events: pathlib.Path


def make(files: Files, counts: Counts, out: str | None) -> int:
    """Prints a table over the structures and what is missing; writes OUT/index.html and OUT/report.md, if asked for.

    The last line is "N passed, M failed": the counts, and a failure more for each test that passed and left nothing
    that can be read. The exit status follows it.
    """
    tests = read_tests(files.tests, files.events)
    everything = put_together(tests)
    counts += Counts(0, sum(test.passed_unread for test in tests.values()))

    print(as_text(everything.structures))
    for words in complaints(everything):
        print(words)
    if out is not None:
        from nowait.check.report.page import write_report  # Jinja2 is needed for this alone
        try:
            write_report(everything, counts.passed, counts.failed, counts.good, pathlib.Path(out))
        except OSError as error:
            raise Usage(f"check --report: {error.filename} cannot be written: {error.strerror}") from None
        print(f"the report: {out}/index.html and {out}/report.md")
    print(counts)
    return 0 if counts.good else FAILED


def complaints(everything):
    """What failed and what is missing, one line each."""
    parts = [*everything.structures, everything]
    return ([f"FAILED: {words}" for part in parts for words in part.failures] +
            [f"MISSING: {words}" for part in parts for words in part.missing])
