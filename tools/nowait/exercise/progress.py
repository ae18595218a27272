"""What a student has done, in one file of the checkout that git ignores.

    {"schema": 1, "exercises": {"NAME": {"begun": true, "hints": 2, "checks": 5, "asked": 1, "passed": "2026-11-23"}}}

Each change is made under a lock and written whole, to a new file that takes the old one's place. A file that cannot be
read is put aside, never overwritten; one that a newer program has written is left alone.
"""

import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import tempfile

from nowait.errors import Failure

SCHEMA = 1


class ProgressError(Failure):
    """Why there is no progress to go on with, in one line."""

    verb = "exercise: "


@dataclasses.dataclass
class Record:
    begun: bool = False
    hints: int = 0  # shown so far
    checks: int = 0
    asked: int = 0  # for the solution, before a pass
    passed: str = ""  # the day of the first pass

    def words(self, all_hints):
        text = "passed" if self.passed else "begun" if self.begun else "-"
        if self.passed:
            text += " " + self.passed
        if self.hints:
            text += f", {self.hints} of {all_hints} hints"
        return text


def _record(value):
    fields = {field.name: field.type for field in dataclasses.fields(Record)}
    if not isinstance(value, dict) or set(value) - set(fields):
        raise ValueError("an exercise's entry has unknown fields")
    for key, item in value.items():
        if type(item) is not fields[key] or (fields[key] is int and item < 0):
            raise ValueError(f"{key} is {item!r}")
    return Record(**value)


def parse(text):
    """The records by name. ValueError: damaged; ProgressError: of another version."""
    table = json.loads(text)
    if not isinstance(table, dict) or "schema" not in table:
        raise ValueError("no schema in it")
    if table["schema"] != SCHEMA:
        raise ProgressError(f"it has schema {table['schema']!r}, and this program knows {SCHEMA}; nothing was changed")
    if set(table) != {"schema", "exercises"} or not isinstance(table["exercises"], dict):
        raise ValueError("no table of exercises in it")
    return {name: _record(value) for name, value in table["exercises"].items()}


class Progress:
    def __init__(self, path):
        self.path = pathlib.Path(path)

    def records(self):
        """All records by name; a damaged file is put aside and said."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ProgressError(f"{self.path}: {error.strerror}") from None
        try:
            return parse(data.decode("utf-8"))
        except ProgressError as error:
            raise ProgressError(f"{self.path}: {error}") from None
        except ValueError as error:  # JSON's and Unicode's are too
            kept = self._put_aside()
            raise ProgressError(f"{self.path} is damaged ({error}); it is kept as {kept}, and the next call begins "
                                "without it") from None

    def record(self, name):
        return self.records().get(name, Record())

    @contextlib.contextmanager
    def change(self, name):
        """The record of one exercise, to be changed; written when the block ends."""
        with self._lock():
            records = self.records()
            record = records.setdefault(name, Record())
            yield record
            self._write(records)

    def _put_aside(self):
        number = 1
        while True:
            kept = self.path.with_name(f"{self.path.name}.damaged-{number}")
            try:
                os.link(self.path, kept)  # never onto one that is there
            except FileExistsError:
                number += 1
                continue
            self.path.unlink()
            return kept

    @contextlib.contextmanager
    def _lock(self):
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(self.path.with_name(self.path.name + ".lock"), "w", encoding="utf-8")
        except OSError as error:
            raise ProgressError(f"{self.path} cannot be written: {error.strerror}") from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, records):
        table = {"schema": SCHEMA,
                 "exercises": {name: dataclasses.asdict(record) for name, record in sorted(records.items())}}
        try:
            file, scratch = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name + ".")
            try:
                with open(file, "w", encoding="utf-8") as stream:
                    json.dump(table, stream, indent=1)
                    stream.write("\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                os.replace(scratch, self.path)
            except BaseException:
                os.unlink(scratch)
                raise
        except OSError as error:
            raise ProgressError(f"{self.path} cannot be written: {error.strerror}") from None
