"""Runs shards in pieces: a process each, which saves where it is and is gone on with later.

A shard has passed when its own program says that it came to its end and found nothing. A shard that was
stopped, was killed or left no result has not: it goes on from what it saved last.
"""

import json
import os
import pathlib
import signal

from nowait import processes

PIECE_SECONDS = 300  # what is lost at most when the power goes
DEATHS = 2  # of a process that nobody stopped, without anything gained between them


class Piece:
    """A piece of a shard's work: its files, and what is made of them when it has ended."""

    def __init__(self, entry, folder):
        self.entry = entry
        self.saved = pathlib.Path(folder) / "saved" / (entry.shard.file + ".search")
        self.result = self.saved.with_suffix(".json")
        self.log = self.saved.with_suffix(".log")
        # One for each shard: several may fail in the same scenario.
        self.counterexamples = pathlib.Path(folder) / "counterexamples" / entry.shard.file
        self.result.unlink(missing_ok=True)

    def status(self):
        """What its program ended with."""
        raise NotImplementedError

    def note(self):
        """What is known of the shard now that the process has ended. Returns the error in words, or `None`."""
        entry, status = self.entry, self.status()
        if status == 128 + signal.SIGTERM:
            entry.status = "begun"
            return None
        if status == 2:
            return f"{entry.shard.name}: {self._last_words()}"
        try:
            search, = json.loads(self.result.read_text(encoding="utf-8"))["scenarios"][0]["searches"]
            progress = {"executions": int(search["executions"]), "seconds": float(search["seconds"]),
                        "fraction": float(search["fraction"])}
            failure = search.get("failure")
            exhausted = bool(search["exhausted"])
        except (OSError, ValueError, LookupError, TypeError):
            return self._died(status)
        for name, value in progress.items():
            setattr(entry, name, value)
        wanted = entry.shard.executions()
        at_the_end = exhausted or (wanted is not None and entry.executions >= wanted)
        if failure is not None:
            entry.status, entry.failure = "failed", self._failure(failure) | self._page()
        elif at_the_end and status == 0:
            entry.status = "passed"
            entry.fraction = 1.0
        elif at_the_end:
            return self._died(status)
        else:
            entry.status = "begun"
        if entry.finished:
            for path in (self.saved, self.result, *([self.log] if entry.status == "passed" else [])):
                path.unlink(missing_ok=True)
        return None

    def _died(self, status):
        """A process that left no result: out of memory, most often. Its shard goes on from what was saved."""
        deaths = self.saved.with_suffix(".deaths")
        before = deaths.read_text(encoding="utf-8").split() if deaths.exists() else []
        deaths.write_text("\n".join([*before, str(self.entry.executions)]), encoding="utf-8")
        self.entry.status = "begun"
        if before.count(str(self.entry.executions)) + 1 >= DEATHS:
            how = f"signal {-status}" if status < 0 else f"status {status}"
            self.entry.status = "failed"
            self.entry.failure = {"words": f"cannot be checked: process lost: ended with {how}, {DEATHS} times",
                                  "again": self._command()}
            deaths.unlink()
        return None

    def _failure(self, failure):
        replay = (["--search", self.entry.shard.search.replace(f":{self.entry.shard.executions()}", ":1"), "--seed",
                   str(failure["seed"])] if self.entry.shard.executions() else
                  ["--search", self.entry.shard.search, "--state", failure["state"]])
        return {"words": f"{failure['kind']}: {failure['words'].partition(chr(10))[0]}",
                "again": " ".join(["./nowait check", self.entry.shard.structure, "--scenario",
                                   self.entry.shard.scenario, *replay])}

    def _page(self):
        """The counterexample, where its program could write it."""
        pages = sorted(self.counterexamples.glob("*.html"))
        return {"page": str(pages[0])} if pages else {}

    def _command(self):
        return " ".join(["./nowait check", self.entry.shard.structure, *self.entry.shard.arguments()])

    def _last_words(self):
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "no word why")


def arguments_of(shard, saved, seconds):
    """A program's, but for where it writes. saved: the state that an earlier piece of the shard left, or `None`."""
    where = ["--resume", str(saved)] if saved else shard.arguments()
    jobs = ["--jobs", "1"] if shard.search == "graphs" else []
    return [*where, *jobs, "--seconds", f"{seconds:.1f}"]


class Process(Piece):
    """One that runs here."""

    def __init__(self, entry, program, folder, seconds):
        super().__init__(entry, folder)
        # If the run itself is killed, its processes save and end too (prctl(2), PR_SET_PDEATHSIG).
        command = ["setpriv", "--pdeathsig", "TERM", program,
                   *arguments_of(entry.shard, self.saved if self.saved.exists() else None, seconds),
                   "--save", str(self.saved), "--json", str(self.result),
                   "--counterexamples", str(self.counterexamples)]
        with open(self.log, "w", encoding="utf-8") as log:
            # Ctrl-C is for the run, which passes it on to its processes: it has to hear of their ends in order.
            self.child = processes.Child(command, own_session=True, stdout=log, stderr=processes.STDOUT)

    def ended(self):
        return self.child.status is not None

    def status(self):
        return self.child.status

    def stop(self):
        """It saves what it has done, and ends."""
        self.child.send(signal.SIGTERM)

    def kill(self):
        """What it has saved before is kept."""
        self.child.send(signal.SIGKILL)


def processors():
    return len(os.sched_getaffinity(0))
