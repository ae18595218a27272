"""Figures of others that were measured outside this repository, docs/outside.json, as tables."""

import json
import pathlib
from typing import Any

from nowait.errors import Failure
from nowait.record.places import OUTSIDE

_NEEDED = {"peer": str, "version": (str, type(None)), "settings": (str, type(None)), "date": (str, type(None)),
           "source": str, "figures": list}
_FIGURE = {"quantity": str, "there": str, "here": (str, type(None))}
UNKNOWN = "not recorded"


def read(root: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Each set of figures by its name. A field that is not known is null."""
    try:
        found = json.loads((root / OUTSIDE).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise Failure(f"{OUTSIDE}:{error.lineno}: is not JSON: {error.msg}") from None
    except (OSError, UnicodeDecodeError):
        raise Failure(f"{OUTSIDE}:1: cannot be read") from None
    if not isinstance(found, dict):
        raise Failure(f"{OUTSIDE}:1: is not an object")
    for name, entry in found.items():
        if not _has(entry, _NEEDED) or not entry["figures"]:
            raise Failure(f"{OUTSIDE}:1: {name!r} has {', '.join(_NEEDED)}")
        if not all(_has(figure, _FIGURE) for figure in entry["figures"]):
            raise Failure(f"{OUTSIDE}:1: a figure of {name!r} has {', '.join(_FIGURE)}")
    return found


def _has(entry: Any, kinds: dict[str, Any]) -> bool:
    return (isinstance(entry, dict) and set(entry) == set(kinds)
            and all(isinstance(entry[key], kind) for key, kind in kinds.items()))


def table(entry: dict[str, Any]) -> list[str]:
    """A row for each figure, and below it what is known of the measurement."""
    ours = any(figure["here"] is not None for figure in entry["figures"])
    rows = [["", entry["peer"], *(["here"] if ours else [])]]
    rows += [[figure["quantity"], figure["there"], *([figure["here"] or ""] if ours else [])]
             for figure in entry["figures"]]
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    facts = [f"{key}: {entry[key] or UNKNOWN}" for key in ("version", "settings", "date", "source")]
    return [*lines, "", *(f"- {fact}" for fact in facts)]
