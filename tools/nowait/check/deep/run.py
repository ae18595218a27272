"""Runs the shards of a plan here, a process for each processor, until all have ended or time is up."""

import signal
import sys
import time

from nowait.check.deep.cluster import Gone
from nowait.check.deep.pieces import PIECE_SECONDS, Process
from nowait.check.deep.plan import in_order
from nowait.check.deep.state import Unusable, write
from nowait.errors import note
from nowait.processes import TURN
from nowait.progress import Line

PATIENCE = 60  # seconds that a process has to save what it has done
LOG_LINE = 60  # seconds between two lines of progress where there is no terminal


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Run:
    def __init__(self, state, folder, programs, jobs, seconds):
        self.state = state
        self.folder = folder
        self.programs = programs
        self.jobs = jobs
        self.deadline = time.monotonic() + seconds
        self.signal = None
        self.pieces = []
        self.progress = Line(LOG_LINE)

    def run(self):
        """The signal that ended it, or None."""
        before = {number: signal.signal(number, self._note_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._work()
        finally:
            self._wind_up()
            for number, handler in before.items():
                signal.signal(number, handler)
        return self.signal

    def _note_signal(self, number, _):
        self.signal = number

    def _queue(self):
        entries = {entry.shard: entry for entry in self.state.own}
        costs = {shard: entry.cost for shard, entry in entries.items()}
        return [entries[shard] for shard in in_order(costs, costs) if not entries[shard].finished]

    def _work(self):
        queue = self._queue()
        while (queue or self.pieces) and self.signal is None and time.monotonic() < self.deadline:
            while queue and len(self.pieces) < self.jobs:
                self._start(queue.pop(0))
            time.sleep(TURN)
            queue = self._collect() + queue
            self.progress.show(self._how_far)

    def _how_far(self):
        own = self.state.own
        left = sum(entry.left() for entry in own)
        done = sum(entry.seconds for entry in own)
        ended = sum(entry.finished for entry in own)
        percent = 100 * done / (done + left) if done + left else 100
        at_work = "; ".join(piece.entry.shard.name for piece in self.pieces)
        return (f"deep: about {percent:.0f}%, {ended} of {len(own)} shards, {duration(left / self.jobs)} of work left: "
                f"{at_work}")

    def _piece_seconds(self):
        return max(1.0, min(PIECE_SECONDS, self.deadline - time.monotonic()))

    def _start(self, entry):
        entry.status = "begun"
        self.pieces.append(Process(entry, self.programs[entry.shard.structure], self.folder, self._piece_seconds()))

    def _collect(self):
        ended = [piece for piece in self.pieces if piece.ended()]
        self.pieces = [piece for piece in self.pieces if piece not in ended]
        return self._note(ended)

    def _note(self, ended):
        """Takes note of the processes that have ended; returns those that are to go on."""
        trouble = [words for words in [piece.note() for piece in ended] if words]
        if ended:
            self._save()
        if trouble:
            raise Unusable(trouble[0])
        for piece in ended:
            if piece.entry.status == "failed":
                self.progress.clear()
                print(f"FAILED: {piece.entry.shard.name}: {piece.entry.failure['words']}", flush=True)
        return [piece.entry for piece in ended if not piece.entry.finished]

    def _wind_up(self):
        """All processes save what they have done: nothing is lost, whatever the reason for the end is."""
        self.progress.clear()
        for piece in self.pieces:
            piece.stop()
        patience = time.monotonic() + PATIENCE
        while any(not piece.ended() for piece in self.pieces):
            time.sleep(TURN)
            if time.monotonic() > patience:
                for piece in self.pieces:
                    piece.kill()
        self._collect()

    def _save(self):
        try:
            write(self.folder, self.state)
        except OSError as error:
            raise Unusable(f"{self.folder} cannot be written: {error.strerror}; "
                           "what was saved before is kept") from None


class ClusterRun(Run):
    """The same, a round of pieces at a time on a cluster."""

    def __init__(self, state, folder, jobs, seconds, cluster):
        super().__init__(state, folder, cluster.programs, jobs, seconds)
        self.cluster = cluster

    def _work(self):
        queue = self._queue()
        while queue and self.signal is None and time.monotonic() < self.deadline:
            entries = queue[:self.jobs]
            print(f"{self._how_far()}a round of {len(entries)}", file=sys.stderr, flush=True)
            try:
                self._note(self.cluster.round(entries, self._piece_seconds(), lambda: self.signal is not None))
            except Gone as error:
                note(f"check --deep: {error}")
                return
            queue = self._queue()
