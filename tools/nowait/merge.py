"""merge: two changes of a JSON document, joined field by field."""

import pathlib
from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import require

LABEL = "//src/apps/merge"
PROGRAM = f"{LABEL}:merge"


def main(arguments: Sequence[str]) -> int:
    """--driver prints the lines that make the program git's merge driver, and joins nothing."""
    require_cpu()
    require("build")
    bazel.build(LABEL, otherwise="the merge program does not build")
    program = pathlib.Path(bazel.program(PROGRAM)).resolve()
    if list(arguments) == ["--driver"]:
        print(f"git config merge.json.driver \"'{program}' %O %A %B --out %A\"")
        print("echo '*.json merge=json' >> .gitattributes")
        return 0
    processes.become([str(program), *arguments])
