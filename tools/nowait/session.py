"""session: several people change one JSON document at the same time."""

from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import require

LABEL = "//src/apps/session"


def main(arguments: Sequence[str]) -> int:
    """Builds and becomes the program."""
    require_cpu()
    require("build")
    bazel.build(LABEL, otherwise="the session program does not build")
    processes.become([bazel.program(f"{LABEL}:session"), *arguments])
