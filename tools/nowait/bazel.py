"""The one way to call Bazel, with the surroundings that it expects."""

import getpass
import os
import pathlib
import shutil
import sys
from typing import Callable, Iterator, Sequence

from nowait import processes
from nowait.checkout import ROOT
from nowait.errors import Failure

INTERRUPTED = 8  # Bazel's status when somebody stopped it
NO_ANSWER = 34  # Bazel's status when what it needs from the network does not come
QUIET = ("--noshow_progress", "--ui_event_filters=-info")


def environment() -> dict[str, str]:
    """Bazel names its directory after the user and puts it into the home: a container may have neither."""
    try:
        user = os.environ.get("USER") or getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    home = os.environ.get("HOME", "")
    if not os.path.isdir(home) or not os.access(home, os.W_OK):
        home = str(ROOT / ".nowait")
    pathlib.Path(home).mkdir(parents=True, exist_ok=True)
    return os.environ | {"USER": user, "HOME": home}


def progress() -> list[str]:
    """Flags: a moving display on a terminal, a line now and then elsewhere."""
    shown = ["--color=auto"] if sys.stderr.isatty() else ["--show_progress_rate_limit=15", "--color=no"]
    return [*shown, "--show_result=0", "--noshow_loading_progress", "--ui_event_filters=-info"]


def _command(arguments: Sequence[object], startup: Sequence[str]) -> list[object]:
    if shutil.which("bazel") is None:
        raise Failure("bazel is missing; ./nowait setup installs it")
    return ["bazel", *startup, *arguments]


def call(arguments: Sequence[object], startup: Sequence[str] = (), **how) -> processes.Ended:
    """Bazel in the foreground; how: as for processes.run()."""
    return processes.run(_command(arguments, startup), env=environment(), **how)


def start(arguments: Sequence[object], startup: Sequence[str] = (), **how) -> processes.Child:
    """Bazel beside what goes on here; how: as for processes.Child()."""
    return processes.Child(_command(arguments, startup), env=environment(), **how)


def build(*labels: str, flags: Sequence[str] = ("--config=opt",), otherwise: str) -> None:
    """Builds them; `otherwise` is the line when that fails."""
    if try_build(*labels, flags=flags) != 0:
        raise Failure(otherwise)


def try_build(*labels: str, flags: Sequence[str]) -> int:
    """Bazel's status."""
    return _status(["build", *flags, *progress(), *labels])


def test(*labels: str, flags: Sequence[object],
         filtered: Callable[[Iterator[str]], Iterator[str]] | None = None) -> int:
    """Bazel's status. filtered: its output passes through this function to stdout."""
    arguments = ["test", *flags, *progress(), *labels]
    if filtered is None:
        return _status(arguments)
    with processes.running(_command(arguments, ()), env=environment(), stdout=processes.PIPE, stderr=processes.STDOUT,
                           text=True, errors="replace") as child:
        for line in filtered(child.lines()):
            print(line, end="", flush=True)
        return child.wait().status


def _status(arguments: Sequence[object]) -> int:
    status = call(arguments).status
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    return status


def query(expression: str) -> list[str]:
    """Labels; an empty list if Bazel cannot say."""
    ended = call(["query", "--noshow_progress", "--ui_event_filters=-info,-stderr", expression],
                 stdout=processes.PIPE, text=True)
    return ended.output.split()


def query_to(path: pathlib.Path, expression: str) -> bool:
    """Writes the answer as XML into a file. Returns False if the query fails; Bazel has printed the reason."""
    with path.open("w", encoding="utf-8") as out:
        return call(["query", "--output=xml", *QUIET, expression], stdout=out).status == 0


def targets_tagged(tag: str, kind: str = ".*_test") -> list[str]:
    """The targets below tests/ that have the tag; tests, if nothing else is asked for."""
    return query(f"kind('{kind}', attr('tags', '\\b{tag}\\b', //tests/...))")


def program(label: str) -> str:
    """Where Bazel puts a program of the configuration opt."""
    return f".bazel/bin/{label.removeprefix('//').replace(':', '/')}"
