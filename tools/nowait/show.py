"""show: a counterexample that ./nowait check has written, once more."""

from typing import Sequence

from nowait import bazel, processes
from nowait.errors import Usage
from nowait.machine import require_cpu
from nowait.packages import require

USAGE = """usage: ./nowait show FILE.json [flags]
  --page OUT.html      written as a page for a browser, instead of shown here
  --color WHEN         colours: auto (on a terminal, default), always, never
FILE.json is what check names at its end, out/counterexamples/STRUCTURE_SCENARIO.json.
"""
LABEL = "//models/kit/counterexample:show"


def main(arguments: Sequence[str]) -> int:
    """The flags are for the program that shows it."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    if not arguments or not arguments[0]:
        raise Usage("show: which counterexample? ./nowait show --help")
    require_cpu()
    require("build", "check")
    bazel.build(LABEL, otherwise="the program that shows counterexamples does not build")
    processes.become([bazel.program(LABEL), *arguments])
