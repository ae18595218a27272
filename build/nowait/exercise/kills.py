#!/usr/bin/env python3
"""What scenarios notice: the mutations that they kill while they run, and the mutants that are compiled with them.

    kills.py --program P --notes FILE [--mutant NAME=PROGRAM]... --at-least K     passes if so many are killed
                                                                 --survivor NAME  or: passes if this one is not,
                                                                                  and fewer than K are
The scenarios must pass on the structure as it stands first. Bazel's tests of the exercises call it so; ./nowait
exercise imports it.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

COUNTS = re.compile(r"\d+ passed, (\d+) failed")
SECONDS = 600  # for each program
# Fates of mutations that no scenario could kill, or none can here: the structure's notes say why.
EXPLAINED = ("no effect", "equivalent", "unverified", "performance")


@dataclasses.dataclass
class Found:
    killed: list  # (name, how)
    survived: list  # names
    output: str = ""
    broken: str = ""  # why nothing can be said; empty: everything was


def run_alone(command, tick=lambda: None, seconds=SECONDS, **settings):
    """Its exit status, None if it came to no end, and what it printed. tick: called once a second.

    It has a group of its own: a Ctrl-C ends it and its processes at once, and not so that it saves its search.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True, **settings) as process:
        end = time.monotonic() + seconds
        try:
            while True:
                try:
                    output, _ = process.communicate(timeout=1)
                    return process.returncode, output
                except subprocess.TimeoutExpired:
                    tick()
                    if time.monotonic() > end:
                        os.killpg(process.pid, signal.SIGKILL)
                        output, _ = process.communicate()
                        return None, output
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def run(program, arguments, structure, cwd, tick):
    """A model's program. The structure is what it calls itself."""
    with tempfile.TemporaryDirectory() as records:
        return run_alone([structure, *arguments, "--counterexamples", records], tick, executable=str(program), cwd=cwd)


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


def judge(program, notes, mutants, structure, cwd=None, tick=lambda: None):
    """Runs everything. mutants: programs by name."""
    status, output = run(program, [], structure, cwd, tick)
    if status != 0:
        return Found([], [], output, "the scenarios do not pass on the structure as it stands")
    found = Found([], [], output)
    with tempfile.TemporaryDirectory() as folder:
        json_file = os.path.join(folder, "mutations.json")
        status, output = run(program, ["--mutate", "--notes", str(notes), "--json", json_file], structure, cwd, tick)
        if not os.path.exists(json_file):
            found.broken = "the mutations could not be judged"
            found.output = output
            return found
        table = json.loads(pathlib.Path(json_file).read_text(encoding="utf-8"))
        for mutation in table["mutants"]:
            if "failure" in mutation:  # whatever the structure's notes expect of it
                found.killed.append((mutation["mutation"], f"{mutation['scenario']}: {mutation['failure']}"))
            elif mutation["fate"] not in EXPLAINED:
                found.survived.append(mutation["mutation"])
        for name, mutant in mutants.items():
            results = os.path.join(folder, "mutant.json")
            status, output = run(mutant, ["--json", results], structure, cwd, tick)
            count = COUNTS.search(output.splitlines()[-1]) if output.strip() else None
            if count is None:
                found.broken, found.output = f"the mutant {name} came to no end", output
                return found
            if status == 0:
                found.survived.append(f"mutant {name}")
            else:
                scenario, label = failures_in(results)[0]
                found.killed.append((f"mutant {name}", f"{scenario}: {label}"))
    return found


def report(found):
    lines = [f"  killed      {name}  ({how})" for name, how in found.killed]
    lines += [f"  NOT killed  {name}" for name in found.survived]
    return "\n".join(lines + [f"{len(found.killed)} of {len(found.killed) + len(found.survived)} killed"])


def main():
    parser = argparse.ArgumentParser(description="counts what scenarios kill")
    parser.add_argument("--program", required=True)
    parser.add_argument("--notes", required=True)
    parser.add_argument("--mutant", action="append", default=[])
    parser.add_argument("--at-least", type=int, required=True)
    parser.add_argument("--survivor")
    words = parser.parse_args()
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
    sys.exit(main())
