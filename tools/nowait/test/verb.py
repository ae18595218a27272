"""test: everything that CI runs. The last line is "N passed, M failed", and the status follows it."""

import pathlib
import tempfile
import time
from typing import Sequence

from nowait import bazel
from nowait.errors import FAILED
from nowait.interruptions import Stopped
from nowait.machine import require_cpu
from nowait.packages import ALL, require
from nowait.test import dearest, kept, steps
from nowait.test.results import Counts, one
from nowait.test.words import Words, parse


class Run:
    """The steps that have run, with their counts and times.

    A step that was begun and has not ended (it was interrupted) counts as one failure.
    """

    def __init__(self, words: Words, folder: pathlib.Path) -> None:
        self._words = words
        self._folder = folder
        self._tests = folder / "tests.xml"
        self._counts: dict[str, Counts] = {}
        self._seconds: dict[str, int] = {}
        self._costs: list[dearest.Cost] = []
        self._kept = kept.flags(words.cache) if words.cache else []

    def run(self) -> int:
        """The exit status."""
        try:
            self._run_all()
        except (KeyboardInterrupt, Stopped):
            self._finish()
            raise
        return 0 if self._finish().good else FAILED

    def _run_all(self) -> None:
        if not bazel.query_to(self._tests, "tests(//...)"):
            self._counts["query"] = one(False)  # a BUILD file that does not load: Bazel has said which
            return
        for step in self._words.steps:
            begin = time.monotonic()
            print(f"== {step}")
            self._counts[step] = one(False)
            self._counts[step] = self._run_step(step)
            self._seconds[step] = round(time.monotonic() - begin)
            print(f"== {step} took {self._seconds[step]} s")

    def _run_step(self, step: str) -> Counts:
        if step == "shipped":
            return steps.shipped(self._words.a_third, self._kept)
        if step == "external":
            return steps.external_workspace()
        if step == "stress":
            return steps.stress(self._words.minutes[step])
        if step == "soak":
            return steps.soak(self._words.minutes[step])
        if step == "fuzz":
            return steps.fuzz(self._words.fuzz)
        counts, costs = steps.configuration(step, self._folder, self._tests, self._words.a_third, self._kept)
        self._costs += costs
        return counts

    def _finish(self) -> Counts:
        dearest.show(self._costs)
        if self._seconds:
            for step, seconds in self._seconds.items():
                print(f"== {seconds:5} s  {step}")
            print(f"== {sum(self._seconds.values()):5} s  in all")
        counts = sum(self._counts.values(), Counts())
        print(counts)
        return counts


def main(arguments: Sequence[str]) -> int:
    words = parse(arguments)
    require_cpu()
    require(*ALL)
    with tempfile.TemporaryDirectory() as folder:
        return Run(words, pathlib.Path(folder)).run()
