"""Runs the pieces of a deep run as Bazel's tests on a cluster, a round of them at a time.

Each piece is a test in a workspace of its own, DIR/cluster: the model's program, what was saved of the
shard before, and the arguments. It leaves behind its result and what it saved now. Bazel knows a
piece by its contents, so one that was finished while nobody listened (Ctrl-C, an executor that went
away) is not done again: its result is in the cluster's cache.
"""

import json
import pathlib
import shutil
import signal
import time
import zipfile

from nowait import bazel, processes
from nowait.check.deep.pieces import Piece, arguments_of
from nowait.check.deep.state import write_whole

ROUND = 64  # pieces, unless --jobs says how many
STARTUP = ("--max_idle_secs=900",)

WORKSPACE = """workspace(name = "deep")
local_repository(name = "nowait", path = "{root}")
load("@nowait//third_party:repositories.bzl", "nowait_repositories")
nowait_repositories("{root}")
"""
TEST = """sh_test(
    name = "{name}",
    size = "enormous",
    srcs = ["piece.sh"],
    args = {arguments},
    data = {data},
)
"""
# The result says what became of the piece; to Bazel one with a result has passed, and is kept.
SCRIPT = """#!/usr/bin/env bash
program=$1
shift
status=0
"$program" "$@" --save "$TEST_UNDECLARED_OUTPUTS_DIR/saved.search" \\
  --json "$TEST_UNDECLARED_OUTPUTS_DIR/piece.json" \\
  --counterexamples "$TEST_UNDECLARED_OUTPUTS_DIR/counterexamples" || status=$?
echo "$status" >"$TEST_UNDECLARED_OUTPUTS_DIR/status"
"""


class Gone(Exception):
    """Why nothing of a round has ended, in one line."""


class RemotePiece(Piece):
    """A piece that ran elsewhere: what it left is put where one that ran here leaves it."""

    def __init__(self, entry, folder, number):
        super().__init__(entry, folder)
        self.name = f"piece{number}"
        self.ended_with = None

    def fetch(self, logs):
        """Whether it has ended."""
        folder = logs / self.name
        try:
            with zipfile.ZipFile(folder / "test.outputs/outputs.zip") as outputs:
                left = {name: outputs.read(name) for name in outputs.namelist()}
            self.ended_with = int(left["status"])
        except (OSError, zipfile.BadZipFile, KeyError, ValueError):
            return False
        # A damaged file would stop the run, and lose what was saved before; the digests have been checked.
        if "saved.search" in left:
            write_whole(self.saved, left["saved.search"].decode())
        if "piece.json" in left:
            write_whole(self.result, left["piece.json"].decode())
        for name, content in left.items():
            if name.startswith("counterexamples/") and not name.endswith("/"):
                self.counterexamples.mkdir(parents=True, exist_ok=True)
                (self.counterexamples / pathlib.PurePosixPath(name).name).write_bytes(content)
        shutil.copy(folder / "test.log", self.log)
        return True

    def status(self):
        return self.ended_with


class Cluster:
    """What runs the pieces in place of processes here."""

    def __init__(self, root, folder, programs, flags, jobs):
        self.root, self.folder, self.programs, self.flags, self.jobs = root, folder, programs, flags, jobs
        self.workspace = folder / "cluster"

    def round(self, entries, seconds, stopped):
        """Runs a piece of each: those that have ended. stopped(): whether to break off."""
        shutil.rmtree(self.workspace, ignore_errors=True)
        self.workspace.mkdir()
        pieces = [RemotePiece(entry, self.folder, number) for number, entry in enumerate(entries)]
        rules = [self._rule(piece, seconds) for piece in pieces]
        for name, text in [("WORKSPACE", WORKSPACE.format(root=self.root)), ("BUILD", "".join(rules)),
                           ("piece.sh", SCRIPT)]:
            (self.workspace / name).write_text(text, encoding="utf-8")
        (self.workspace / "piece.sh").chmod(0o755)
        for name in (".bazelrc", ".bazelrc.user"):
            if (self.root / name).exists():
                shutil.copy(self.root / name, self.workspace)
        status = self._test(stopped)
        ended = [piece for piece in pieces if piece.fetch(self.workspace / ".bazel/testlogs")]
        if not ended and not stopped():
            raise Gone("the cluster has stopped answering" if status == bazel.NO_ANSWER else
                       f"nothing ran on the cluster; {self.folder}/cluster.log says why")
        return ended

    def _rule(self, piece, seconds):
        shard = piece.entry.shard
        data = [shard.structure]
        if not (self.workspace / shard.structure).exists():
            shutil.copy(self.programs[shard.structure], self.workspace / shard.structure)
        saved = None
        if piece.saved.exists():
            data.append(f"{piece.name}.search")
            shutil.copy(piece.saved, self.workspace / data[1])
            saved = f"$(location {data[1]})"
        arguments = [f"$(location {shard.structure})", *arguments_of(shard, saved, seconds)]
        return TEST.format(name=piece.name, arguments=json.dumps(arguments), data=json.dumps(data))

    def _test(self, stopped):
        arguments = ["test", "--config=opt", *self.flags, "--keep_going", f"--jobs={self.jobs or ROUND}",
                   "--noshow_progress", "--test_summary=none", "--test_output=summary", "//..."]
        with open(self.folder / "cluster.log", "w", encoding="utf-8") as log:
            child = bazel.start(arguments, STARTUP, own_session=True, cwd=self.workspace, stdout=log,
                                stderr=processes.STDOUT)
        told = False
        while child.status is None:
            if stopped() and not told:
                child.send(signal.SIGINT)
                told = True
            time.sleep(processes.TURN)
        return child.status

    def close(self):
        if not self.workspace.exists():  # there was nothing to do
            return
        bazel.call(["shutdown"], STARTUP, capture=True, cwd=self.workspace)
