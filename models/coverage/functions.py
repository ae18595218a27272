"""The function definitions of a file of C++ source: their names, parameters and extents.

Lambdas and the functions of local classes belong to the function around them.
"""

from typing import NamedTuple

from tokens import CannotRead

_SCOPES = {"namespace", "class", "struct", "union", "enum", "extern"}
_NOT_NAMES = {"alignas", "decltype", "explicit", "noexcept", "requires"}


class Function(NamedTuple):
    name: str
    parenthesis: int  # index of the one that opens the parameters
    end: int  # index of the brace that ends the body


def after_angles(tokens, partner, i):
    """The index after the template arguments that begin at i."""
    depth = 0
    while i < len(tokens):
        text = tokens[i].text
        if text in ("(", "[", "{"):
            i = partner[i]
        elif text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return i + 1
        elif text == ";":
            break
        i += 1
    raise CannotRead(f"{tokens[i - 1].line}: template arguments without an end")


def find_functions(tokens, partner):
    functions = []
    begin = i = 0  # of the declaration that is being read
    while i < len(tokens):
        token = tokens[i]
        if token.text in ("(", "["):
            i = partner[i]
        elif token.text in (";", "}") or token.kind == "directive":
            begin = i + 1
        elif token.text == "{":
            head = tokens[begin:i]
            if _opens_scope(head):
                begin = i + 1
            else:
                name, parenthesis = _signature(tokens, partner, begin, i)
                if parenthesis is not None and not _initialises_member(tokens, i):
                    functions.append(Function(name, parenthesis, partner[i]))
                    begin = partner[i] + 1
                i = partner[i]
        i += 1
    return functions


def _opens_scope(head):
    """Whether these tokens, before a brace, begin a namespace, a class or the like."""
    angles = 0
    for token in head:
        if token.text == "<":
            angles += 1
        elif token.text == ">":
            angles -= 1
        elif angles == 0 and token.text in ("(", "="):
            return False
        elif angles == 0 and token.text in _SCOPES:
            return True
    return False


def _signature(tokens, partner, begin, end):
    """The name of the function that is declared from `begin` on and the index of its parameters'
    parenthesis, or (None, None) for a variable."""
    i = begin
    while i < end:
        text = tokens[i].text
        if text == "template" and tokens[i + 1].text == "<":
            i = after_angles(tokens, partner, i + 1)
            continue
        if text == "=":
            break
        if text == "operator":
            name = text
            i += 1
            if tokens[i].text == "(":
                name, i = name + "()", i + 2
            while tokens[i].text != "(":
                name, i = name + tokens[i].text, i + 1
            return name, i
        if tokens[i + 1].text == "(" and tokens[i].kind == "name":
            if text not in _NOT_NAMES:
                return text, i + 1
            i = partner[i + 1]
        i += 1
    return None, None


def _initialises_member(tokens, brace):
    """Whether the brace is that of a constructor's `: member{value}`."""
    return tokens[brace - 1].kind == "name" and tokens[brace - 2].text in (",", ":")
