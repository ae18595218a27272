"""The declared recordings, docs/runs/recordings.toml: the commands, and the values that are kept of their output."""

import dataclasses
import pathlib
import re
import shlex
import tomllib
from typing import Any, NoReturn

from nowait.errors import Failure
from nowait.record.places import DECLARED

NAME = re.compile(r"[a-z][a-z0-9-]*")
KEY = re.compile(r"[a-z0-9][a-z0-9_-]*")
# A record has these of its own, so no value is called so.
FIELDS = ("command", "commit", "date", "machine")
_KNOWN = {"name", "command", "reads", "status", "repetitions", "quiet", "hide", "values", "blocks"}
_HIDE = {"check": (r"[0-9]+\.[0-9]+(?= s\b)",)}  # the times of searches: they differ from run to run


@dataclasses.dataclass(frozen=True)
class Chunk:
    """Lines of a block that follow each other in the output: the first one that has the text, and how many.

    lines: 0, up to the next empty line.
    """

    from_: str
    lines: int


@dataclasses.dataclass(frozen=True)
class Recording:
    """command: as a reader types it. reads: a file that it writes, in place of its output. status: its exit status.

    quiet: it prints times, so it wants a machine that does nothing else. hide: patterns of what a block leaves out.
    """

    name: str
    command: str
    reads: str = ""
    status: int = 0
    repetitions: int = 1
    quiet: bool = False
    hide: tuple[re.Pattern, ...] = ()
    values: dict[str, re.Pattern] = dataclasses.field(default_factory=dict)
    blocks: dict[str, tuple[Chunk, ...]] = dataclasses.field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The command, as it is run."""
        return shlex.split(self.command)


def read(root: pathlib.Path) -> dict[str, Recording]:
    """All of them, by name. A mistake is one line with its place."""
    path = root / DECLARED
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Failure(f"{DECLARED}:1: cannot be read") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise Failure(f"{DECLARED}:{line[1] if line else 1}: {str(error).partition(' (at')[0]}") from None
    return _Reader(text).read(table)


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = [i for i, line in enumerate(text.splitlines(), 1) if line.strip() == "[[recording]]"]
        self._line = 1

    def _fail(self, words: str) -> NoReturn:
        raise Failure(f"{DECLARED}:{self._line}: {words}")

    def read(self, table: dict[str, Any]) -> dict[str, Recording]:
        entries = table.get("recording", [])
        if set(table) - {"recording"} or not isinstance(entries, list):
            self._fail("knows [[recording]] only")
        found: dict[str, Recording] = {}
        for i, entry in enumerate(entries):
            self._line = self._lines[i] if i < len(self._lines) else 1
            recording = self._one(entry)
            if recording.name in found:
                self._fail(f"the recording {recording.name!r} is there twice")
            found[recording.name] = recording
        return found

    def _one(self, entry: dict[str, Any]) -> Recording:
        for key in entry:
            if key not in _KNOWN:
                self._fail(f"a recording knows no {key!r}")
        for key, kind in (("reads", str), ("status", int), ("repetitions", int), ("quiet", bool), ("values", dict),
                          ("blocks", dict), ("hide", (str, list))):
            if key in entry and not isinstance(entry[key], kind):
                self._fail(f"{key!r} is of the wrong kind")
        name, command = entry.get("name"), entry.get("command")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            self._fail("a recording wants a name in lower-case-with-dashes")
        try:
            words = shlex.split(command) if isinstance(command, str) else []
        except ValueError:
            words = []
        if not words:
            self._fail(f"{name}: the command is missing or cannot be read")
        if entry.get("repetitions", 1) < 1:
            self._fail(f"{name}: it is run at least once")
        values = {key: self._pattern(name, key, words) for key, words in entry.get("values", {}).items()}
        blocks = {key: self._chunks(name, key, chunks) for key, chunks in entry.get("blocks", {}).items()}
        if not values and not blocks:
            self._fail(f"{name}: it keeps nothing of the output")
        for key in [*values, *blocks]:
            if not KEY.fullmatch(key) or key in FIELDS or (key in values and key in blocks):
                self._fail(f"{name}: {key!r} is no name for a value of its own")
        return Recording(name, command, entry.get("reads", ""), entry.get("status", 0), entry.get("repetitions", 1),
                         entry.get("quiet", False), self._hidden(name, entry.get("hide", [])), values, blocks)

    def _hidden(self, name: str, hide: str | list) -> tuple[re.Pattern, ...]:
        if isinstance(hide, str):
            if hide not in _HIDE:
                self._fail(f"{name}: hide knows no {hide!r}")
            hide = list(_HIDE[hide])
        return tuple(self._compiled(name, "hide", words) for words in hide)

    def _pattern(self, name: str, key: str, words: Any) -> re.Pattern:
        pattern = self._compiled(name, key, words)
        if pattern.groups != 1:
            self._fail(f"{name}: the pattern of {key!r} has one group, which is the value")
        return pattern

    def _compiled(self, name: str, key: str, words: Any) -> re.Pattern:
        try:
            return re.compile(words, re.MULTILINE)
        except (re.error, TypeError):
            self._fail(f"{name}: the pattern of {key!r} is no pattern")

    def _chunks(self, name: str, key: str, chunks: Any) -> tuple[Chunk, ...]:
        found = []
        for chunk in chunks if isinstance(chunks, list) else [None]:
            if (not isinstance(chunk, dict) or set(chunk) - {"from", "lines"} or not isinstance(chunk.get("from"), str)
                    or not isinstance(chunk.get("lines", 1), int) or chunk.get("lines", 1) < 0):
                self._fail(f'{name}: the block {key!r} is a list of {{from = "text", lines = N}}')
            found.append(Chunk(chunk["from"], chunk.get("lines", 1)))
        if not found:
            self._fail(f"{name}: the block {key!r} is empty")
        return tuple(found)
