"""The recordings of the engine that lectures show: pages that ./nowait play writes."""

import dataclasses
import pathlib
import re
import shlex

from nowait import bazel, processes
from nowait.errors import Failure
from nowait.learn import course
from nowait.learn.complaint import Complaint

LABEL = "//src/apps/player"
DEFAULT = "out/plays"
_TABLE = "lectures/recordings.toml"


@dataclasses.dataclass(frozen=True)
class Recorded:
    """A recording. flags: of the player."""

    name: str
    title: str
    flags: tuple[str, ...]


def read(root: pathlib.Path) -> dict[str, Recorded]:
    """All of them by name; a course without the table has no recording."""
    if not (root / _TABLE).is_file():
        return {}
    recorded = {}
    for entry in course.read_toml(root, _TABLE).get("recording", []):
        name = entry.get("name", "")
        if set(entry) != {"name", "title", "play"} or not re.fullmatch(r"[a-z0-9-]+", name):
            raise Complaint(_TABLE, 0, f"the recording {name!r} has to have a name, a title and play")
        if name in recorded:
            raise Complaint(_TABLE, 0, f"two recordings are named {name!r}")
        recorded[name] = Recorded(name, entry["title"], tuple(shlex.split(entry["play"])))
    return recorded


def make(out: pathlib.Path) -> pathlib.Path:
    """Builds the player and writes all pages."""
    bazel.build(LABEL, otherwise="the player does not build")
    write(pathlib.Path("."), pathlib.Path(bazel.program(f"{LABEL}:player")), out)
    return out


def write(root: pathlib.Path, player: pathlib.Path, out: pathlib.Path) -> None:
    """All pages, NAME.html each."""
    out.mkdir(parents=True, exist_ok=True)
    for name, recorded in read(root).items():
        ended = processes.run([player, *recorded.flags, "--headless", "--export", out / f"{name}.html"],
                              stdout=processes.PIPE, text=True)
        if ended.status != 0:
            raise Failure(f"the recording {name!r} ended with {ended.exit_status}: {shlex.join(recorded.flags)}")
