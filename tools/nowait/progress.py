"""A line that says how far something is."""

import contextlib
import sys
import time
from typing import Callable, Iterator, TextIO

WIDTH = 150


class Line:
    """Written over on a terminal, each second at most; elsewhere a line now and then, or none."""

    def __init__(self, seconds_elsewhere: float | None = None, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self._between = 1.0 if self.terminal else seconds_elsewhere
        self._shown = 0.0
        self._there = False

    def show(self, words: Callable[[], str]) -> None:
        """words: called when it is time to show them."""
        now = time.monotonic()
        if self._between is None or now - self._shown < self._between:
            return
        self._shown = now
        if self.terminal:
            self._there = True
            print(f"\r\033[K{words()[:WIDTH]}", end="", file=self.stream, flush=True)
        else:
            print(words(), file=self.stream, flush=True)

    def clear(self) -> None:
        """Before anything else is written there."""
        if self._there:
            self._there = False
            print("\r\033[K", end="", file=self.stream, flush=True)


@contextlib.contextmanager
def waiting_for(words: str) -> Iterator[Callable[[], None]]:
    """What to call now and then while something goes on: shows how long, on a terminal."""
    line, begin = Line(), time.monotonic()
    try:
        yield lambda: line.show(lambda: f"{words} {time.monotonic() - begin:.0f} s ")
    finally:
        line.clear()
