"""The machine on which an executor runs: started, and switched off."""

import collections
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from checkout import free_port

EXECUTOR = pathlib.Path(__file__).resolve().parent / "executor/executor.py"


class Executor:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nowait-executor-")
        self.root = pathlib.Path(self.folder.name)
        self.port = free_port()
        self.url = f"grpc://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        # Debian's python3 is the one that has Debian's stubs.
        self.process = subprocess.Popen(["/usr/bin/python3", str(EXECUTOR), str(self.root), str(self.port), "2"],
                                        stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline().startswith("ready"):
            raise RuntimeError("the executor does not start")

    def kill(self):
        """As when the machine is switched off: with all that runs on it."""
        if not self.process:
            return
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process = None
        for note in (self.root / "running").glob("*"):
            try:
                os.killpg(int(note.name), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def log(self):
        """How often each action began, and how often it ended."""
        counts = collections.Counter(), collections.Counter()
        try:
            for line in (self.root / "log").read_text(encoding="utf-8").splitlines():
                what, action = line.split()
                counts[what == "ended"][action] += 1
        except FileNotFoundError:
            pass
        return counts

    def wait_for_the_middle(self, process, ended_before=8):
        """Until so many actions have ended and others run."""
        while process.poll() is None:
            began, ended = self.log()
            if sum(ended.values()) >= ended_before and sum(began.values()) > sum(ended.values()):
                return
            time.sleep(0.02)
        raise AssertionError(process.communicate()[0])
