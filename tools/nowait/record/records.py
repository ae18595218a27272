"""The records, docs/runs/NAME.json: what a run printed, and where, when and from which sources."""

import dataclasses
import json
import os
import pathlib
import tempfile

from nowait.errors import Failure
from nowait.record.places import record_of
from nowait.record.recordings import FIELDS

_MACHINE = {"cpu": str, "cores": int, "memory_gib": int, "compiler": str}


@dataclasses.dataclass(frozen=True)
class Record:
    """changed: the sources had changes that the commit does not have."""

    recording: str
    command: str
    commit: str
    changed: bool
    date: str
    machine: dict[str, str | int]
    values: dict[str, str]
    blocks: dict[str, list[str]]

    def field(self, key: str) -> str | None:
        """What a mark may name besides the values."""
        if key not in FIELDS:
            return None
        if key == "machine":
            cores = self.machine["cores"]
            return (f"{self.machine['cpu']}, {cores} {'core' if cores == 1 else 'cores'}, "
                    f"{self.machine['memory_gib']} GiB, {self.machine['compiler']}")
        return {"command": self.command, "commit": self.commit[:8], "date": self.date}[key]


def read(root: pathlib.Path, name: str) -> Record | None:
    """None if there is no such record. One that cannot be read is a failure, in one line."""
    place = record_of(name)
    try:
        found = json.loads((root / place).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except json.JSONDecodeError as error:
        raise Failure(f"{place}:{error.lineno}: is not JSON: {error.msg}") from None
    except (OSError, UnicodeDecodeError):
        raise Failure(f"{place}:1: cannot be read") from None
    kinds = {field.name: field.type for field in dataclasses.fields(Record)}
    if not isinstance(found, dict) or set(found) != set(kinds):
        raise Failure(f"{place}:1: a record has {', '.join(kinds)}")
    record = Record(**found)
    good = (record.recording == name and isinstance(record.changed, bool) and isinstance(record.machine, dict)
            and all(isinstance(found[key], str) for key in ("command", "commit", "date"))
            and set(record.machine) == set(_MACHINE)
            and all(isinstance(record.machine[key], kind) for key, kind in _MACHINE.items())
            and isinstance(record.values, dict) and isinstance(record.blocks, dict)
            and all(isinstance(value, str) for value in record.values.values())
            and all(isinstance(block, list) and all(isinstance(line, str) for line in block)
                    for block in record.blocks.values()))
    if not good:
        raise Failure(f"{place}:1: is not a record of {name!r}")
    return record


def write(root: pathlib.Path, record: Record) -> None:
    """Whole or not at all."""
    write_whole(root / record_of(record.recording),
                json.dumps(dataclasses.asdict(record), indent=1, ensure_ascii=False) + "\n")


def write_whole(path: pathlib.Path, text: str) -> None:
    """A file that is there is replaced at once; an interrupted write leaves it as it was."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException:
        pathlib.Path(name).unlink(missing_ok=True)
        raise
