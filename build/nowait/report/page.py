"""The report's two files, index.html and report.md: the same content through two templates."""

import pathlib

import jinja2

from meaning import MEANING
from structures import FATES
from table import HEADINGS, cells

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
    return found


def cell(text):
    """Text in a cell of a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def code_breaks(text):
    """A long name may be broken after its colons."""
    escaped = jinja2.utils.markupsafe.escape(text)
    return jinja2.utils.markupsafe.Markup(str(escaped).replace(":", ":<wbr>").replace("_", "_<wbr>"))


def caveats(structures):
    """Each gap once, with the structures whose searches have it."""
    found = {}
    for structure in structures:
        for gap in structure.gaps:
            _, names = found.setdefault(gap["words"], (gap["rows"], []))
            names.append(structure.name)
    return [{"words": words, "rows": rows,
             "structures": "all" if len(names) == len(structures) else ", ".join(names)}
            for words, (rows, names) in found.items()]
