"""check: every test of the models, as `bazel test` runs them: on all cores, and not again while nothing that they
depend on has changed."""

import os
import pathlib
import tempfile
import xml.etree.ElementTree

from nowait.check import models
from nowait.check.progress import Watch
from nowait.check.remote import Remote
from nowait.check.report import make
from nowait.errors import Usage, note
from nowait.machine import require_cpu
from nowait.packages import require
from nowait.test.results import Counts, Ran, count, one

REPORT = "out/check"


def check(report: str | None, remote: Remote) -> int:
    """report: a folder for a report of the findings, or None."""
    if report is not None:
        _check_target(pathlib.Path(report))
    require_cpu()
    require("build", "check")
    shared = remote.reached()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        files = make.Files(folder / "tests.xml", folder / "check.json")
        labels = models.tests(files.tests)
        note(f"{len(labels)} tests: scenarios, mutations, minimal orders, mutants, Spin, litmus, the checker's own")
        with Watch(files.events, len(labels)) as watch:
            status = shared.test(*labels, flags=[
                "--keep_going", "--test_output=summary", "--test_summary=none",
                f"--build_event_json_file={files.events}", "--nobuild_event_json_file_path_conversion"])
            counts = _count(Ran("check", status, files.events), files.tests)
            watch.end(counts.good)
        return make.make(files, counts, report)


def _count(ran: Ran, tests: pathlib.Path) -> Counts:
    try:
        return count(ran, tests)
    except (OSError, ValueError, LookupError, xml.etree.ElementTree.ParseError):
        note("the results could not be counted")
        return one(False)


def _check_target(report: pathlib.Path) -> None:
    """A folder that cannot be written is refused before the searches, not after."""
    try:
        report.mkdir(parents=True, exist_ok=True)
        writable = os.access(report, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise Usage(f"check: {report} cannot be written")
