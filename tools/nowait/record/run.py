"""Runs a recording's command and makes its record."""

import os
import pathlib
import tempfile

from nowait import bazel, processes
from nowait.errors import Failure
from nowait.progress import waiting_for
from nowait.record import extract, provenance
from nowait.record.recordings import Recording
from nowait.record.records import Record

_SHOWN = 20  # lines of what a command that failed has said


def record(root: pathlib.Path, recording: Recording) -> Record:
    """A new record. Nothing is written."""
    commit, changed = provenance.commit(root)
    outputs = [_output(root, recording, f" {i + 1} of {recording.repetitions}" if recording.repetitions > 1 else "")
               for i in range(recording.repetitions)]
    values = extract.values_of(recording, outputs)
    blocks = extract.blocks_of(recording, outputs[-1])
    for words in [*values.values(), *(line for block in blocks.values() for line in block)]:
        for path in (str(root), os.path.expanduser("~")):
            if path != "/" and path in words:
                raise Failure(f"{recording.name}: {words.strip()!r} names a folder of this machine")
    return Record(recording.name, recording.command, commit, changed, provenance.today(), provenance.machine(), values,
                  blocks)


def _output(root: pathlib.Path, recording: Recording, turn: str) -> str:
    """What one run of the command printed, or wrote into the file that it is read from."""
    reads = root / recording.reads
    if recording.reads:
        reads.unlink(missing_ok=True)  # one of an earlier run is no output of this one
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said, \
            waiting_for(f"nowait: record: {recording.name}{turn}") as tick:
        ended = processes.run(recording.words, tick, stdout=processes.PIPE, stderr=said, text=True, errors="replace",
                              cwd=root, env=bazel.environment())
        said.seek(0)
        last = said.read()
    if ended.status != recording.status:
        lines = (ended.output + last).splitlines()[-_SHOWN:]
        raise Failure("\n".join([f"{recording.name}: {recording.command} ended with {ended.exit_status} in place of "
                                 f"{recording.status}", *lines]))
    if not recording.reads:
        return ended.output
    try:
        return reads.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Failure(f"{recording.name}: {recording.command} has not written {recording.reads}") from None
