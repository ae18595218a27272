"""demo: the engine on real ground."""

from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import require

LABEL = "//src/apps/demo"


def main(arguments: Sequence[str]) -> int:
    require_cpu()
    require("build")
    bazel.build(LABEL, otherwise="the demo does not build")
    processes.become([bazel.program(f"{LABEL}:demo"), *arguments])
