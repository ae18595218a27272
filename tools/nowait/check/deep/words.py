"""What a deep run has found, in words: a line for each goal, and the counts."""

import re


def goals(entries):
    """The shards of each goal, in the order of the plan."""
    found = {}
    for entry in entries:
        found.setdefault(entry.shard.goal, []).append(entry)
    return found


def verdict(entries):
    if any(entry.status == "failed" for entry in entries):
        return "failed"
    return "passed" if all(entry.status == "passed" for entry in entries) else "not finished"


def search_of(entries):
    """The search in the words of ./nowait check; of a random one the executions of all shards."""
    shard = entries[0].shard
    if shard.executions():
        total = sum(entry.shard.executions() for entry in entries)
        return re.sub(r"^random:\d+", f"random:{total}", shard.search) + f" from seed {shard.seed}"
    return shard.search


def result(entries):
    executions = sum(entry.executions for entry in entries)
    how = verdict(entries)
    if how == "passed":
        if entries[0].shard.executions():
            return f"{executions:,} executions, no failure"
        if entries[0].shard.search == "graphs":
            return f"all {executions:,} executions examined"
        return f"{executions:,} executions, exhausted"
    if how == "failed":
        failure = next(entry.failure for entry in entries if entry.status == "failed")
        return f"FAILED: {failure['words']}"
    ended = sum(entry.finished for entry in entries)
    return f"NOT FINISHED: {executions:,} executions, {ended} of {len(entries)} shards"


def counts(entries):
    """(passed, failed, not finished), counting goals."""
    verdicts = [verdict(of_goal) for of_goal in goals(entries).values()]
    return tuple(verdicts.count(how) for how in ("passed", "failed", "not finished"))


def last_line(entries):
    passed, failed, left = counts(entries)
    return f"{passed} passed, {failed} failed" + (f", {left} not finished" if left else "")


def exit_code(entries):
    """What is not finished has not passed."""
    passed, failed, left = counts(entries)
    if failed:
        return 1
    return 3 if left or not passed else 0


def as_text(state, entries):
    lines = []
    scenario = None
    for (structure, name, _), of_goal in goals(entries).items():
        if scenario != (structure, name):
            scenario = structure, name
            lines.append(f"{structure} {name}")
        seconds = sum(entry.seconds for entry in of_goal)
        lines.append(f"  {search_of(of_goal):<44} {result(of_goal)}, {seconds:.0f} s")
        for entry in of_goal:
            if entry.status == "failed":
                lines += [f"    {what}: {entry.failure[what]}" for what in ("again", "page") if what in entry.failure]
    missing = [part for part in range(1, state.parts + 1) if part not in state.part]
    if missing and len(state.part) > 1:
        lines += [f"MISSING: part {part}/{state.parts}: {', '.join(names(state, part))}" for part in missing]
    return "\n".join(lines) + "\n"


def names(state, part):
    """The shards of a part, those of one goal together."""
    found = []
    for of_goal in goals([entry for entry in state.entries if entry.part == part]).values():
        shard = of_goal[0].shard
        found.append(f"{shard.structure} {shard.scenario} {shard.search} "
                     f"{ranges([entry.shard.index for entry in of_goal])}/{shard.count}")
    return found


def ranges(numbers):
    """1, 2, 3, 7 as "1-3,7"."""
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
