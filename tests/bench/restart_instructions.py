#!/usr/bin/env python3
"""The instructions of beginning an update again, counted by Callgrind: by results, and by an exception.

usage: restart_instructions.py PROGRAM     PROGRAM: restart_updates.cc

A program is run for some updates, and for twice as many: the difference is what the updates cost. An update that is
begun again costs more than one that commits at once, and the difference of these is a restart.
"""

import re
import subprocess
import sys

DEPTHS = (1, 4, 16, 64)
UPDATES = 500


def collected(*command):
    """The instructions of one run."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{command} ended with {run.returncode}:\n{run.stderr}")
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def of_update(program, way, course, depth):
    """The instructions of one update."""
    few = collected(program, way, course, depth, UPDATES)
    return (collected(program, way, course, depth, 2 * UPDATES) - few) / UPDATES


def main(program):
    print(f"{'calls inside each other':24} {'update':>8} {'restart':>8}")
    for way in ("results", "exception"):
        for depth in DEPTHS:
            straight = of_update(program, way, "straight", depth)
            again = of_update(program, way, "again", depth)
            print(f"{way + ', ' + str(depth):24} {straight:8.0f} {again - straight:8.0f}")


main(*sys.argv[1:])
