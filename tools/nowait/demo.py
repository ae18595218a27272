"""demo: the engine on real ground; with --crowd, a thousand animated characters; with --game, objects with scripts; with --navigation, walkers."""

from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import CAPTURED_MOTION, require

LABEL = "//src/apps/demo"
CROWD = "//src/apps/crowd"
GAME = "//src/apps/game"
NAVIGATION = "//src/apps/navigation"


def main(arguments: Sequence[str]) -> int:
    require_cpu()
    if "--crowd" in arguments:
        _crowd([argument for argument in arguments if argument != "--crowd"])
    if "--game" in arguments:
        _game([argument for argument in arguments if argument != "--game"])
    if "--navigation" in arguments:
        _navigation([argument for argument in arguments if argument != "--navigation"])
    require("build")
    bazel.build(LABEL, otherwise="the demo does not build")
    processes.become([bazel.program(f"{LABEL}:demo"), *arguments])


def _game(arguments: Sequence[str]) -> None:
    """Builds and becomes the game, which finds its compiled scripts beside itself."""
    require("build")
    bazel.build(GAME, otherwise="the game does not build")
    processes.become([bazel.program(f"{GAME}:game"), *arguments])


def _navigation(arguments: Sequence[str]) -> None:
    """Builds and becomes the walkers on a navigation mesh."""
    require("build")
    bazel.build(NAVIGATION, otherwise="the walkers do not build")
    processes.become([bazel.program(f"{NAVIGATION}:navigation"), *arguments])


def _crowd(arguments: Sequence[str]) -> None:
    """Builds and becomes the crowd, which reads captured motion."""
    require("build", CAPTURED_MOTION)
    bazel.build(CROWD, otherwise="the crowd does not build")
    processes.become([bazel.program(f"{CROWD}:crowd"), *arguments])
