"""play: a scene, live in the browser, or recorded."""

import contextlib
import os
import shutil
import subprocess
from typing import Sequence

from nowait import bazel, processes
from nowait.machine import require_cpu
from nowait.packages import require

LABEL = "//src/apps/player"
ADDRESS = "page: "  # what the line with the page's address begins with


def main(arguments: Sequence[str]) -> int:
    """The flags are for the program."""
    require_cpu()
    require("build")
    bazel.build(LABEL, otherwise="the player does not build")
    command = [bazel.program(f"{LABEL}:player"), *arguments]
    if not has_display():
        processes.become(command)
    with processes.running(command, stdout=processes.PIPE, text=True) as child:
        for line in child.lines():
            print(line, end="", flush=True)
            if line.startswith(ADDRESS):
                open_page(line.removeprefix(ADDRESS).strip())
        return child.wait().exit_status


def has_display() -> bool:
    """Whether a browser could be seen here, and there is the program that opens one."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and bool(shutil.which("xdg-open"))


def open_page(address: str) -> None:
    """In the user's browser; the address is printed too, for when that does not work."""
    with contextlib.suppress(OSError):
        subprocess.Popen(["xdg-open", address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True)
