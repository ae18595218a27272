"""A violation that Spin found, step by step, with a column for each process."""

import os
import pathlib
import re

from nowait.check.spin.search import call, search


def shortest_trail(run, verifiers, result):
    """A violation that a search of little depth finds too, for a person to read."""
    depth = 25
    while depth < result.depth:
        shorter = search(run, verifiers.get(run), depth)
        if shorter.outcome == "violated":
            return shorter.trail
        depth *= 2
    return result.trail


STEP = re.compile(r"^\s*\d+:\s+proc\s+(\d+) \((\w+):\d+\) (\S+):(\d+) \(state \d+\)\s+\[(.*)\]")
LAST = re.compile(r"^\s*\d+:\s+proc\s+(\d+) \((\w+):\d+\) (\S+):(\d+) \(state \d+\)(.*)$",
                  re.MULTILINE)
VALUE = re.compile(r"^\s+(\S+ = \S+)$", re.MULTILINE)
# Steps that say nothing: Spin's own, and options that were taken for want of others.
NOTHING = re.compile(r"else|IF|DO|1|\(1\)|\.\(goto\)|goto .*|break")


def show_trail(run, verifiers, result):
    """The steps of a violation, a column for each process."""
    directory = verifiers.get(run)
    trail = directory / "shown.trail"
    trail.write_text(shortest_trail(run, verifiers, result))
    defines = [f"-D{define}" for define in run.defines]
    output = call(["spin", *defines, "-k", trail.absolute(), "-t", "-p", run.file.absolute()],
                  cwd=directory).output
    before, _, at_the_end = output.partition("#processes")
    names, steps = read_steps(before)
    processes = sorted(names)
    for process in processes:
        print("    " + "|  " * sum(p < process for p in processes) + f"{names[process]} {process}")
    number = 0
    for process, words, where in steps:
        if process is None:
            nothing = " nothing; every other process is blocked or has ended"
            print(f"    from here on, for ever:{nothing if steps[-1][0] is None else ''}")
            continue
        number += 1
        lanes = "  ".join("*" if p == process else "|" for p in processes)
        print(f"    {lanes}  [{number:3}] {words:<60} {where}")
    print("    at the end:")
    for process, name, file, line, state in sorted(LAST.findall(at_the_end)):
        ended = " and has ended" if "valid end" in state else ""
        print(f"      {name} {process} is at {place(file, line)}{ended}")
    values = [value for value in VALUE.findall(at_the_end) if not value.endswith(" = 0")]
    print("      " + ("; ".join(values) or "every variable is 0"))


def read_steps(text):
    """The processes' names, and (process, statement, place) of each step; process None where the
    cycle begins."""
    names, steps = {}, []
    for line in text.splitlines():
        if "START OF CYCLE" in line:
            steps.append((None, "", ""))
        if match := STEP.match(line):
            process, name, file, number, statement = match.groups()
            names[int(process)] = name
            if not NOTHING.fullmatch(statement):
                steps.append((int(process), tidy(statement), place(file, number)))
    return names, steps


def place(file, line):
    path = pathlib.Path(os.path.normpath(file))
    try:
        path = path.relative_to(pathlib.Path.cwd())
    except ValueError:
        pass
    return f"{path}:{line}"


def tidy(statement):
    """Spin's brackets around a whole statement say nothing."""
    while statement.startswith("(") and statement.endswith(")"):
        depth = 0
        for index, character in enumerate(statement):
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0 and index < len(statement) - 1:
                return statement
        statement = statement[1:-1]
    return statement
