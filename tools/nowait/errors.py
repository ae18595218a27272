"""The one way to fail: a line that names the mistake and its place, and the exit status."""

import os
import signal
import sys
from typing import Callable, Sequence

from nowait import interruptions

FAILED = 1  # the command did not succeed
USAGE = 2  # the command makes no sense


class Failure(Exception):
    """A mistake in one line. ./nowait prints it after its own name and ends with the status.

    then: a command that helps, for stdout.
    """

    status = FAILED
    verb = ""  # "check: ", where all failures of a class belong to one verb

    def __init__(self, words: str, then: str = "") -> None:
        super().__init__(words)
        self.then = then

    @property
    def line(self) -> str:
        """The printed line."""
        return f"nowait: {self.verb}{self}"

    def show(self) -> int:
        """Prints the line. Returns the exit status."""
        print(self.line, file=sys.stderr)
        if self.then:
            print(self.then)
        return self.status


class Usage(Failure):
    """The arguments make no sense; nothing was built, installed or written."""

    status = USAGE


def note(words: str) -> None:
    """A remark that is no result."""
    print(f"nowait: {words}", file=sys.stderr, flush=True)


def status_of(main: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Runs a main(). The exit status is its own, that of a Failure, or 128 and the number of a signal."""
    sys.stdout.reconfigure(line_buffering=True)  # the programs that are run write to the same place
    interruptions.install()
    try:
        status = main(arguments)
        sys.stdout.flush()
        return status
    except Failure as failure:
        return failure.show()
    except BrokenPipeError:  # somebody has read enough: `./nowait help | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"{where}{error.strerror}").show()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except interruptions.Stopped:
        return 128 + signal.SIGTERM
