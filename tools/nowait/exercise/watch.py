"""Waits until one of a few files is saved. Looks at times and sizes: nothing to install, and editors that write a new
file and rename it are seen as well."""

import os
import time

SECONDS = 0.3


def state(paths):
    found = []
    for path in paths:
        try:
            status = os.stat(path)
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
        except OSError:
            found.append(None)  # between an editor's two steps
    return found


def wait_for_change(paths, before, sleep=time.sleep):
    """Returns the new state, when all of the files are there again."""
    while True:
        now = state(paths)
        if now != before and None not in now:
            return now
        sleep(SECONDS)
