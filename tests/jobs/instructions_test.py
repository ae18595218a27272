#!/usr/bin/env python3
"""How many instructions a task costs, from its making to the end of the wait: counted by Callgrind.

usage: instructions_test.py PROGRAM     PROGRAM: task_shapes.cc

A program is run for some rounds, and for twice as many: the difference is what the rounds cost. The numbers are
the same on a machine that is busy with other things, unlike times. One that rises fails here; one that falls is to
be written down.
"""

import re
import subprocess
import sys

# The shape: the rounds that are counted, and the most instructions that are allowed a task.
MOST = {
    "fan_of_16": (200, 598),
    "fan_of_4096": (2, 569),
    "chain": (6, 540),
    "fib": (20, 897),
}
# One in so many may be missing before a number is out of date.
STALE = 10


def measured(program, shape, rounds):
    """The tasks that ran, and the instructions."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, shape, str(rounds)],
                         capture_output=True, text=True, check=False)
    if run.returncode == 3:
        return None
    if run.returncode != 0:
        sys.exit(f"{program} {shape} {rounds} ended with {run.returncode}:\n{run.stderr}")
    return int(run.stdout), int(re.search(r"Collected : (\d+)", run.stderr)[1])


def main(program):
    wrong = 0
    for shape, (rounds, most) in MOST.items():
        few = measured(program, shape, rounds)
        if few is None:
            print("not counted: the program has assertions; it has no assertions in the configuration opt")
            return 0
        many = measured(program, shape, 2 * rounds)
        cost = (many[1] - few[1]) / (many[0] - few[0])
        print(f"{shape}: {cost:.1f} instructions a task, at most {most}")
        if cost > most:
            print(f"FAILED: {shape} costs more than that")
            wrong += 1
        elif cost < most - most / STALE:
            print(f"FAILED: {shape} costs less than that by far: write it down")
            wrong += 1
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
