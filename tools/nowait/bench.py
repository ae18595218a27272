"""bench: the benchmarks, never part of the tests. Most are programs of Google Benchmark; scenes run a game for a minute
or two and have flags of their own."""

from typing import Sequence

from nowait import bazel, bench_cores, processes
from nowait.arguments import Parser, unknown_argument
from nowait.checkout import PYTHON
from nowait.errors import Failure, Usage
from nowait.machine import require_cpu
from nowait.packages import CAPTURED_MOTION, require

SCENES = ("contention", "mix", "islands", "game", "scenes")
CORES = "cores"
USAGE = """usage: ./nowait bench [NAME]... [--benchmark_...]   the numbers of these programs, or of all
       ./nowait bench [NAME]... --ratios [flags]    each structure beside its baseline, as a ratio
       ./nowait bench contention [flags]            how long threads wait for locks, with body locks and with one lock
       ./nowait bench mix [flags]                   ray casts and moves in an open world; --help: the flags
       ./nowait bench islands [flags]               from contacts to islands, beside a flood fill
       ./nowait bench game [flags]                  updates of game objects, from no contention to all
       ./nowait bench scenes [SCENE]... [flags]     the scenes of other physics engines, beside Bullet and ODE
       ./nowait bench cores [flags]                 the job system on up to 64 simulated cores; --help: the flags
       ./nowait bench --list                        the programs
  --benchmark_...   for Google Benchmark, for example --benchmark_filter=Union
  after --ratios:   --json FILE, --plot FILE.svg, --repetitions N, --min-time SECONDS
  of the scenes:    --json FILE, --plot FILE.svg, and what --help says
"""


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in SCENES:
        _scene(arguments[0], arguments[1:])
    if arguments and arguments[0] == CORES:
        return bench_cores.main(arguments[1:])
    own, ratios, flags = list(arguments), False, []
    if "--ratios" in own:
        at = own.index("--ratios")
        own, ratios, flags = own[:at], True, own[at + 1:]
    parser = Parser("bench", USAGE)
    parser.add_argument("--list", action="store_true")
    options, rest = parser.parse_known_args(own)
    wanted = [word for word in rest if not word.startswith("-")]
    for word in rest:
        if word.startswith("--benchmark_") and word != "--benchmark_":
            flags += [] if ratios else [word]
        elif word.startswith("-"):
            raise unknown_argument("bench", word)
    require_cpu()
    require("build", "bench")
    benches = {label.rpartition(":")[2]: label for label in targets()}
    if options.list:
        print("\n".join([*benches, *SCENES, CORES]))
        return 0
    for name in wanted:
        if name not in benches:
            raise Usage(f'bench: unknown benchmark "{name}"; there are: {" ".join(benches)}')
    if not wanted or "animation" in wanted:
        require(CAPTURED_MOTION)
    labels = [label for name, label in benches.items() if name in wanted or not wanted]
    bazel.build(*labels, otherwise="the benchmarks do not build")
    programs = [bazel.program(label) for label in labels]
    if ratios:
        processes.become([PYTHON, "tests/bench/ratios.py", *flags, *programs])
    for program in programs:
        status = processes.run([program, *flags]).exit_status
        if status != 0:
            return status
    return 0


def all_targets() -> list[str]:
    """The labels of the benchmarks and of the scenes."""
    return bazel.targets_tagged("bench", "cc_.*")


def targets() -> list[str]:
    """The benchmarks' labels."""
    found = [label for label in all_targets() if label.rpartition(":")[2] not in (*SCENES, CORES)]
    if not found:
        raise Failure("there are no benchmarks")
    return found


def _scene(name: str, arguments: Sequence[str]) -> None:
    """Builds and runs one scene."""
    require_cpu()
    require("build", "bench")
    label = f"//tests/bench:{name}"
    bazel.build(label, otherwise="the benchmark does not build")
    processes.become([PYTHON, "tests/bench/scene.py", bazel.program(label), *arguments])
