"""The texts beside the records: which marked figures differ, and the texts as the records have them."""

import dataclasses
import pathlib

from nowait.errors import Failure
from nowait.record import marks, outside, records
from nowait.record.numbers import in_words
from nowait.record.places import DECLARED, OUTSIDE, RUNS, record_of
from nowait.record.recordings import Recording
from nowait.record.records import Record


@dataclasses.dataclass(frozen=True)
class Difference:
    """A place where a text has another figure than the record."""

    path: str
    mark: marks.Mark
    has: str
    wanted: str

    @property
    def words(self) -> str:
        """One line."""
        what = f"run:{self.mark.name}.{self.mark.value}" if self.mark.value else f"outside:{self.mark.name}"
        place = record_of(self.mark.name) if self.mark.source == "run" else OUTSIDE
        if not self.mark.whole:
            return f"{self.path}:{self.mark.line}: {what} is {self.has!r} here and {self.wanted!r} in {place}"
        has, wanted = self.has.splitlines(), self.wanted.splitlines()
        i = next((i for i, pair in enumerate(zip(has, wanted)) if pair[0] != pair[1]), min(len(has), len(wanted)))
        return (f"{self.path}:{self.mark.line + i + 1 + self.mark.fence}: {what} has {_line(has, i)} here and "
                f"{_line(wanted, i)} in {place}")


def _line(lines: list[str], i: int) -> str:
    return repr(lines[i]) if i < len(lines) else "no such line"


class Texts:
    """All texts of a checkout, with the records that their marks name."""

    def __init__(self, root: pathlib.Path, recordings: dict[str, Recording]) -> None:
        self._root = root
        self._recordings = recordings
        self._records: dict[str, Record | None] = {name: records.read(root, name) for name in recordings}
        self._outside = outside.read(root)

    def complaints(self) -> list[str]:
        """What is wrong with the texts and the records, one line each."""
        found = [f"{record_of(name)}:1: the command of {name!r} in {DECLARED} is another one by now"
                 for name, record in self._records.items()
                 if record is not None and record.command != self._recordings[name].command]
        found += [f"{path.relative_to(self._root)}:1: {DECLARED} has no recording {path.stem!r}"
                  for path in sorted((self._root / RUNS).glob("*.json")) if path.stem not in self._recordings]
        for path in marks.texts(self._root):
            text = self._read(path)
            try:
                found += [difference.words for difference in self._differences(path, text)]
            except Failure as failure:
                found.append(str(failure))
        return found

    def rewrite(self) -> list[str]:
        """Gives every marked figure its record's value. Returns the texts that have changed.

        All texts are read first: a mistake in one leaves all as they were.
        """
        changed = {}
        for path in marks.texts(self._root):
            text = new = self._read(path)
            for difference in reversed(self._differences(path, text)):
                new = new[:difference.mark.begin] + difference.wanted + new[difference.mark.end:]
            if new != text:
                changed[path] = new
        for path, text in changed.items():
            records.write_whole(self._root / path, text)
        return list(changed)

    def marked(self) -> set[tuple[str, str]]:
        """The values that texts name: the recording, and the value."""
        return {(mark.name, mark.value) for path in marks.texts(self._root)
                for mark in marks.read(path, self._read(path)) if mark.source == "run"}

    def _read(self, path: str) -> str:
        try:
            return (self._root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise Failure(f"{path}:1: is not UTF-8") from None

    def _differences(self, path: str, text: str) -> list[Difference]:
        found = []
        for mark in marks.read(path, text):
            has, wanted = text[mark.begin:mark.end], self._wanted(path, mark)
            if has != wanted:
                found.append(Difference(path, mark, has, wanted))
        return found

    def _wanted(self, path: str, mark: marks.Mark) -> str:
        """What the mark has to enclose."""
        where = f"{path}:{mark.line}:"
        if mark.source == "outside":
            if mark.name not in self._outside:
                raise Failure(f"{where} {OUTSIDE} has no {mark.name!r}")
            return "\n".join(outside.table(self._outside[mark.name])) + "\n"
        if mark.name not in self._recordings:
            raise Failure(f"{where} {DECLARED} has no recording {mark.name!r}")
        record = self._records[mark.name]
        if record is None:
            raise Failure(f"{where} there is no record of {mark.name!r}; ./nowait record {mark.name}")
        if mark.whole:
            if mark.value not in record.blocks:
                raise Failure(f"{where} {record_of(mark.name)} has no block {mark.value!r}")
            lines = record.blocks[mark.value]
            return "\n".join([f"$ {record.command}", *lines] if mark.fence else lines) + "\n"
        figure = record.values.get(mark.value) or record.field(mark.value)
        if figure is None:
            raise Failure(f"{where} {record_of(mark.name)} has no value {mark.value!r}")
        if mark.in_words:
            words = in_words(figure)
            if words is None:
                raise Failure(f"{where} {figure!r} has no words: they are for whole numbers below a hundred")
            return words
        return figure
