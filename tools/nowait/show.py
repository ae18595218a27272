"""show: a counterexample that ./nowait check has written, once more."""

import pathlib
import zipfile
from typing import Sequence

from nowait import bazel, processes
from nowait.errors import Failure, Usage
from nowait.machine import require_cpu
from nowait.packages import require

USAGE = """usage: ./nowait show FILE.json [flags]
  --page OUT.html      written as a page for a browser, instead of shown here
  --color WHEN         colours: auto (on a terminal, default), always, never
FILE.json is what check names at its end, out/counterexamples/STRUCTURE_SCENARIO.json; or what a test of Bazel's
names, .bazel/out/.../test.outputs/STRUCTURE_SCENARIO.json, which is unpacked with its page.
"""
LABEL = "//models/kit/counterexample:show"
PACKED = "outputs.zip"  # what Bazel makes of the files that a test leaves, in their folder
UNPACKED = pathlib.Path("out/counterexamples")


def unpacked(name: str) -> str:
    """The file itself; or a copy of the one that Bazel has packed there, whose page stands beside it."""
    path = pathlib.Path(name)
    archive = path.parent / PACKED
    if path.exists() or not archive.is_file():
        return name
    try:
        with zipfile.ZipFile(archive) as outputs:
            there = outputs.namelist()
            if path.name not in there:
                records = ", ".join(one for one in there if one.endswith(".json") and one != "result.json")
                raise Failure(f"{archive} has no {path.name}; the records there: {records or 'none'}")
            UNPACKED.mkdir(parents=True, exist_ok=True)
            page = path.with_suffix(".html").name
            for one in {path.name, page} & set(there):
                (UNPACKED / one).write_bytes(outputs.read(one))
    except (OSError, zipfile.BadZipFile) as error:
        raise Failure(f"{archive} cannot be unpacked: {error}") from error
    if page in there:
        print(f"page: {UNPACKED / page}", flush=True)
    return str(UNPACKED / path.name)


def main(arguments: Sequence[str]) -> int:
    """The flags are for the program that shows it."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    if not arguments or not arguments[0]:
        raise Usage("show: which counterexample? ./nowait show --help")
    first = unpacked(arguments[0])
    require_cpu()
    require("build", "check")
    bazel.build(LABEL, otherwise="the program that shows counterexamples does not build")
    processes.become([bazel.program(LABEL), first, *arguments[1:]])
