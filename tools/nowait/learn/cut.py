"""Cuts: pieces of the repository's files, found by the text of a line, so that they cannot drift."""

import dataclasses

from nowait.learn.complaint import Complaint

_COMMENTS = ("//", "#", "*", "/*")


@dataclasses.dataclass
class Cut:
    path: str
    first: int  # lines count from 1
    last: int
    text: str


def find(root, where, line, path, begin, end=None, comments=True):
    """The cut that `where:line` asks for: from the one line with `begin` to the end of its block, or to `end`."""
    try:
        lines = (root / path).read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise Complaint(where, line, f"there is no file {path} to cut from") from None
    found = [i for i, text in enumerate(lines) if begin in text]
    if not found:
        raise Complaint(where, line, f"no line of {path} has {begin!r}")
    if len(found) > 1:
        numbers = ", ".join(str(i + 1) for i in found[:4])
        raise Complaint(where, line, f"{len(found)} lines of {path} have {begin!r} ({numbers})")
    first = found[0]
    if end is None:
        last = _end_of_block(lines, first)
        if last is None:
            raise Complaint(where, line, f"the block of {begin!r} in {path} does not end")
    else:
        last = next((i for i in range(first, len(lines)) if end in lines[i]), None)
        if last is None:
            raise Complaint(where, line, f"no line of {path} after {begin!r} has {end!r}")
    while comments and first > 0 and lines[first - 1].strip().startswith(_COMMENTS) and not _directive(lines[first - 1]):
        first -= 1
    return Cut(path, first + 1, last + 1, _dedent(lines[first:last + 1]))


def _directive(line):
    return line.strip().startswith(("#include", "#define", "#if", "#endif", "#pragma"))


def _end_of_block(lines, first):
    """The line with the matching brace; or with a `;` outside all braces and brackets, if no brace came before."""
    depth, brackets, opened = 0, 0, False
    for i in range(first, len(lines)):
        for char in _code(lines[i]):
            if char == "{":
                depth, opened = depth + 1, True
            elif char == "}":
                depth -= 1
                if opened and depth == 0 and brackets <= 0:
                    return i
                if depth < 0:
                    return None
            elif char in "([":
                brackets += 1
            elif char in ")]":
                brackets -= 1
            elif char == ";" and depth == 0 and brackets <= 0:
                return i
    return None


def _code(line):
    """A line without its strings, characters and // comment: its braces may be counted."""
    kept, quote, i = [], None, 0
    while i < len(line):
        char = line[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = None
        elif char == '"' or (char == "'" and not (i and line[i - 1].isalnum())):  # 1'000 is a number
            quote = char
        elif line.startswith("//", i):
            break
        else:
            kept.append(char)
        i += 1
    return kept


def _dedent(lines):
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:].rstrip() for line in lines)
