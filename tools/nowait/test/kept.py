"""Results that outlast a checkout: ./nowait test --cache FOLDER.

Bazel keeps each action's result there by the contents of all that the action reads, and takes it from there in the
next checkout. The compilers are no such content, so that each set of packages has a folder of its own.
"""

import os
import pathlib
import shutil

from nowait.errors import Failure
from nowait.packages import ALL, digest_of

MOST_BYTES = 12 << 30
PREFIX = "results-"  # of the folders that are ours in the cache


def flags(cache: pathlib.Path, most_bytes: int = MOST_BYTES) -> list[str]:
    """Bazel's. Makes the folder, and makes room in it: Bazel never does.

    A cache that has grown above most_bytes loses its oldest results, down to a half of that; results of other packages
    go at once.
    """
    here = cache / f"{PREFIX}{digest_of(ALL)}"
    try:
        here.mkdir(parents=True, exist_ok=True)
        for other in cache.glob(f"{PREFIX}*"):
            if other != here:
                shutil.rmtree(other)
        _make_room(here, most_bytes)
    except OSError as error:
        raise Failure(f"test: the results cannot be kept in {cache}: {error.strerror}") from error
    return [f"--disk_cache={here}"]


def _make_room(folder: pathlib.Path, most_bytes: int) -> None:
    files = [pathlib.Path(where, name) for where, _, names in os.walk(folder) for name in names]
    known = sorted((state.st_mtime, state.st_size, file) for file in files for state in (file.stat(),))
    total = sum(size for _, size, _ in known)
    if total <= most_bytes:
        return
    for _, size, file in known:
        file.unlink()
        total -= size
        if total <= most_bytes // 2:
            return
