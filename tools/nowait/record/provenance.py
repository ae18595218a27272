"""Where a run was made: the commit, the date and the machine. No name of a host, of a user or of a folder."""

import datetime
import os
import pathlib
import re

from nowait import processes
from nowait.errors import Failure

# A run depends on these. A changed text does not count.
_SOURCES = ("src", "models", "tests", "tools", "lectures", "third_party", "assets", ":!*.md", ":!tools/nowait/record",
            ":!tests/record")


def _said(command: list[object]) -> str:
    ended = processes.run(command, stdout=processes.PIPE, stderr=processes.DEVNULL, text=True, errors="replace")
    return ended.output.strip() if ended.status == 0 else ""


def commit(root: pathlib.Path) -> tuple[str, bool]:
    """The commit, and whether the sources have changes besides."""
    found = _said(["git", "-C", root, "rev-parse", "HEAD"])
    if not re.fullmatch(r"[0-9a-f]{40,64}", found):
        raise Failure("record: git does not say which commit this is, and a record carries it")
    return found, bool(_said(["git", "-C", root, "status", "--porcelain", "--", *_SOURCES]))


def today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def machine() -> dict[str, str | int]:
    """The processor, how many of its cores there are, the memory and the compiler."""
    cpu = re.search(r"^model name\s*:\s*(.*)$", _text("/proc/cpuinfo"), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+) kB$", _text("/proc/meminfo"), re.MULTILINE)
    compiler = re.search(r"\d+\.\d+\.\d+", _said(["g++", "-dumpfullversion"]))
    return {"cpu": cpu[1].strip() if cpu else "unknown", "cores": os.cpu_count() or 0,
            "memory_gib": round(int(memory[1]) / 2**20) if memory else 0,
            "compiler": f"g++ {compiler[0]}" if compiler else "unknown"}


def _text(path: str) -> str:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def load() -> float:
    """How many programs want to run, on average of the last minute."""
    return os.getloadavg()[0]
