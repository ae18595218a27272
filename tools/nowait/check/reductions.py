"""check --reductions: what each reduction of the search of every execution saves (models/kit/exhaustive/README.md).

Runs scenarios with all reductions, without each of them, and without any, by one process each, and prints a table of
the executions examined and of those that end in a wait. A search that is not finished in time says so.
"""

import dataclasses
import json
import pathlib
import subprocess
import tempfile
from typing import Sequence

from nowait import bazel, processes
from nowait.arguments import Parser, no_arguments, unknown_argument
from nowait.check.models import Models, name_of
from nowait.errors import Failure, Usage, note

USAGE = """usage: ./nowait check --reductions [STRUCTURE SCENARIO] [flags]
  --seconds N   for each search (default: 300)
"""
# Names and looks multiply the executions of the first two, and tries those of the others.
SCENARIOS = (
    ("job_list", "3x3"),
    ("job_list", "4x1"),
    ("event_count", "two_wakers"),
    ("bounded_queue", "in_and_out_2"),
    ("job_list_registry", "two_visitors"),
    ("union_find", "3x2"),
)
# The searches, by their column. Each examines the executions that the reduction would leave out.
SEARCHES = {
    "all reductions": "graphs",
    "every name": "graphs+names",
    "every look": "graphs+looks",
    "every try": "graphs+tries",
    "none": "graphs+tries+names+looks",
}


@dataclasses.dataclass(frozen=True)
class Counted:
    """What one search has visited."""

    executions: int
    waits: int
    finished: bool

    def __str__(self) -> str:
        return f"{'' if self.finished else 'more than '}{self.executions:,} + {self.waits:,}"


def main(arguments: Sequence[str]) -> int:
    parser = Parser("check --reductions", USAGE)
    parser.add("--seconds", needs="a number", default="300")
    options, words = parser.parse_known_args(arguments)
    if not options.seconds.isdecimal() or not 1 <= int(options.seconds) <= 3600:
        raise Usage(f'check --reductions: --seconds "{options.seconds}" is not a number from 1 to 3600')
    for word in words:
        if word.startswith("-"):
            raise unknown_argument("check --reductions", word)
    if len(words) == 1:
        raise Usage(f"check --reductions: {words[0]} needs a scenario behind it")
    no_arguments("check --reductions", words[2:])
    scenarios = [tuple(words)] if words else SCENARIOS
    models = Models.prepared()
    for structure, _ in scenarios:
        models.require_known(structure)
    labels = {name_of(label): label for label in models.labels}
    bazel.build(*{labels[structure] for structure, _ in scenarios}, otherwise="the models do not build")
    rows = []
    for structure, scenario in scenarios:
        note(f"{structure} {scenario}")
        program = bazel.program(labels[structure])
        rows.append((f"{structure} `{scenario}`",
                     [count(program, scenario, search, options.seconds) for search in SEARCHES.values()]))
    print("\n".join(table(rows)))
    return 0


def count(program: str, scenario: str, search: str, seconds: str) -> Counted:
    """Runs one search."""
    with tempfile.TemporaryDirectory() as scratch:
        results = pathlib.Path(scratch) / "results.json"
        status = processes.run(
            [program, "--scenario", scenario, "--search", search, "--jobs", "1", "--seconds", seconds, "--json", results,
             "--save", pathlib.Path(scratch) / "saved"], stdout=subprocess.DEVNULL).exit_status
        if not results.is_file():
            raise Failure(f"check --reductions: {scenario} was not searched")
        return counted(json.loads(results.read_text(encoding="utf-8")), search, status)


def counted(results: dict, search: str, status: int) -> Counted:
    """Reads the results of a program that ended with this status."""
    scenario, = results["scenarios"]
    found, = scenario["searches"]
    if "failure" in found:
        raise Failure(f"check --reductions: {scenario['name']} fails with --search {search}")
    if found["exhausted"] != (status == 0):
        raise Failure(f"check --reductions: {scenario['name']} ended with {status} with --search {search}")
    return Counted(found["executions"], found["omitted"]["blocked"], found["exhausted"])


def table(rows: Sequence[tuple[str, Sequence[Counted]]]) -> list[str]:
    """As Markdown. A count that a reduction does not change stands in the first column alone."""
    lines = [f"| scenario | {' | '.join(SEARCHES)} |", "|---" * (len(SEARCHES) + 1) + "|"]
    for name, (least, *others) in rows:
        cells = [str(least), *("same" if other == least else str(other) for other in others)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines
