"""demo: the engine on real ground; --crowd: a thousand animated characters; --game: objects with scripts;
--open-world: a ride through a world that is loaded around the player."""

from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import CAPTURED_MOTION, require

LABEL = "//src/apps/demo"
CROWD = "//src/apps/crowd"
GAME = "//src/apps/game"
OPEN_WORLD = "//src/apps/openworld"


def main(arguments: Sequence[str]) -> int:
    require_cpu()
    if "--crowd" in arguments:
        _crowd([argument for argument in arguments if argument != "--crowd"])
    if "--game" in arguments:
        _game([argument for argument in arguments if argument != "--game"])
    if "--open-world" in arguments:
        _open_world([argument for argument in arguments if argument != "--open-world"])
    require("build")
    bazel.build(LABEL, otherwise="the demo does not build")
    processes.become([bazel.program(f"{LABEL}:demo"), *arguments])


def _game(arguments: Sequence[str]) -> None:
    """Builds and becomes the game, which finds its compiled scripts beside itself."""
    require("build")
    bazel.build(GAME, otherwise="the game does not build")
    processes.become([bazel.program(f"{GAME}:game"), *arguments])


def _crowd(arguments: Sequence[str]) -> None:
    """Builds and becomes the crowd, which reads captured motion."""
    require("build", CAPTURED_MOTION)
    bazel.build(CROWD, otherwise="the crowd does not build")
    processes.become([bazel.program(f"{CROWD}:crowd"), *arguments])


def _open_world(arguments: Sequence[str]) -> None:
    """Builds and becomes the ride, which reads the documents of its world and makes the tiles."""
    require("build")
    bazel.build(OPEN_WORLD, otherwise="the open world does not build")
    processes.become([bazel.program(f"{OPEN_WORLD}:openworld"), *arguments])
