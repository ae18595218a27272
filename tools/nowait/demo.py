"""demo: the engine on real ground, or one of the other demos: a flag chooses it, and the flags behind it are its own."""

from dataclasses import dataclass
from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import CAPTURED_MOTION, require


@dataclass(frozen=True)
class Demo:
    """A program under src/apps.

    folder: its package, whose last part is the program's name. packages: what it reads that is not in the
    repository. what: its name in a message.
    """

    folder: str
    what: str
    packages: tuple[str, ...] = ()


FALLING = Demo("//src/apps/demo", "demo")
OTHERS = {
    "--crowd": Demo("//src/apps/crowd", "crowd", (CAPTURED_MOTION,)),
    "--game": Demo("//src/apps/game", "game"),
    "--navigation": Demo("//src/apps/navigation", "navigation"),
    "--open-world": Demo("//src/apps/openworld", "open world"),
    "--snake": Demo("//src/apps/snake", "snake"),
    "--terminal": Demo("//src/apps/terminal", "terminal"),
}


def main(arguments: Sequence[str]) -> int:
    require_cpu()
    chosen = next((flag for flag in OTHERS if flag in arguments), None)
    demo = OTHERS[chosen] if chosen else FALLING
    require("build", *demo.packages)
    bazel.build(demo.folder, otherwise=f"the {demo.what} does not build")
    name = demo.folder.rpartition("/")[2]
    processes.become([bazel.program(f"{demo.folder}:{name}"), *(word for word in arguments if word != chosen)])
