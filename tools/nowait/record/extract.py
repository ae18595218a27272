"""What is kept of a program's output."""

from typing import Sequence

from nowait.errors import Failure
from nowait.record.numbers import median
from nowait.record.recordings import Chunk, Recording

LEFT_OUT = "…"


def values_of(recording: Recording, outputs: Sequence[str]) -> dict[str, str]:
    """Each value; of several outputs the median."""
    found = {}
    for key, pattern in recording.values.items():
        figures = []
        for output in outputs:
            match = pattern.search(output)
            if match is None:
                raise Failure(f"{recording.name}: the output has nothing for {key!r}")
            figures.append(match[1].strip())
        figure = figures[0] if len(figures) == 1 else median(figures)
        if figure is None:
            raise Failure(f"{recording.name}: there is no median of {key!r}, for it is no number")
        found[key] = figure
    return found


def blocks_of(recording: Recording, output: str) -> dict[str, list[str]]:
    """The lines of each block, with `…` where lines of the output are left out."""
    lines = hidden(recording, output)
    return {key: _lines(recording, key, chunks, lines) for key, chunks in recording.blocks.items()}


def hidden(recording: Recording, output: str) -> list[str]:
    """The lines of an output, with `…` for all that changes from run to run."""
    for pattern in recording.hide:
        output = pattern.sub(LEFT_OUT, output)
    return [line.rstrip() for line in output.rstrip("\n").split("\n")]


def _lines(recording: Recording, key: str, chunks: Sequence[Chunk], lines: list[str]) -> list[str]:
    block, at = [], 0
    for chunk in chunks:
        begin = next((i for i in range(at, len(lines)) if chunk.from_ in lines[i]), None)
        if begin is None:
            raise Failure(f"{recording.name}: the output has no line for {chunk.from_!r} of the block {key!r}")
        end = begin + chunk.lines
        if not chunk.lines:
            end = next((i for i in range(begin, len(lines)) if not lines[i]), len(lines))
        if end > len(lines):
            raise Failure(f"{recording.name}: the output ends within the block {key!r}")
        if begin > at and not recording.reads:
            block.append(LEFT_OUT)
        block += lines[begin:end]
        at = end
    if at < len(lines) and not recording.reads:
        block.append(LEFT_OUT)
    return block


def chunks_in(block: Sequence[str]) -> list[list[str]]:
    """The lines of a block that follow each other."""
    found: list[list[str]] = [[]]
    for line in block:
        if line == LEFT_OUT:
            found.append([])
        else:
            found[-1].append(line)
    return [chunk for chunk in found if chunk]


def first_missing(block: Sequence[str], lines: Sequence[str]) -> str | None:
    """The first line of a block with whose chunk the output has nothing in common. Returns None if all are there."""
    at = 0
    for chunk in chunks_in(block):
        place = next((i for i in range(at, len(lines) - len(chunk) + 1) if list(lines[i:i + len(chunk)]) == chunk), None)
        if place is None:
            return next((line for line in chunk if line not in lines), chunk[0])
        at = place + len(chunk)
    return None
