"""Makes one report of the reports of many machines: of the same plan and programs, each part once."""

import dataclasses

from nowait.check.deep.state import State, Unusable, read


def merge(folders):
    states = [(folder, read(folder)) for folder in folders]
    first_folder, first = states[0]
    owner = {}
    for folder, state in states:
        _compare(first_folder, first, folder, state)
        for part in state.part:
            if part in owner:
                raise Unusable(f"{owner[part][0]} and {folder} both are part {part}/{state.parts}: each counts once")
            owner[part] = folder, {entry.shard: entry for entry in state.entries}
    # A part of which there is no report has done nothing, whatever another machine's file says of it.
    entries = [owner[entry.part][1][entry.shard] if entry.part in owner else
               dataclasses.replace(entry, status="waiting", executions=0, seconds=0.0, fraction=0.0, failure=None)
               for entry in first.entries]
    return State(first.plan, first.builds, first.parts, sorted(owner), entries)


def _compare(first_folder, first, folder, state):
    if state.builds != first.builds:
        structures = sorted(name for name in first.builds.keys() | state.builds.keys()
                            if first.builds.get(name) != state.builds.get(name))
        raise Unusable(f"{first_folder} and {folder} are of different builds, in {', '.join(structures)}: what they "
                       "found cannot be added up")
    shape = [(entry.shard, entry.part) for entry in state.entries]
    if state.plan != first.plan or shape != [(entry.shard, entry.part) for entry in first.entries]:
        raise Unusable(f"{first_folder} and {folder} have different plans (another --part N, or other --costs)")
