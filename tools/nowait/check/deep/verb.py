"""check --deep: far beyond what every check does, for hours, in pieces, on many machines.

Exit code: 0 all passed, 1 something failed, 2 the arguments or a state make no sense, 3 nothing failed and
not all is finished, 128 and the signal's number when interrupted.
"""

import argparse
import hashlib
import math
import pathlib
import re
import shutil
from typing import Mapping, Sequence

from nowait import bazel
from nowait.arguments import Parser
from nowait.check.deep.cluster import ROUND, Cluster
from nowait.check.deep.merge import merge
from nowait.check.deep.pieces import processors
from nowait.check.deep.plan import identity, pack, plan
from nowait.check.deep.run import ClusterRun, Run, duration
from nowait.check.deep.state import NAME, Entry, State, Unusable, alone_in, prepare, read, write, write_whole
from nowait.check.deep.words import as_text, exit_code, last_line
from nowait.check.models import Models
from nowait.check.remote import Remote
from nowait.checkout import ROOT
from nowait.errors import Usage, note


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser("check --deep", description="Searches the models far beyond what every check does.")
    parser.add_argument("--hours", type=hours, metavar="H", help="stop after so long; the same command goes on")
    parser.add_argument("--state", default="out/deep", metavar="DIR", help="where to keep it (out/deep)")
    parser.add_argument("--part", type=part, default=(1, 1), metavar="I/N",
                        help="part I of N, on this machine: the same build on each of them")
    parser.add_argument("--jobs", type=positive, metavar="N",
                        help=f"processes at once (one for each processor; on a cluster {ROUND})")
    parser.add_argument("--costs", metavar="DIR", help="plan with what the shards took in an earlier run")
    parser.add_argument("--show", action="store_true", help="what was found so far, without going on")
    parser.add_argument("--merge", nargs="+", metavar="DIR", help="one report of those of many machines")
    parser.add_argument("--into", metavar="DIR", help="where --merge writes it")
    options = parser.parse(arguments)
    if options.into and not options.merge:
        raise Usage("check --deep: --into is for --merge")
    if sum([options.hours is not None, options.show, bool(options.merge)]) != 1:
        raise Usage("check --deep: it takes one of --hours H, --show and --merge DIR...")
    return options


def hours(text):
    value = float(text) if re.fullmatch(r"\d*\.?\d+", text) else math.nan
    if not 0 < value <= 10_000:
        raise argparse.ArgumentTypeError(f"\"{text}\" is no number of hours")
    return value


def positive(text):
    if not re.fullmatch(r"[1-9]\d{0,3}", text):
        raise argparse.ArgumentTypeError(f"\"{text}\" is no number of processes")
    return int(text)


def part(text):
    match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text)
    if not match or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(f"\"{text}\" is no part; one is 2/4")
    return int(match[1]), int(match[2])


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def begin(options, programs, builds):
    """The state to go on with: the one that is there, or a new plan."""
    folder = pathlib.Path(options.state)
    if (folder / NAME).exists():
        state = read(folder)
        if state.builds != builds:
            changed = sorted(name for name in builds.keys() | state.builds.keys()
                             if builds.get(name) != state.builds.get(name))
            raise Unusable(f"{folder} is of another build of {', '.join(changed)}: a search cannot go on in another "
                           "program; give this one another --state")
        if (state.parts, state.part) != (options.part[1], [options.part[0]]):
            raise Unusable(f"{folder} was begun as part {state.part[0]}/{state.parts}; give this one another --state")
        if options.costs:
            raise Unusable(f"{folder} has its plan; --costs is for a new one")
        return state
    measured = costs_of(options.costs) if options.costs else {}
    costs = plan(programs, note)
    costs = {shard: measured.get(shard, cost) for shard, cost in costs.items()}
    parts = options.part[1]
    packed, _ = pack(costs, parts)
    of = {shard: number for number, shards in enumerate(packed, 1) for shard in shards}
    # Its worth is part of the plan: with other costs other machines have other parts.
    identifier = identity(of.items(), parts, builds)
    state = State(identifier, builds, parts, [options.part[0]],
                  [Entry(shard, of[shard], round(cost, 3)) for shard, cost in sorted(costs.items())])
    write(folder, state)
    return state


def costs_of(folder):
    """What the shards that came to their end took, of an earlier run or of a merged one."""
    return {entry.shard: entry.seconds for entry in read(folder).entries if entry.status == "passed"}


def keep_programs(programs, folder):
    """Copies: the checkout may be built anew while the run goes on."""
    kept = {}
    (folder / "programs").mkdir(exist_ok=True)
    (folder / "saved").mkdir(exist_ok=True)
    for structure, program in programs.items():
        kept[structure] = str(folder / "programs" / structure)
        if not pathlib.Path(kept[structure]).exists() or digest(kept[structure]) != digest(program):
            pathlib.Path(kept[structure]).unlink(missing_ok=True)
            shutil.copy(program, kept[structure])
    return kept


def go_on(options: argparse.Namespace, programs: Mapping[str, str], flags: Sequence[str]) -> int:
    """programs: the models', by their names; flags: Bazel's for a cluster, if it is to run there."""
    jobs = options.jobs or (ROUND if flags else processors())
    folder = pathlib.Path(options.state).absolute()
    with alone_in(folder):
        builds = {structure: digest(program) for structure, program in programs.items()}
        state = begin(options, programs, builds)
        own = state.own
        work = duration(sum(entry.left() for entry in own))
        note(f"plan {state.plan}: {len(own)} shards, {work} of one processor's work by estimate, {jobs} processes, "
             f"at most {options.hours:g} h")
        kept, seconds = keep_programs(programs, folder), options.hours * 3600
        if flags:
            cluster = Cluster(ROOT, folder, kept, flags, jobs)
            try:
                stopped_by = ClusterRun(state, folder, jobs, seconds, cluster).run()
            finally:
                cluster.close()
        else:
            stopped_by = Run(state, folder, kept, jobs, seconds).run()
    return conclude(options, folder, state, stopped_by)


def conclude(options, folder, state, stopped_by):
    text = as_text(state, state.own)
    write_whole(folder / "report.txt", f"{text}{last_line(state.own)}\n")
    print(text, end="")
    code = exit_code(state.own)
    if code == 3 or stopped_by:
        words = f" --part {options.part[0]}/{options.part[1]}" if options.part[1] > 1 else ""
        kept = "" if options.state == "out/deep" else f" --state {options.state}"
        print(f"go on with: ./nowait check --deep --hours {options.hours:g}{kept}{words}")
    print(last_line(state.own))
    return 128 + stopped_by if stopped_by else code


def report(state, into):
    text = as_text(state, state.entries)
    if into:
        prepare(into)
        write(into, state)
        write_whole(pathlib.Path(into) / "report.txt", f"{text}{last_line(state.entries)}\n")
    print(text, end="")
    print(last_line(state.entries))
    return exit_code(state.entries)


def main(arguments: Sequence[str], remote: Remote) -> int:
    """Bad input is refused before anything is built."""
    options = parse(arguments)
    if options.merge or options.show:
        return show(options)
    if remote.cache:
        raise Usage("check: --cache has nothing to give to a deep run")
    check_state(options)
    flags = remote.reached().flags
    models = Models.prepared()
    models.build()
    return go_on(options, dict(zip(models.names, map(bazel.program, models.labels))), flags)


def show(options: argparse.Namespace) -> int:
    """Prints the findings so far."""
    if options.merge:
        return report(merge(options.merge), options.into)
    state = read(options.state)
    print(as_text(state, state.own) + last_line(state.own))
    return exit_code(state.own)


def check_state(options: argparse.Namespace) -> None:
    """Refuses a folder that cannot be written, and a state that cannot be read."""
    prepare(options.state)
    if (pathlib.Path(options.state) / NAME).exists():
        read(options.state)
