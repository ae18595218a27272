"""How the time of the models' tests falls with the number of workers.

usage: scaling.py EVENTS...     EVENTS: W:FILE, Bazel's build events of a run with W tests at once

Prints a table. "Measured" is the median of the runs with so many workers, from the first test's start to
the last one's end. "Computed" packs the shards, each with the median of what it took with one worker,
longest first, to whoever has least (deep/plan.py); it stands beside what was measured too, so that one
sees how far it can be believed. Compiling, sending and queueing are in neither.
"""

import collections
import json
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "deep"))
from plan import pack  # noqa: E402

WORKERS = (1, 2, 4, 8, 16, 32, 64)


class Unreadable(Exception):
    pass


def shards_in(path):
    """(label, run, shard): (its start, its seconds)."""
    found = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        event = json.loads(line)
        if "testResult" not in event:
            continue
        name, result = event["id"]["testResult"], event["testResult"]
        if result["status"] != "PASSED" or result.get("cachedLocally"):
            raise Unreadable(f"{name['label']} did not run, or did not pass: there is nothing to compare")
        found[name["label"], name.get("run", 1), name.get("shard", 1)] = (
            int(result["testAttemptStartMillisEpoch"]) / 1000, int(result["testAttemptDurationMillis"]) / 1000)
    if not found:
        raise Unreadable(f"{path} has no tests")
    return found


def elapsed(shards):
    return max(start + seconds for start, seconds in shards.values()) - min(start for start, _ in shards.values())


def table(runs):
    """runs: by the number of workers, the shards of each run."""
    alone = [run for run in runs[1]]
    costs = {shard: statistics.median(run[shard][1] for run in alone) for shard in alone[0]}
    measured = {workers: statistics.median(map(elapsed, of_workers)) for workers, of_workers in runs.items()}
    computed = {workers: max(pack(costs, workers)[1]) for workers in sorted({*WORKERS, *runs})}
    lines = ["| workers | measured | computed | of one worker's time, computed |", "|---|---|---|---|"]
    for workers, seconds in computed.items():
        seen = f"{measured[workers]:.1f} s" if workers in measured else ""
        lines.append(f"| {workers} | {seen} | {seconds:.1f} s | {100 * seconds / computed[1]:.1f}% |")
    longest = max(costs, key=costs.get)
    return [*lines, "", f"{len(costs)} shards; the longest, {costs[longest]:.1f} s, is "
                        f"{longest[0]} shard {longest[2]}: no number of workers is faster"]


def main(arguments):
    runs = collections.defaultdict(list)
    for argument in arguments:
        workers, _, path = argument.partition(":")
        runs[int(workers)].append(shards_in(path))
    print("\n".join(table(runs)))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Unreadable, OSError, ValueError, LookupError) as error:
        sys.exit(f"nowait: check --scaling: {error}")
