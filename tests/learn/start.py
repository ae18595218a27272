"""The course of any checkout, made and served as ./nowait learn does it, without the gallery's own pages.

usage: start.py [--root DIR] [--gallery DIR] [--recordings DIR] [--check | --build DIR | --port N]
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]  # not the runfiles, where this file is a link
sys.path.insert(0, str(ROOT / "tools"))
from nowait.errors import Failure, status_of  # noqa: E402
from nowait.learn.site import Site  # noqa: E402


def do(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--gallery", type=pathlib.Path)
    parser.add_argument("--recordings", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--port", type=int)
    arguments = parser.parse_args([str(word) for word in words])
    site = Site(arguments.root, arguments.gallery, arguments.recordings)
    if arguments.check:
        print(site.check())
    elif arguments.build:
        site.build(arguments.build)
    else:
        site.serve(arguments.port)
    return 0


def main(words):
    """The same in the caller's process: its exit status."""
    try:
        return do(words)
    except Failure as failure:
        return failure.show()


if __name__ == "__main__":
    sys.exit(status_of(do, sys.argv[1:]))
