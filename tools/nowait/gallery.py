"""gallery: a page for each published defect that the models kill, and a front page."""

import dataclasses
import os
import pathlib
import sys
import tempfile
from typing import Sequence

from nowait import bazel, processes
from nowait.arguments import Parser
from nowait.errors import Failure, Usage, note
from nowait.machine import require_cpu
from nowait.packages import require

USAGE = """usage: ./nowait gallery [DIR]   builds the mutants of models/gallery/defects.toml, lets each show its
                                defect, and writes a page for each and index.html (default: out/gallery)
"""
LABEL = "//models/gallery"
DEFAULT = "out/gallery"


@dataclasses.dataclass(frozen=True)
class Page:
    """A page, and the mutant that shows its defect in one scenario. fails: how."""

    name: str
    mutant: str
    scenario: str
    fails: str


def main(arguments: Sequence[str]) -> int:
    parser = Parser("gallery", USAGE)
    parser.add_argument("out", nargs="?", default=DEFAULT)
    print(make(pathlib.Path(parser.parse(arguments).out)) / "index.html")
    return 0


def make(out: pathlib.Path) -> pathlib.Path:
    """Builds the programs and writes all pages."""
    check_target(out)
    require_cpu()
    require("build", "check")
    program = pathlib.Path(bazel.program(f"{LABEL}:gallery"))
    bazel.build(LABEL, otherwise="the gallery does not build")
    pages = read_pages(program)
    bazel.build(*(page.mutant for page in pages), otherwise="the mutants do not build")
    make_pages(pages, program, pathlib.Path(".bazel/bin"), out)
    return out


def check_target(out: pathlib.Path) -> None:
    """A folder that cannot be written is refused before anything is built."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        writable = os.access(out, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise Usage(f"gallery: {out} cannot be written")


def read_pages(program: pathlib.Path) -> list[Page]:
    """The list of the gallery's program."""
    listed = processes.run([program, "--list"], stdout=processes.PIPE, text=True).output
    pages = [Page(*line.split(None, 3)) for line in listed.splitlines()]
    if not pages:
        raise Failure("the list of defects cannot be read")
    return pages


def make_pages(pages: Sequence[Page], program: pathlib.Path, programs: pathlib.Path, out: pathlib.Path) -> None:
    """programs: where Bazel has put the mutants'."""
    with tempfile.TemporaryDirectory() as folder:
        records = pathlib.Path(folder)
        for page in pages:
            _record(page, programs, records / page.name)
            note(page.name)
        if processes.run([program, "--records", records, "--out", out]).status != 0:
            raise Failure("the pages cannot be made")


def _record(page: Page, programs: pathlib.Path, records: pathlib.Path) -> None:
    records.mkdir()
    package, _, name = page.mutant.removeprefix("//").partition(":")
    # The mutant's headers, as they were compiled, stand for those of src.
    shown = processes.run([programs / package / name, "--scenario", page.scenario, "--expect-failure", page.fails,
                           "--counterexamples", records, "--sources", programs / package / "mutants" / name],
                          capture=True)
    if shown.status != 0:
        sys.stderr.write(shown.output)
        raise Failure(f"{page.mutant} does not fail in {page.scenario} as it should: {page.fails}")
