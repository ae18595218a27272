"""The test targets that took longest, of all steps of a run.

A target's time in a step is the sum of its shards' and of their repetitions, as the wall clock counted them: on a busy
machine it is longer than the processor's. A result from a cache has the time of the run that made it, and is marked.
"""

import collections
import dataclasses
import pathlib

from nowait.test.results import read_events

SHOWN = 20


@dataclasses.dataclass(frozen=True)
class Cost:
    """The time of a target in a step."""

    seconds: float
    step: str
    label: str
    cached: bool


def costs_in(step: str, events: pathlib.Path) -> list[Cost]:
    """Of one `bazel test`, by its build events."""
    seconds: collections.Counter = collections.Counter()
    fresh = set()
    for (label, _, _), result in read_events(events)[0].items():
        seconds[label] += int(result.get("testAttemptDurationMillis", 0)) / 1000
        if not result.get("cachedLocally") and not result.get("executionInfo", {}).get("cachedRemotely"):
            fresh.add(label)
    return [Cost(time, step, label, label not in fresh) for label, time in seconds.items()]


def show(costs: list[Cost]) -> None:
    """Prints the longest first."""
    if not costs:
        return
    ordered = sorted(costs, key=lambda cost: (-cost.seconds, cost.label, cost.step))
    print(f"the longest of {len(costs)} targets, {sum(cost.seconds for cost in costs):.0f} s of tests in all:")
    for cost in ordered[:SHOWN]:
        print(f"  {cost.seconds:7.1f} s  {cost.step:<10} {cost.label}{' (cached)' if cost.cached else ''}")
