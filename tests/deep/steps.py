#!/usr/bin/python3 -SE
"""A model's program as a deep run sees it, for tests: its searches count, and count fast.

A copy of it is called like the structure; that of "chute" fails. The environment says what else goes wrong:
  STEPS_FAIL    a scenario whose searches fail at their end
  STEPS_DIE     a scenario whose processes die of a signal
  STEPS_BOUND   stairs has a bounded search in place of a full one
  STEPS_WAIT    a scenario whose processes wait for the signal to stop, and save then
STEPS_BEGUN names a file to which each process adds a line with the executions it begins at.
"""

import argparse
import json
import os
import pathlib
import signal
import sys

SIZES = {"small": 300, "large": 9000}  # executions of a search, all shards together
PIECE = 2000  # what a process does before its time is up, however long that is


def main():
    name = pathlib.Path(sys.argv[0]).name
    parser = argparse.ArgumentParser()
    for flag in ("--list", "--estimate"):
        parser.add_argument(flag, action="store_true")
    for flag in ("--scenario", "--search", "--seed", "--shard", "--jobs", "--seconds", "--executions", "--save",
                 "--resume", "--json", "--counterexamples"):
        parser.add_argument(flag)
    options = parser.parse_args()
    if options.list:
        if name == "chute":
            print("chute small (2 threads): the broken one\n  graphs\n  full")
        elif name == "stairs":
            bound = "bound:2" if "STEPS_BOUND" in os.environ else "full"
            print(f"stairs small (2 threads): the small one\n  graphs\n  {bound}")
        else:
            print("ladder small (2 threads): the small one\n  graphs\n  random:4+stale")
            print("ladder large (3 threads): the large one\n  bounded: too many")
        return 0
    if options.estimate:
        print(f"{name} {options.scenario}: about 2e+07 executions, 50 graphs a second; and so on")
        return 0
    done, scenario, search, shard = 0, options.scenario, options.search, options.shard or "1/1"
    if options.resume:
        try:
            saved = json.loads(pathlib.Path(options.resume).read_text(encoding="utf-8"))
            done, scenario, search, shard = saved["done"], saved["scenario"], saved["search"], saved["shard"]
        except (OSError, ValueError, LookupError):
            print(f"{options.resume} is damaged", file=sys.stderr)
            return 2
    if "STEPS_BEGUN" in os.environ and options.seconds:
        with open(os.environ["STEPS_BEGUN"], "a", encoding="utf-8") as begun:
            begun.write(f"{name} {scenario} {search} {shard} {done}\n")
    if os.environ.get("STEPS_DIE") == scenario and options.seconds:
        os.kill(os.getpid(), signal.SIGKILL)
    size = int(search.split(":")[1].split("+")[0]) if search.startswith("random") else SIZES[scenario]
    whole = share(size, shard)
    before, done = done, min(whole, done + int(options.executions or PIECE))
    if os.environ.get("STEPS_WAIT") == scenario and options.seconds:
        signal.sigwait({signal.SIGTERM})
        done = before + 1
        save(options, done, scenario, search, shard)
        return 128 + signal.SIGTERM
    at_the_end = done == whole
    failed = at_the_end and (os.environ.get("STEPS_FAIL") == scenario or name == "chute")
    found = {"search": search, "executions": done, "exhausted": at_the_end and not search.startswith("random"),
             "fraction": done / whole if whole else 1, "seconds": done / 1000}
    if failed:
        folder = pathlib.Path(options.counterexamples)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}_{scenario}.html").write_text(f"the page of {name} {scenario}", encoding="utf-8")
        found["failure"] = {"kind": "data race", "words": "of two writes\nand more", "seed": 7, "state": "012"}
    pathlib.Path(options.json).write_text(json.dumps({"scenarios": [{"name": scenario, "searches": [found]}]}),
                                          encoding="utf-8")
    if not at_the_end:
        save(options, done, scenario, search, shard)
    return 1 if failed or (search == "graphs" and not at_the_end) else 0


def share(size, shard):
    index, count = map(int, shard.split("/"))
    return size // count + (index <= size % count)


def save(options, done, scenario, search, shard):
    pathlib.Path(options.save).write_text(
        json.dumps({"done": done, "scenario": scenario, "search": search, "shard": shard}), encoding="utf-8")


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    sys.exit(main())
