"""The state of a deep run, which is its report too: one file, DIR/deep.json.

    {"file": "nowait deep run", "version": 1,
     "plan": "9f...",                      one for machines with the same plan of the same programs
     "builds": {"union_find": "1a..."},    SHA-256 of each model's program
     "parts": 4, "part": [2],              which of the parts this is, or are
     "shards": [{"structure": "union_find", "scenario": "3x2", "search": "graphs", "seed": 1,
                 "index": 1, "count": 9,   the shard: plan.py
                 "part": 2,                whose it is
                 "cost": 300.0,            seconds, as planned
                 "status": "waiting",      or "begun", "passed", "failed"
                 "executions": 0, "seconds": 0.0, "fraction": 0.0,
                 "failure": null}],        or {"words": ..., "again": the command that shows it}, and if there
                                           is one "page": where the counterexample is, on its machine
     "digest": "..."}                      SHA-256 of all the rest, as it is written

It is replaced at once, so at any time it is whole; one that has been changed otherwise is refused.
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
import pathlib
import tempfile

from nowait import errors
from nowait.check.deep.plan import Shard

NAME = "deep.json"
STATUSES = ("waiting", "begun", "passed", "failed")
IDENTITY = [field.name for field in dataclasses.fields(Shard)]


class Unusable(errors.Usage):
    """Why a state cannot be used, in one line."""

    verb = "check --deep: "


@dataclasses.dataclass
class Entry:
    """What is known of a shard."""

    shard: Shard
    part: int
    cost: float
    status: str = "waiting"
    executions: int = 0
    seconds: float = 0.0
    fraction: float = 0.0
    failure: dict | None = None

    @property
    def finished(self):
        return self.status in ("passed", "failed")

    def left(self):
        """Seconds, by what was planned and by how far it is."""
        if self.finished:
            return 0.0
        if self.fraction > 0.01:
            return self.seconds * (1 - self.fraction) / self.fraction
        return max(self.cost - self.seconds, 0.1 * self.cost)


@dataclasses.dataclass
class State:
    plan: str
    builds: dict
    parts: int
    part: list
    entries: list

    @property
    def own(self):
        return [entry for entry in self.entries if entry.part in self.part]


def write(folder, state):
    fields = {"file": "nowait deep run", "version": 1, "plan": state.plan, "builds": state.builds,
              "parts": state.parts, "part": state.part,
              "shards": [dataclasses.asdict(entry.shard) |
                         {name: getattr(entry, name) for name in ("part", "cost", "status", "executions", "seconds",
                                                                  "fraction", "failure")}
                         for entry in state.entries]}
    write_whole(pathlib.Path(folder) / NAME, text_of(fields | {"digest": digest_of(fields)}))


def read(folder):
    path = pathlib.Path(folder) / NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Unusable(f"{path} is not there: no deep run has been begun in {folder}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    try:
        fields = json.loads(text)
        if fields["file"] != "nowait deep run":
            raise ValueError
        if fields["version"] != 1:
            raise Unusable(f"{path} was written by another version of ./nowait")
        digest = fields.pop("digest")
        if digest != digest_of(fields) or text != text_of(fields | {"digest": digest}):
            raise ValueError
        return State(fields["plan"], fields["builds"], fields["parts"], fields["part"],
                     [entry_of(shard) for shard in fields["shards"]])
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Unusable(f"{path} is damaged, or no state of a deep run; nothing was changed") from None


def entry_of(fields):
    if fields["status"] not in STATUSES:
        raise ValueError
    return Entry(Shard(**{name: fields.pop(name) for name in IDENTITY}), **fields)


def text_of(fields):
    return json.dumps(fields, indent=1) + "\n"


def digest_of(fields):
    return hashlib.sha256(text_of(fields).encode()).hexdigest()


def write_whole(path, text):
    """Replaces a file at once: at any time it is whole, the old one or the new."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False, encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)  # a report is for others too; a temporary file is not
            os.replace(file.name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(file.name)
            raise


def prepare(folder):
    """Makes the folder, or says why nothing can be kept there."""
    try:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unusable(f"{folder} cannot be written: {error.strerror}") from None


@contextlib.contextmanager
def alone_in(folder):
    """One run at a time: two would each undo what the other has written."""
    with open(pathlib.Path(folder) / "lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unusable(f"another deep run is going on in {folder}") from None
        yield
