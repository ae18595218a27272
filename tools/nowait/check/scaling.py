"""check --scaling: how the time of the models' tests falls with the number of workers.

Prints a table. "Measured" is the median of the runs with so many workers, from the first test's start to
the last one's end. "Computed" packs the shards, each with the median of what it took with one worker,
longest first, to the worker with the least (deep/plan.py); it stands beside what was measured too, so that one
sees how far it can be believed. Compiling, sending and queueing are in neither.
"""

import json
import pathlib
import re
import statistics
import tempfile
from typing import Sequence

from nowait import bazel
from nowait.check import models
from nowait.check.deep.plan import pack
from nowait.check.models import Models, name_of
from nowait.errors import Failure, Usage, note
from nowait.machine import require_cpu
from nowait.packages import require

WORKERS = (1, 2, 4, 8, 16, 32, 64)
ROUNDS = 3


class Unreadable(Failure):
    """A measurement that cannot be used."""

    verb = "check --scaling: "


def main(arguments: Sequence[str]) -> int:
    rounds, structures = ROUNDS, list(arguments)
    # A structure's name is no number.
    if structures and re.match(r"[-0-9]", structures[0]):
        number = structures.pop(0)
        if not re.fullmatch(r"[1-9][0-9]?", number):
            raise Usage(f'check --scaling: "{number}" is no number of rounds')
        rounds = int(number)
    require_cpu()
    require("build", "check")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        labels = models.tests(folder / "tests.xml")
        if structures:
            labels = only_tests_of(structures, labels, Models.listed())
        bazel.build(*labels, otherwise="the models do not build")
        print("\n".join(table(_measure(labels, rounds, folder))))
    return 0


def only_tests_of(structures: Sequence[str], labels: Sequence[str], known: Models) -> list[str]:
    """A test's name begins with its structure's; where that of another one does too, it is the longer one's."""
    for structure in structures:
        known.require_known(structure)
    left = []
    for label in labels:
        owners = [name for name in known.names if f"{name_of(label)}_".startswith(f"{name}_")]
        if owners and max(owners, key=len) in structures:
            left.append(label)
    return left


def _measure(labels: Sequence[str], rounds: int, folder: pathlib.Path) -> dict[int, list[dict]]:
    """Each round runs everything with one worker and with two, first the one and then the other."""
    runs: dict[int, list[dict]] = {1: [], 2: []}
    for number in range(1, rounds + 1):
        for workers in (1, 2) if number % 2 else (2, 1):
            note(f"round {number} of {rounds}, {workers} at once")
            events = folder / f"{number}.{workers}"
            if bazel.test(*labels, flags=["--config=opt", "--test_output=summary", "--test_summary=none",
                                          "--nocache_test_results", f"--local_test_jobs={workers}",
                                          f"--build_event_json_file={events}"]) != 0:
                raise Failure("a test failed: there is nothing to compare")
            runs[workers].append(shards_in(events))
    return runs


def shards_in(path: pathlib.Path) -> dict[tuple, tuple[float, float]]:
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


def elapsed(shards: dict[tuple, tuple[float, float]]) -> float:
    return max(start + seconds for start, seconds in shards.values()) - min(start for start, _ in shards.values())


def table(runs: dict[int, list[dict]]) -> list[str]:
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
