"""Bazel's output, with all that it says about a failing remote cache as one line.

Bazel warns of each answer that it cannot use, in several lines and in words of its own code. It checks
all contents against their digests, and does itself what it did not get; so nothing is lost but time, and
one line is enough.
"""

import re
from typing import Iterable, Iterator

BEGINS = re.compile(r"WARNING: (Reading from|Writing to) Remote Cache:")
# No further line of a warning begins with these.
ANOTHER = re.compile(r"(INFO|WARNING|ERROR|FAIL|FAILED|FLAKY|TIMEOUT|PASS|DEBUG|SUBCOMMAND):? |"
                     r"\[|\(|//|Executed |=====|$")


def reason(doing: str, line: str) -> str:
    """Why, for people; Bazel's own words where these are as good."""
    if "Protocol message" in line or "protocol message" in line:
        return "what it sends is no result of an action"
    if "does not match received digest" in line or "during bulk transfer" in line:
        return "what it stored does not come back as it was" if doing == "Reading from" else "nothing can be stored"
    return line.strip().rstrip(".")


def filtered(lines: Iterable[str]) -> Iterator[str]:
    """The lines that remain."""
    said = within = first = False
    doing = ""
    for line in lines:
        if match := BEGINS.match(line):
            within, first, doing = True, True, match[1]
            continue
        if within and (first or not ANOTHER.match(line)):
            if first and not said:
                said = True
                yield f"nowait: the cache does not answer as it should ({reason(doing, line)}); " \
                      "what it does not give is done without it\n"
            first = False
            continue
        within = False
        yield line
