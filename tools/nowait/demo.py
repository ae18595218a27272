"""demo: the engine on real ground; with --crowd, a thousand animated characters."""

from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import CAPTURED_MOTION, require

LABEL = "//src/apps/demo"
CROWD = "//src/apps/crowd"


def main(arguments: Sequence[str]) -> int:
    require_cpu()
    if "--crowd" in arguments:
        _crowd([argument for argument in arguments if argument != "--crowd"])
    require("build")
    bazel.build(LABEL, otherwise="the demo does not build")
    processes.become([bazel.program(f"{LABEL}:demo"), *arguments])


def _crowd(arguments: Sequence[str]) -> None:
    """Builds and becomes the crowd, which reads captured motion."""
    require("build", CAPTURED_MOTION)
    bazel.build(CROWD, otherwise="the crowd does not build")
    processes.become([bazel.program(f"{CROWD}:crowd"), *arguments])
