"""How far a check has got, in a file that the viewer's page reads (docs/live-wire.md, "The progress of a check").

A model's program writes the file itself (--progress). For all structures Bazel's build events are followed.
"""

import json
import pathlib
import re
import tempfile
import threading
import time
from typing import Sequence

from nowait.test.results import read_log

FILE = pathlib.Path("out/check/progress.json")
TURN = 0.5  # seconds between two looks at the events
EXECUTIONS = re.compile(r"^  \S+ +(?:all )?([\d,]+) executions\b", re.MULTILINE)


def beside(arguments: Sequence[str]) -> list[str]:
    """Flags of a model's program, where the caller names no file: a file that cannot be written is left out."""
    if any(argument.partition("=")[0] == "--progress" for argument in arguments) or not _prepare(FILE):
        return []
    return ["--progress", str(FILE)]


def _prepare(file: pathlib.Path) -> bool:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=file.parent):
            return True
    except OSError:
        return False


class Watch:
    """Follows a file of build events while the block runs; within it, end() names the result.

    events: Bazel writes it; a test's logs are read when it has ended. tests: how many are to run.
    """

    def __init__(self, events: pathlib.Path, tests: int, file: pathlib.Path = FILE) -> None:
        self._events = events
        self._file = file if _prepare(file) else None
        self._place = 0
        self._rest = b""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._state = {"schema": "nowait.check_progress", "version": 1, "what": "all structures", "state": "running",
                       "begun_unix_ms": _now(), "written_unix_ms": 0, "unit": "tests", "all": tests, "done": 0,
                       "failed": 0, "executions": 0, "current": None, "last": ""}

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """What is called running here was interrupted."""
        self._stop.set()
        self._thread.join()
        self._read()
        if self._state["state"] == "running":
            self._state["state"] = "interrupted"
        self._write()

    def end(self, good: bool) -> None:
        self._state["state"] = "passed" if good else "failed"

    def _follow(self) -> None:
        while True:
            self._read()
            self._write()
            if self._stop.wait(TURN):
                return

    def _read(self) -> None:
        try:
            with self._events.open("rb") as events:
                events.seek(self._place)
                new = events.read()
        except OSError:
            return  # Bazel has not begun
        self._place += len(new)
        *lines, self._rest = (self._rest + new).split(b"\n")
        for line in lines:
            try:
                self._note(json.loads(line))
            except ValueError:
                continue  # of a Bazel that was killed

    def _note(self, event: dict) -> None:
        if "testResult" in event:
            log = read_log(event["testResult"])
            self._state["executions"] += sum(int(it.replace(",", "")) for it in EXECUTIONS.findall(log))
        elif "testSummary" in event:
            self._state["done"] += 1
            self._state["failed"] += event["testSummary"].get("overallStatus") not in ("PASSED", "FLAKY")
            self._state["last"] = event["id"]["testSummary"]["label"]

    def _write(self) -> None:
        """Replaces the file; a check is worth more than its display, so an error ends the display alone."""
        if self._file is None:
            return
        self._state["written_unix_ms"] = _now()
        new = self._file.with_suffix(".new")
        try:
            new.write_text(json.dumps(self._state) + "\n", encoding="utf-8")
            new.replace(self._file)
        except OSError:
            self._file = None


def _now() -> int:
    return round(1000 * time.time())
