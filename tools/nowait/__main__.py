"""The first lines of ./nowait: they add the package to the path, and refuse a Python that cannot read it."""

import pathlib
import sys

if sys.version_info < (3, 11):
    sys.exit(f"nowait: {sys.executable} is older than 3.11")
# Python has put this folder there; the package is the folder itself.
sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from nowait.command_line import main  # noqa: E402  pylint: disable=wrong-import-position

sys.exit(main(sys.argv[1:]))
