"""Whether a program takes less work than the one that an exercise begins with.

    work --starter P --program P --at-most R     passes if the program is right and takes at most R times the work
                                                    of the starter
Work is counted by the program (lectures/counting_sync.h) and not timed, so that it is the same on every machine and in
each run: the program prints "work: N OF-WHAT" behind its checks. Bazel's tests of the exercises run the module so
(lectures/exercise.bzl); ./nowait exercise imports it.
"""

import argparse
import dataclasses
import re
import sys
from typing import Sequence

from nowait import processes
from nowait.errors import status_of
from nowait.exercise.kills import SECONDS

WORK = re.compile(r"^work: (\d+) (.+)$", re.MULTILINE)
TOO_MUCH = "too much work"
WRONG = "it is wrong, however fast"
UNCOUNTED = "the work was not counted"


@dataclasses.dataclass
class Compared:
    passed: bool
    text: str  # what there is to read
    reason: str = ""  # why it fails


def measure(program, tick, cwd):
    """(its exit status, what it printed, its work or None, the work's unit)"""
    ended = processes.run_alone([program], tick, SECONDS, cwd=cwd)
    found = WORK.search(ended.output)
    return ended.status, ended.output, int(found[1]) if found else None, found[2] if found else ""


def compare(starter, program, at_most, tick=None, cwd=None):
    status, output, work, unit = measure(program, tick, cwd)
    text = output.rstrip() + "\n"
    fails = lambda reason: Compared(False, f"{text}{reason}\n", reason)
    if status != 0:
        return fails(WRONG)
    _, _, before, unit_before = measure(starter, tick, cwd)
    if not before or work is None or unit != unit_before:
        return fails(UNCOUNTED)
    ratio = work / before
    text += f"the starter: {before:,} {unit}; yours: {work:,}, {ratio:.3f} of it; at most {at_most:g} is asked for\n"
    return Compared(True, text) if ratio <= at_most else fails(TOO_MUCH)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="compares the work of two programs")
    parser.add_argument("--starter", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--at-most", type=float, required=True)
    words = parser.parse_args(arguments)
    compared = compare(words.starter, words.program, words.at_most)
    print(compared.text.rstrip())
    print(f"{int(compared.passed)} passed, {int(not compared.passed)} failed")
    return 0 if compared.passed else 1


if __name__ == "__main__":
    sys.exit(status_of(main, sys.argv[1:]))
