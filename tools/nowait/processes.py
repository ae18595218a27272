"""The one watcher of the programs that ./nowait runs: it waits, shows that something goes on, and stops them.

Ctrl-C, SIGTERM, a time limit and an exception all end the program first. So nothing goes on behind the prompt, and a
program that saves its work when it is stopped has saved it.
"""

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
from typing import IO, Callable, Iterator, NoReturn, Sequence

from nowait import interruptions
from nowait.errors import Failure

PIPE, STDOUT, DEVNULL = subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL
TURN = 0.1  # seconds between two looks at several programs

_running: set["Child"] = set()
_lock = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Ended:
    """The end of a program. status: `None` if its time was up, negative after a signal."""

    status: int | None
    output: str = ""

    @property
    def exit_status(self) -> int:
        """As a shell has it: after a signal 128 and its number."""
        if self.status is None:
            return 128 + signal.SIGKILL
        return self.status if self.status >= 0 else 128 - self.status


class Child:
    """A running program."""

    def __init__(self, command: Sequence[object], own_session: bool = False, **settings) -> None:
        """own_session: a Ctrl-C of the terminal does not reach it, only this command."""
        sys.stdout.flush()
        words = [str(word) for word in command]
        try:
            self._process = subprocess.Popen(words, stdin=settings.pop("stdin", subprocess.DEVNULL),
                                             start_new_session=own_session, **settings)
        except FileNotFoundError as error:
            raise Failure(f"{error.filename} is missing") from None
        self._own_session = own_session
        with _lock:
            _running.add(self)

    @property
    def status(self) -> int | None:
        """None while it runs."""
        status = self._process.poll()
        if status is not None:
            self._forget()
        return status

    def send(self, number: int) -> None:
        """A signal, to its whole session if it has one of its own and is to be killed."""
        if self._process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if self._own_session and number == signal.SIGKILL:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def wait(self, seconds: float | None = None) -> Ended | None:
        """Its end, with its output if that is a pipe; `None` if it has not ended after so long."""
        try:
            output, _ = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        self._forget()
        return Ended(self._process.returncode, output or "")

    def lines(self) -> Iterator[str]:
        """Its output, line by line."""
        pipe: IO[str] = self._process.stdout
        yield from iter(pipe.readline, "")

    def _forget(self) -> None:
        with _lock:
            _running.discard(self)


def run(command: Sequence[object], tick: Callable[[], None] | None = None, seconds: float | None = None,
        capture: bool = False, **settings) -> Ended:
    """Runs a program in the foreground: a Ctrl-C reaches it as well, and its end is waited for.

    tick: called once a second. seconds: it is killed after so long. capture: its output, both streams of it.
    """
    if capture:
        settings |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
    with running(command, **settings) as child:
        return _wait(child, tick, seconds)


def run_alone(command: Sequence[object], tick: Callable[[], None] | None = None, seconds: float | None = None,
              **settings) -> Ended:
    """Runs it in a session of its own: a Ctrl-C kills it and its processes at once, and they save nothing."""
    with running(command, signal.SIGKILL, own_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                 errors="replace", **settings) as child:
        return _wait(child, tick, seconds)


def _wait(child: Child, tick: Callable[[], None] | None, seconds: float | None) -> Ended:
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        ended = child.wait(None if tick is None and end is None else 1)
        if ended is not None:
            return ended
        if tick is not None:
            tick()
        if end is not None and time.monotonic() > end:
            child.send(signal.SIGKILL)
            return dataclasses.replace(child.wait(), status=None)


@contextlib.contextmanager
def running(command: Sequence[object], end_with: int = signal.SIGTERM, **settings) -> Iterator[Child]:
    """Starts a program. If an exception leaves the block, the program gets the signal, and its end is waited for."""
    with interruptions.held() as release:
        child = Child(command, **settings)
        try:
            release()
            yield child
        except BaseException:
            child.send(end_with)
            _wait_for_the_end(child, end_with)
            raise


def _wait_for_the_end(child: Child, end_with: int) -> None:
    while True:
        try:
            child.wait()
            return
        except (KeyboardInterrupt, interruptions.Stopped):  # once more, while it is waited for
            child.send(end_with)


def kill_all() -> None:
    """Kills all running programs: several threads may have started them, and one thread hears of a Ctrl-C."""
    with _lock:
        running = list(_running)
    for child in running:
        child.send(signal.SIGKILL)


def become(command: Sequence[object]) -> NoReturn:
    """This process goes on as the program: its signals and its exit status are the command's."""
    sys.stdout.flush()
    sys.stderr.flush()
    words = [str(word) for word in command]
    try:
        os.execvp(words[0], words)
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}") from None
