"""The report's two files, index.html and report.md: the same content through two templates."""

import pathlib
import re

import jinja2
import markupsafe

from nowait.check.report.meaning import MEANING
from nowait.check.report.structures import FATES
from nowait.check.report.table import HEADINGS, cells

HERE = pathlib.Path(__file__).resolve().parent


def write_report(everything, passed, failed, good, out):
    content = {
        "everything": everything,
        "structures": everything.structures,
        "passed": passed,
        "failed": failed,
        "verdict": "PASSED" if good else "FAILED",
        "failures": [words for part in [*everything.structures, everything] for words in part.failures],
        "missing": [words for part in [*everything.structures, everything] for words in part.missing],
        "fates": FATES,
        "meaning": MEANING,
        "headings": HEADINGS,
        "cells": cells,
        "caveats": caveats(everything.structures),
        "style": (HERE / "style.css").read_text(encoding="utf-8"),
    }
    out.mkdir(parents=True, exist_ok=True)
    for template, file in (("page.html", "index.html"), ("page.md", "report.md")):
        (out / file).write_text(environment().get_template(template).render(content), encoding="utf-8")


def environment():
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=lambda name: name.endswith(".html"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["cell"] = cell
    found.filters["count"] = lambda number: f"{number:,}"
    found.filters["seconds"] = lambda number: f"{number:.2f}"
    found.filters["code_breaks"] = code_breaks
    found.filters["prose"] = prose
    return found


def cell(text):
    """Text in a cell of a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def code_breaks(text):
    """A long name may be broken after a colon and before a plus."""
    escaped = str(markupsafe.escape(text))
    return markupsafe.Markup(escaped.replace(":", ":<wbr>").replace("+", "<wbr>+"))


def prose(text):
    """A text that a person wrote, with code between backticks."""
    return markupsafe.Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(markupsafe.escape(text))))


def caveats(structures):
    """Each gap once, with the structures whose searches have it, and the scenarios if not all do."""
    found = {}
    for structure in structures:
        for words, (rows, scenarios) in structure.gaps.items():
            in_all = len(scenarios) == len(structure.scenarios)
            _, where = found.setdefault(words, (rows, []))
            where.append((structure.name, None if in_all else scenarios))
    return [{"words": words, "rows": rows, "where": in_words(where, len(structures))}
            for words, (rows, where) in found.items()]


def in_words(where, structures):
    if len(where) == structures and not any(scenarios for _, scenarios in where):
        return "all"
    return "; ".join(name if scenarios is None else f"{name} ({', '.join(scenarios)})"
                     for name, scenarios in where)
