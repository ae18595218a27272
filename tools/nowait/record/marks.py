"""The marks in texts: comments that neither GitHub nor the course shows.

    all <!-- run:union-find.two-by-one -->76<!-- /run --> executions     a figure; with :words behind it, in words
    <!-- run:union-find.listing -->                                      alone on a line: the lines of the fence below
    <!-- run:models.structures -->                                       alone on a line: the lines up to
    <!-- /run -->
    <!-- outside:jolt-mix -->                                            likewise: a table from docs/outside.json, up to
    <!-- /outside -->
"""

import dataclasses
import pathlib
import re
from typing import Iterator

from nowait.errors import Failure

_BEGIN = re.compile(r"<!-- (?P<source>run|outside):(?P<name>[a-z0-9-]+)(?:\.(?P<value>[a-z0-9_-]+))?(?P<words>:words)? -->")
_END = re.compile(r"<!-- /(run|outside) -->")
_LIKE = re.compile(r"<!--\s*/?\s*(?:run|outside)\b")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
FOLDERS = ("docs", "lectures", "models", "src", "tests", "third_party")


@dataclasses.dataclass(frozen=True)
class Mark:
    """A mark with what it encloses: text[begin:end]. whole: whole lines. fence: the lines of a fenced block."""

    line: int
    source: str
    name: str
    value: str
    in_words: bool
    begin: int
    end: int
    whole: bool = False
    fence: bool = False


def texts(root: pathlib.Path) -> list[str]:
    """The texts that may have marks: paths from the root."""
    found = list(root.glob("*.md"))
    for folder in FOLDERS:
        found += (root / folder).glob("**/*.md")
    return sorted(str(path.relative_to(root)) for path in found)


def read(path: str, text: str) -> list[Mark]:
    """All marks of a text. One that is not whole is a failure."""
    return list(_Reader(path, text).marks())


def removed(text: str) -> str:
    """The text without its marks, line by line as long as before."""
    out = []
    for line, in_fence in _lines(text):
        out.append(line if in_fence else _outside_of_code(line, lambda part: _END.sub("", _BEGIN.sub("", part))))
    return "".join(out)


def _outside_of_code(line: str, change) -> str:
    out, at = [], 0
    for code in _CODE.finditer(line):
        out += [change(line[at:code.start()]), code[0]]
        at = code.end()
    return "".join([*out, change(line[at:])])


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line with its end, and whether it belongs to a fenced block."""
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            yield line, True
            if mark and mark[1].startswith(fence) and not line.strip().strip(mark[1][0]):
                fence = ""
        else:
            fence = mark[1] if mark else ""
            yield line, bool(fence)


class _Reader:
    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, text
        self._lines = list(_lines(text))
        self._starts = [0]
        for line, _ in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def _fail(self, i: int, words: str):
        raise Failure(f"{self._path}:{i + 1}: {words}")

    def marks(self) -> Iterator[Mark]:
        i = 0
        while i < len(self._lines):
            line, in_fence = self._lines[i]
            if in_fence:
                i += 1
                continue
            begin = _BEGIN.fullmatch(line.strip())
            if begin is None:
                yield from self._inline(i, line)
                i += 1
                continue
            if i + 1 < len(self._lines) and self._lines[i + 1][1] and begin["source"] == "run":
                end = self._end_of_fence(i + 1)
                yield self._mark(i, begin, self._starts[i + 2], self._starts[end], whole=True, fence=True)
                i = end + 1
                continue
            end = self._end_of_lines(i, begin["source"])
            yield self._mark(i, begin, self._starts[i + 1], self._starts[end], whole=True)
            i = end + 1

    def _mark(self, i: int, begin: re.Match, start: int, end: int, whole: bool = False, fence: bool = False) -> Mark:
        if (begin["value"] is None) != (begin["source"] == "outside"):
            self._fail(i, f"the mark {begin[0]} is not of the form run:NAME.VALUE or outside:NAME")
        return Mark(i + 1, begin["source"], begin["name"], begin["value"] or "", bool(begin["words"]), start, end,
                    whole, fence)

    def _end_of_fence(self, i: int) -> int:
        """The index of the line that ends the fence which line i begins."""
        opening = _FENCE.match(self._lines[i][0])[1]
        for end in range(i + 1, len(self._lines)):
            if self._lines[end][0].strip().startswith(opening):
                return end
        self._fail(i, "the block below the mark does not end")

    def _end_of_lines(self, i: int, source: str) -> int:
        for end in range(i + 1, len(self._lines)):
            line, in_fence = self._lines[end]
            if in_fence:
                break
            if line.strip() == f"<!-- /{source} -->":
                return end
            if _LIKE.search(_outside_of_code(line, lambda part: part)) and not in_fence:
                break
        self._fail(i, f"the mark has no <!-- /{source} --> below it")

    def _inline(self, i: int, line: str) -> Iterator[Mark]:
        codes = [code.span() for code in _CODE.finditer(line)]
        at = 0
        while found := _LIKE.search(line, at):
            inside = next((end for start, end in codes if start <= found.start() < end), None)
            if inside is not None:
                at = inside
                continue
            begin = _BEGIN.match(line, found.start())
            end = _END.search(line, begin.end()) if begin else None
            between = line[begin.end():end.start()] if end else ""
            if begin is None or end is None or end[1] != begin["source"] or _LIKE.search(between):
                self._fail(i, "a mark is <!-- run:NAME.VALUE -->figure<!-- /run -->")
            if begin["source"] == "outside":
                self._fail(i, "a mark of docs/outside.json is alone on its line")
            yield self._mark(i, begin, self._starts[i] + begin.end(), self._starts[i] + end.start())
            at = end.end()
