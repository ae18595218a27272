"""A model's output, reduced to what a student of one exercise reads: the lanes of each way in which it fails, once, and a
line for all other scenarios."""

import json
import pathlib
import re

from nowait.exercise.kills import failures_in

COLORS = re.compile(r"\x1b\[[0-9;]*m")
UNSAID = re.compile(r"\s*again: |\S.*; its lanes: ")  # commands that would check src's files instead of the student's
SEARCH = re.compile(r"  \S+ +(all )?[\d,]+ executions")
GAPS = "C++20 allows this, and these searches leave it out"
PAGE = re.compile(r"^page: (\S+\.html)", re.MULTILINE)
MOST_LINES = 70
LAST_LINES = 20  # of them, where it is said what is broken


def sections(structure, output):
    """The scenarios' parts of the output: (header, lines)."""
    found = []
    for line in output.split(GAPS)[0].splitlines():
        if COLORS.sub("", line).startswith(structure + " "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return found


def _lanes(lines):
    kept = [line for line in lines if not UNSAID.match(COLORS.sub("", line)) and not SEARCH.match(COLORS.sub("", line))
            and not PAGE.match(line)]
    while kept and not kept[-1].strip():
        kept.pop()
    if len(kept) > MOST_LINES:
        left = len(kept) - MOST_LINES
        kept = kept[:MOST_LINES - LAST_LINES] + [f"  ... {left} more lines; the page has them all"] + kept[-LAST_LINES:]
    return kept


def pages(output):
    """Where the lanes that are shown can be stepped through."""
    return PAGE.findall(output)


def shorten(structure, output, results):
    """results: the model's --json."""
    table = json.loads(pathlib.Path(results).read_text(encoding="utf-8"))["scenarios"]
    text = []
    shown = set()
    for header, lines in sections(structure, output):
        if any("broken" in line or "cannot be checked" in line for line in lines):
            text += [header, *_lanes(lines)]
            shown.add(COLORS.sub("", header).split()[1].rstrip(":"))
    failing = {}
    for scenario, label in failures_in(results):
        if scenario not in shown:
            failing.setdefault(label, []).append(scenario)
    text += [f"{structure}: also fails: {', '.join(dict.fromkeys(names))} ({label})" for label, names in failing.items()]
    passing = [scenario for scenario in table if scenario["passed"]]
    if passing:
        executions = sum(search["executions"] for scenario in passing for search in scenario["searches"]
                         if search["search"] == "graphs")  # those of which every one is examined
        names = ": " + ", ".join(scenario["name"] for scenario in passing) if len(passing) < len(table) else ""
        text.append(f"{structure}: {len(passing)} of {len(table)} scenarios pass{names} ({executions:,} executions)")
    unfinished = [one["name"] for one in table
                  if not one["passed"] and not any("failure" in search for search in one["searches"])]
    if unfinished:
        text.append(f"{structure}: not finished, and so not passed: {', '.join(unfinished)}")
    return "\n".join(text)
