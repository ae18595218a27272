"""Code as HTML, with Pygments' names for the classes; the style gives them colours."""

import functools
import html
import pathlib
import re

import pygments
from pygments import lexers
from pygments.formatters import HtmlFormatter
from pygments.util import ClassNotFound


def _format(text, lexer):
    return pygments.highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")


def block(text, language):
    try:
        lexer = lexers.get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return html.escape(text)
    return _format(text, lexer)


def console(text):
    """What one types stands out from what is printed."""
    def mark(line):
        escaped = html.escape(line)
        typed = re.fullmatch(r"\$ (.*?)(\s+# .*)?", escaped)
        if not typed:
            return escaped
        remark = f'<span class="c">{typed[2]}</span>' if typed[2] else ""
        return f'<span class="prompt">$ </span><b>{typed[1]}</b>{remark}'
    return "\n".join(mark(line) for line in text.split("\n"))


def numbered(text, name):
    """A whole file as lines, each an anchor."""
    suffix = pathlib.PurePath(name).suffix
    return _format(text, _lexer_of("file" + suffix if suffix else name)).split("\n")


@functools.cache  # to look for one takes as long as to use it
def _lexer_of(name):
    if name.endswith((".h", ".cc")):
        return lexers.get_lexer_by_name("cpp", stripnl=False)
    try:
        return lexers.get_lexer_for_filename(name, stripnl=False)
    except ClassNotFound:
        return lexers.get_lexer_by_name("text", stripnl=False)
