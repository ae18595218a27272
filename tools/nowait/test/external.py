"""Builds and runs tests/external_workspace as its owner would: with a Bazel of its own, from scratch."""

import os
import pathlib
import shutil
import tempfile

from nowait import bazel
from nowait.checkout import ROOT

WORKSPACE = ROOT / "tests/external_workspace"


def works() -> bool:
    """The output of its Bazel is shown only when it fails; nothing may be fetched."""
    scratch = pathlib.Path(tempfile.mkdtemp())
    startup = [f"--output_base={scratch}/base"]
    try:
        ended = bazel.call(["test", "--experimental_repository_disable_download", "--test_output=all",
                            "--noshow_progress", "//..."], startup, capture=True, cwd=WORKSPACE)
        found = [line for line in ended.output.splitlines() if " islands, " in line]
        good = ended.status == 0 and bool(found)
        print("\n".join(found) if good else ended.output.rstrip())
        return good
    finally:
        bazel.call(["shutdown"], startup, capture=True, cwd=WORKSPACE)
        _remove(scratch)


def _remove(folder: pathlib.Path) -> None:
    """Bazel makes its outputs read-only."""
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o700)
    shutil.rmtree(folder)
