"""Prints the targets of one `bazel test` whose tests ran longest.

usage: dearest.py EVENTS

EVENTS: Bazel's build events (--build_event_json_file). A target's time is the sum of its shards' and of their
repetitions, as the wall clock counted them: on a busy machine it is longer than the processor's. A result
from a cache has the time of the run that made it, and is marked.
"""

import collections
import sys

from count_results import read_events

SHOWN = 20


def dearest(results):
    """The (seconds, label, cached) of each target, longest first. results: of read_events()."""
    seconds = collections.Counter()
    fresh = set()
    for (label, _, _), result in results.items():
        seconds[label] += int(result.get("testAttemptDurationMillis", 0)) / 1000
        if not result.get("cachedLocally") and not result.get("executionInfo", {}).get("cachedRemotely"):
            fresh.add(label)
    ordered = sorted(seconds.items(), key=lambda one: (-one[1], one[0]))
    return [(time, label, label not in fresh) for label, time in ordered]


def main():
    rows = dearest(read_events(sys.argv[1])[0])
    if not rows:
        return
    total = sum(time for time, _, _ in rows)
    print(f"the longest of {len(rows)} targets, {total:.0f} s of tests in all:")
    for time, label, cached in rows[:SHOWN]:
        print(f"  {time:7.1f} s  {label}{' (cached)' if cached else ''}")


if __name__ == "__main__":
    main()
