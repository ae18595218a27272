"""What scenarios notice: the mutations that they kill while they run, and the mutants that are compiled with them.

    kills --program P --notes FILE [--mutant NAME=PROGRAM]... --at-least K     passes if so many are killed
                                                                 --survivor NAME  or: passes if this one is not,
                                                                                  and fewer than K are
The scenarios must pass on the structure as it stands first. Bazel's tests of the exercises run the module so
(lectures/exercise.bzl); ./nowait exercise imports it.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile
from typing import Sequence

from nowait import processes
from nowait.errors import status_of

COUNTS = re.compile(r"\d+ passed, (\d+) failed")
SECONDS = 600  # for each program
# Fates of mutations that no scenario could kill, or that no scenario can kill here: the structure's notes say why.
EXPLAINED = ("no effect", "equivalent", "unverified", "performance")


@dataclasses.dataclass
class Found:
    killed: list  # (name, how)
    survived: list  # names
    output: str = ""
    broken: str = ""  # why nothing can be said; empty: everything was


def run(program, arguments, structure, cwd, tick):
    """A model's program. The structure is what it calls itself."""
    with tempfile.TemporaryDirectory() as records:
        return processes.run_alone([structure, *arguments, "--counterexamples", records], tick, SECONDS,
                                   executable=str(program), cwd=cwd)


def failures_in(path):
    """The (scenario, label) of each failure in a model's --json; label as mutants() declares it."""
    found = []
    for scenario in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["scenarios"]:
        for search in scenario["searches"]:
            if failure := search.get("failure"):
                words = failure["words"].splitlines()[0]  # what follows it is the history
                label = words if failure["kind"] == "invariant" else failure["kind"]
                found.append((scenario["name"], label))
    return found


def judge(program, notes, mutants, structure, cwd=None, tick=None):
    """Runs everything. mutants: programs by name."""
    ended = run(program, [], structure, cwd, tick)
    if ended.status != 0:
        return Found([], [], ended.output, "the scenarios do not pass on the structure as it stands")
    found = Found([], [], ended.output)
    with tempfile.TemporaryDirectory() as folder:
        json_file = os.path.join(folder, "mutations.json")
        ended = run(program, ["--mutate", "--notes", str(notes), "--json", json_file], structure, cwd, tick)
        if not os.path.exists(json_file):
            found.broken = "the mutations could not be judged"
            found.output = ended.output
            return found
        table = json.loads(pathlib.Path(json_file).read_text(encoding="utf-8"))
        for mutation in table["mutants"]:
            if "failure" in mutation:  # whatever the structure's notes expect of it
                found.killed.append((mutation["mutation"], f"{mutation['scenario']}: {mutation['failure']}"))
            elif mutation["fate"] not in EXPLAINED:
                found.survived.append(mutation["mutation"])
        for name, mutant in mutants.items():
            results = os.path.join(folder, "mutant.json")
            ended = run(mutant, ["--json", results], structure, cwd, tick)
            count = COUNTS.search(ended.output.splitlines()[-1]) if ended.output.strip() else None
            if count is None:
                found.broken, found.output = f"the mutant {name} came to no end", ended.output
                return found
            if ended.status == 0:
                found.survived.append(f"mutant {name}")
            else:
                scenario, label = failures_in(results)[0]
                found.killed.append((f"mutant {name}", f"{scenario}: {label}"))
    return found


def report(found):
    lines = [f"  killed      {name}  ({how})" for name, how in found.killed]
    lines += [f"  NOT killed  {name}" for name in found.survived]
    return "\n".join(lines + [f"{len(found.killed)} of {len(found.killed) + len(found.survived)} killed"])


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="counts what scenarios kill")
    parser.add_argument("--program", required=True)
    parser.add_argument("--notes", required=True)
    parser.add_argument("--mutant", action="append", default=[])
    parser.add_argument("--at-least", type=int, required=True)
    parser.add_argument("--survivor")
    words = parser.parse_args(arguments)
    mutants = dict(one.split("=", 1) for one in words.mutant)
    found = judge(words.program, words.notes, mutants, "scenarios")
    if found.broken:
        print(found.output)
        print(found.broken)
        return 1
    print(report(found))
    enough = len(found.killed) >= words.at_least
    if words.survivor is None:
        return 0 if enough else 1
    return 0 if not enough and words.survivor in found.survived else 1


if __name__ == "__main__":
    sys.exit(status_of(main, sys.argv[1:]))
