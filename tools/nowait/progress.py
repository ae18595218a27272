"""A line of progress."""

import contextlib
import sys
import time
from typing import Callable, Iterator, TextIO

WIDTH = 150


class Line:
    """Written over on a terminal, once a second at most; elsewhere a new line now and then, or not shown."""

    def __init__(self, seconds_elsewhere: float | None = None, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self._between = 1.0 if self.terminal else seconds_elsewhere
        self._shown = 0.0
        self._there = False

    def show(self, words: Callable[[], str]) -> None:
        """words: called when the line is due."""
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
    """Yields a function to call once a second: on a terminal it shows for how long something has run."""
    line, begin = Line(), time.monotonic()
    try:
        yield lambda: line.show(lambda: f"{words} {time.monotonic() - begin:.0f} s ")
    finally:
        line.clear()
