"""The comments of a header that argue for its code, left out: those inside of functions, and the block behind the class
that begins with "Implementation: why this is right". The contracts stay.

A repair begins without them: beside a hole they would say what was there. All functions lose theirs, because a single
one without comments would show where the hole is.
"""

import re

_PIECE = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*(?:.|\n)*?\*/|[{};]|\d[\w\'.]*|\n')
_SCOPE = re.compile(r"(template\s*<.*>\s*)?(inline\s+)?(namespace|class|struct|union|enum)\b", re.DOTALL)
_LABEL = re.compile(r"^\s*(public|private|protected)\s*:\s*")
_DIRECTIVE = re.compile(r"^\s*#.*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^// Implementation: why this is right", re.MULTILINE)


def _opens_a_scope(head: str) -> bool:
    """Whether the `{` behind these words begins a namespace or a class, and no body."""
    return bool(_SCOPE.match(_LABEL.sub("", _DIRECTIVE.sub("", head)).strip()))


def _inside_of_functions(text: str) -> list[tuple[int, int]]:
    """The places of the comments inside of bodies."""
    found = []
    open_braces: list[bool] = []  # of each: whether it is a body's
    head = ""
    end = 0
    for piece in _PIECE.finditer(text):
        head += text[end:piece.start()]
        end = piece.end()
        word = piece[0]
        if word.startswith(("//", "/*")):
            if open_braces and open_braces[-1]:
                found.append(piece.span())
        elif word == "{":
            open_braces.append(bool(open_braces and open_braces[-1]) or not _opens_a_scope(head))
            head = ""
        elif word == "}":
            open_braces.pop()
            head = ""
        elif word == ";":
            head = ""
        else:
            head += word
    return found


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these places; a line that had nothing else goes with them."""
    kept = []
    for number, line in _lines(text):
        cut = line
        for begin, end in reversed(spans):
            begin, end = max(begin - number, 0), min(end - number, len(line) - 1)
            if begin < end:
                cut = cut[:begin] + cut[end:]
        if cut == line:
            kept.append(line)
        elif cut.strip():
            kept.append(cut.rstrip() + "\n")
    return "".join(kept)


def _lines(text: str):
    """(place of its beginning, line with its end)."""
    at = 0
    for line in text.splitlines(True):
        yield at, line
        at += len(line)


def without_arguments(text: str) -> str:
    spans = _inside_of_functions(text)
    for begin in _ARGUMENT.finditer(text):
        end = begin.start()
        while text.startswith("//", end):
            end = text.find("\n", end) + 1 or len(text)
        spans.append((begin.start(), end))
    return re.sub(r"\n{3,}", "\n\n", _without(text, sorted(spans)))


def forget(text: str, beginnings: tuple) -> str:
    """Each of these words and what follows it in its paragraph of a comment, left out. ValueError: not there, or twice."""
    for words in beginnings:
        if text.count(words) != 1:
            raise ValueError(f"{words!r} is {text.count(words)} times in the file")
        at = text.index(words)
        line = text.rindex("\n", 0, at) + 1
        if "//" not in text[line:at]:
            raise ValueError(f"{words!r} is in no comment")
        kept = text[line:at].rstrip()
        end = text.index("\n", at) + 1
        while re.match(r"[ \t]*//[ \t]*\S", text[end:]):
            end = text.index("\n", end) + 1
        text = text[:line] + (kept + "\n" if kept.strip() != "//" else "") + text[end:]
    return text
