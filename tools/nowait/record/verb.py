"""record: runs declared commands anew and keeps what they print; compares the texts with it, and rewrites them."""

import sys
from typing import Sequence

from nowait.arguments import Parser
from nowait.checkout import ROOT
from nowait.errors import FAILED, Usage, note
from nowait.record import provenance, recordings, records
from nowait.record.places import DECLARED, record_of
from nowait.record.texts import Texts

USAGE = f"""usage: ./nowait record NAME...     runs these commands anew and writes docs/runs/NAME.json
       ./nowait record --missing   runs those that have no record
       ./nowait record --all       runs all
       ./nowait record --list      the recordings, with the dates of their records
       ./nowait record --texts     gives every marked figure in a text its record's value
       ./nowait record --check     fails where a marked figure differs from its record
The recordings are declared in {DECLARED}. A mark is <!-- run:NAME.VALUE -->figure<!-- /run -->. A record that
cannot be made anew stays as it was.
"""


def main(arguments: Sequence[str]) -> int:
    parser = Parser("record", USAGE)
    parser.add_argument("names", nargs="*")
    for flag in ("--missing", "--all", "--list", "--texts", "--check"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse(arguments)
    asked = [flag for flag in ("missing", "all", "list", "texts", "check") if getattr(options, flag)]
    if len(asked) + bool(options.names) != 1:
        raise Usage("record: wants names or one of --missing --all --list --texts --check")
    declared = recordings.read(ROOT)
    if options.list:
        return _list(declared)
    if options.check:
        return _check(declared)
    if options.texts:
        return _rewrite(declared)
    for name in options.names:
        if name not in declared:
            raise Usage(f'record: unknown recording "{name}"; there are: {" ".join(declared)}')
    return _record([recording for name, recording in declared.items()
                    if options.all or name in options.names
                    or (options.missing and records.read(ROOT, name) is None)])


def _list(declared: dict[str, recordings.Recording]) -> int:
    for name, recording in declared.items():
        record = records.read(ROOT, name)
        state = f"{record.date} {record.commit[:8]}" if record else "missing"
        print(f"{name:<28} {state:<20} {'quiet  ' if recording.quiet else '       '}{recording.command}")
    return 0


def _check(declared: dict[str, recordings.Recording]) -> int:
    complaints = Texts(ROOT, declared).complaints()
    for words in complaints:
        print(f"nowait: {words}", file=sys.stderr)
    if complaints:
        print("./nowait record --texts")
        return FAILED
    return 0


def _rewrite(declared: dict[str, recordings.Recording]) -> int:
    for path in Texts(ROOT, declared).rewrite():
        print(path)
    return 0


def _record(wanted: Sequence[recordings.Recording]) -> int:
    from nowait.record import run  # it needs what Bazel needs
    if any(recording.quiet for recording in wanted) and provenance.load() > 0.5:
        note(f"record: the machine is busy ({provenance.load():.1f} programs in the last minute): times will be wrong")
    for i, recording in enumerate(wanted, 1):
        note(f"record: {i} of {len(wanted)}: {recording.name}: {recording.command}")
        records.write(ROOT, run.record(ROOT, recording))
        print(record_of(recording.name))
    return 0
