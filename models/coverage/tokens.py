"""C++ source as tokens with their places: comments gone, literals opaque, directives apart.

Enough of the language to find calls in it. Columns are counted in bytes from 1, as g++ counts them.
"""

import re
from typing import NamedTuple


class Token(NamedTuple):
    text: str
    line: int
    column: int
    kind: str  # name, number, literal, sign or directive (a whole line of the preprocessor)


_PATTERN = re.compile(
    r"""(?P<space>[ \t\r\n\f\v]+|\\\r?\n)
      | (?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\ \t\n]{0,16})\(.*?\)(?P=mark)")
      | (?P<literal>(?:u8|[uUL])?(?:"(?:[^"\\\n]|\\.|\\\n)*"|'(?:[^'\\\n]|\\.)+'))
      | (?P<number>\.?[0-9](?:'?[0-9A-Za-z_]|\.|(?<=[eEpP])[+-])*)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign>::|->\*?|[-+*/%^&|!=<>]=|&&|\|\||\+\+|--|\.\.\.|<<|[][(){}<>;:,.?~!+*/%^&|=#@$`\\-])
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\/]|\\\n|\\.|/(?!/|\*)|/\*.*?\*/)*", re.DOTALL)


class CannotRead(Exception):
    """The source here is not understood: better no answer than a wrong one."""


def tokenise(text):
    """The tokens of `text`, which was read with one character a byte (latin-1)."""
    tokens = []
    line, line_start, position = 1, 0, 0
    at_line_start = True
    while position < len(text):
        match = _DIRECTIVE.match(text, position) if at_line_start else None
        kind = "directive" if match else None
        if match is None:
            match = _PATTERN.match(text, position)
            if match is None:
                raise CannotRead(f"{line}: cannot be read from {text[position : position + 20]!r} on")
            kind = match.lastgroup
        piece = match.group()
        if kind in ("raw", "mark"):
            kind = "literal"
        if kind not in ("space", "comment"):
            shown = piece.strip() if kind == "directive" else piece
            tokens.append(Token(shown, line, position - line_start + 1, kind))
        newlines = piece.count("\n")
        at_line_start = (at_line_start and kind in ("space", "comment")) or (
            newlines > 0 and kind == "space" and not piece.startswith("\\")
        )
        if newlines:
            line += newlines
            line_start = position + piece.rindex("\n") + 1
        position = match.end()
    return tokens


def partners(tokens):
    """For each bracket of ( ) [ ] { }, by its index, the index of the other one."""
    closing = {"(": ")", "[": "]", "{": "}"}
    found, unclosed = {}, []
    for i, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in closing:
            unclosed.append(i)
        elif token.text in closing.values():
            if not unclosed or closing[tokens[unclosed[-1]].text] != token.text:
                raise CannotRead(f"{token.line}:{token.column}: {token.text} closes nothing")
            found[i] = unclosed[-1]
            found[unclosed.pop()] = i
    if unclosed:
        token = tokens[unclosed[-1]]
        raise CannotRead(f"{token.line}:{token.column}: {token.text} is not closed")
    return found
