"""bench cores: the job system measured on one core and two, and computed on up to 64 simulated ones."""

import pathlib
import tempfile
from typing import Sequence

from nowait import bazel, processes
from nowait.arguments import Parser
from nowait.checkout import PYTHON, ROOT
from nowait.errors import Usage
from nowait.machine import require_cpu
from nowait.packages import require

MEASURES = "//tests/bench:cores"
SIMULATES = "//tests/whole/cores:simulate_cores"
USAGE = """usage: ./nowait bench cores [flags]
  --rounds N       measured of each workload, at least (50)
  --seconds S      when fewer have to do (600)
  --measured FILE  times of an earlier run, in place of a measurement
  --keep FILE      write the measured times there
  --threads N      compute on at most so many, 1 to 64 (64)
  --COST NS        in place of the cost that is fitted: step, hit, update, transfer, pause, notify, further, wake
  --json FILE      write everything that was computed there
  --plot FILE.svg  draw it
"""
FOR_MEASURING = ("--rounds", "--seconds")
FOR_COMPUTING = ("--threads", "--step", "--hit", "--update", "--transfer", "--pause", "--notify", "--further",
                 "--wake", "--json")


def main(arguments: Sequence[str]) -> int:
    parser = Parser("bench cores", USAGE)
    parser.add_argument("--measured")
    parser.add_argument("--keep")
    parser.add_argument("--plot")
    for flag in (*FOR_MEASURING, *FOR_COMPUTING):
        parser.add_argument(flag)
    options = parser.parse(arguments)
    given = {f"--{name}": value for name, value in vars(options).items() if value is not None}
    for flag in ("--measured", "--keep", "--plot", "--json"):
        _check_path(flag, given.get(flag), reads=flag == "--measured")
    require_cpu()
    require("build", "bench")
    with tempfile.TemporaryDirectory() as folder:
        measured = given.get("--measured") or given.get("--keep") or f"{folder}/measured.json"
        if "--measured" not in given:
            bazel.build(MEASURES, otherwise="the benchmark does not build")
            status = _run(bazel.program(MEASURES), "--json", measured, *_flags(given, FOR_MEASURING))
            if status != 0:
                return status
        # It replaces what .bazel/bin leads to.
        bazel.build(SIMULATES, flags=("--config=controlled",), otherwise="the simulated cores do not build")
        if options.plot:
            given.setdefault("--json", f"{folder}/cores.json")
        status = _run(bazel.program(SIMULATES), "--measured", measured, *_flags(given, FOR_COMPUTING))
        if status == 0 and options.plot:
            status = _run(PYTHON, "tests/bench/cores_plot.py", given["--json"], options.plot)
        return status


def _run(*words: str) -> int:
    return processes.run(words).exit_status


def _flags(given: dict[str, str], flags: Sequence[str]) -> list[str]:
    return [word for flag in flags if flag in given for word in (flag, given[flag])]


def _check_path(flag: str, path: str | None, reads: bool) -> None:
    """Says it before anything is built."""
    if path is None:
        return
    file = pathlib.Path(ROOT, path)
    if reads and not file.is_file():
        raise Usage(f"bench cores: {flag}: there is no file '{path}'")
    if not path or file.is_dir() or not file.parent.is_dir():
        raise Usage(f"bench cores: {flag}: '{path}' cannot be written")
