#!/usr/bin/env python3
"""check --deep: far beyond what every check does, for hours, in pieces, on many machines.

usage: main.py judge ARGUMENTS...             whether the arguments make sense, before anything is built
       main.py run PROGRAMS ARGUMENTS...      PROGRAMS: a file with the path of a model's program a line;
                                              PROGRAMS.flags, if not empty: Bazel's flags for a cluster
ARGUMENTS are those of ./nowait check --deep.

Exit code: 0 all passed, 1 something failed, 2 the arguments or a state make no sense, 3 nothing failed and
not all is finished, 128 and the signal's number when interrupted.
"""

import argparse
import hashlib
import math
import pathlib
import re
import shutil
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from cluster import ROUND, Cluster  # noqa: E402
from merge import merge  # noqa: E402
from pieces import processors  # noqa: E402
from plan import Unplanned, identity, pack, plan  # noqa: E402
from run import ClusterRun, Run, duration  # noqa: E402
from state import NAME, Entry, State, Unusable, alone_in, prepare, read, write, write_whole  # noqa: E402
from words import as_text, exit_code, last_line  # noqa: E402


class Usage(Exception):
    pass


def parse(arguments):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            raise Usage(message)

    parser = Parser(prog="./nowait check --deep", allow_abbrev=False,
                    description="Searches the models far beyond what every check does.")
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
    options = parser.parse_args(arguments)
    if options.into and not options.merge:
        raise Usage("--into is for --merge")
    if sum([options.hours is not None, options.show, bool(options.merge)]) != 1:
        raise Usage("it takes one of --hours H, --show and --merge DIR...")
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
    costs = plan(programs, lambda words: print(f"nowait: {words}", file=sys.stderr))
    costs = {shard: measured.get(shard, cost) for shard, cost in costs.items()}
    parts = options.part[1]
    packed, _ = pack(costs, parts)
    of = {shard: number for number, shards in enumerate(packed, 1) for shard in shards}
    # What it is worth is part of the plan: with other costs other machines have other parts.
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


def go_on(options, programs, flags):
    jobs = options.jobs or (ROUND if flags else processors())
    folder = pathlib.Path(options.state).absolute()
    with alone_in(folder):
        builds = {structure: digest(program) for structure, program in programs.items()}
        state = begin(options, programs, builds)
        own = state.own
        work = duration(sum(entry.left() for entry in own))
        print(f"nowait: plan {state.plan}: {len(own)} shards, {work} of one processor's work by estimate, {jobs} processes, "
              f"at most {options.hours:g} h", file=sys.stderr)
        kept, seconds = keep_programs(programs, folder), options.hours * 3600
        if flags:
            cluster = Cluster(HERE.parents[2], folder, kept, flags, jobs)
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


def main(arguments):
    what = arguments.pop(0)
    programs, flags = {}, []
    if what == "run":
        list_of_programs = pathlib.Path(arguments.pop(0))
        for path in list_of_programs.read_text(encoding="utf-8").split():
            programs[pathlib.Path(path).name] = path
        beside = list_of_programs.with_name(list_of_programs.name + ".flags")
        flags = beside.read_text(encoding="utf-8").split() if beside.exists() else []
    options = parse(arguments)
    if options.merge:
        return report(merge(options.merge), options.into)
    if options.show:
        state = read(options.state)
        print(as_text(state, state.own) + last_line(state.own))
        return exit_code(state.own)
    prepare(options.state)
    if what == "judge":
        if (pathlib.Path(options.state) / NAME).exists():
            read(options.state)
        return 0
    return go_on(options, programs, flags)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Usage, Unusable, Unplanned) as error:
        print(f"nowait: check --deep: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"nowait: check --deep: {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
