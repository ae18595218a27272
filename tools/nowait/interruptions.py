"""Ctrl-C and SIGTERM as exceptions. A block that starts something can delay them until it can also stop it."""

import contextlib
import signal
import threading
from typing import Callable, Iterator, NoReturn


class Stopped(BaseException):
    """SIGTERM, as KeyboardInterrupt is SIGINT. All running programs have ended when it reaches the top."""


_EXCEPTIONS: dict[int, type[BaseException]] = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Stopped}
_held = 0
_came: list[int] = []


def install() -> None:
    """From here on both signals are exceptions of the main thread. A signal that is ignored stays ignored (nohup)."""
    for number in _EXCEPTIONS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _arrive)


def _arrive(number: int, _) -> None:
    if _held:
        _came.append(number)
    else:
        _raise(number)


def _raise(number: int) -> NoReturn:
    raise _EXCEPTIONS[number]


@contextlib.contextmanager
def held() -> Iterator[Callable[[], None]]:
    """Delays both exceptions until the block calls the function that it receives, or ends."""
    global _held  # pylint: disable=global-statement
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None  # signals are the main thread's
        return
    released = False

    def release() -> None:
        global _held  # pylint: disable=global-statement
        nonlocal released
        if released:
            return
        released = True
        _held -= 1
        if _came and not _held:
            number = _came[0]
            _came.clear()
            _raise(number)

    _held += 1
    try:
        yield release
    finally:
        release()
