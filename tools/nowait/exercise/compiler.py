"""What Bazel and the compiler say of a build that failed, reduced to what the student needs.

Bazel's stderr has its own lines around each block of the compiler's. A block is kept from its first line to the next
line of Bazel's; beneath an error in the student's file the line itself is shown, which the compiler could not read
under that name.
"""

import pathlib
import re

BLOCK = re.compile(r"^ERROR: .* failed: \(Exit \d+\): .*")
BAZEL = re.compile(r"^(ERROR|FAILED|INFO|WARNING|Target |Loading:|Analyzing:|\(\d\d:\d\d:\d\d\) )")
ADVICE = "Use --"  # on its flags, before the compiler's words
PLACE = re.compile(r"^(exercise/[^:]+):(\d+)(?::(\d+))?: (?:fatal )?error: ")
MOST_LINES = 40


def blocks(stderr):
    """The compiler's own words, a list of lines for each action that failed."""
    found = []
    lines = iter(stderr.splitlines())
    inside = None
    for line in lines:
        if BLOCK.match(line):
            inside = []
            found.append(inside)
        elif BAZEL.match(line):
            inside = None
        elif inside is not None and line.strip() and not line.startswith(ADVICE):
            inside.append(line)
    return [block for block in found if block]


def _source_line(root, place, line):
    try:
        return (pathlib.Path(root) / place).read_text(encoding="utf-8", errors="replace").splitlines()[int(line) - 1]
    except (OSError, IndexError):
        return None


def with_sources(root, lines):
    """The lines, and below each error in a student's file the place."""
    shown = []
    for line in lines:
        shown.append(line)
        if not (place := PLACE.match(line)):
            continue
        source = _source_line(root, place[1], place[2])
        if source is None:
            continue
        shown.append(f"  {place[2]} | {source}")
        if place[3]:
            column = int(place[3])
            indent = "".join("\t" if c == "\t" else " " for c in source[:column - 1])
            shown.append(f"  {' ' * len(place[2])} | {indent}^")
    return shown


def explain(root, stderr):
    """What to print. The same error in several programs is printed once."""
    seen = []
    for block in blocks(stderr):
        if block not in seen:
            seen.append(block)
    if not seen:
        return stderr.strip()
    lines = with_sources(root, seen[0])
    if len(lines) > MOST_LINES:
        lines = lines[:MOST_LINES] + [f"... and {len(lines) - MOST_LINES} more lines; .nowait/exercise.log has all"]
    return "\n".join(lines)
