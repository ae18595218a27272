"""learn: the course, as a site: served on loopback, or written into a folder."""

import argparse
import pathlib
import re
from typing import Sequence

from nowait import gallery
from nowait.arguments import Parser
from nowait.errors import Usage, note
from nowait.packages import require

USAGE = """\
usage: ./nowait learn [--port N]    makes the course and serves it on loopback; Ctrl-C ends it (default: 8000)
       ./nowait learn --build DIR   writes it into DIR: pages that open from disk, offline
       ./nowait learn --check       only looks whether all of it is in order
"""
PORT = 8000


def main(arguments: Sequence[str]) -> int:
    options = _parse(arguments)
    require("learn")
    from nowait.learn import plays, site  # it needs packages that have just been installed

    root, out, port = pathlib.Path("."), options.build, PORT if options.port is None else options.port
    if options.check:
        print(site.Site(root).check())
        return 0
    # A mistake in the texts is reported before minutes are spent on counterexamples.
    site.Site(root).check()
    if out:
        site.check_target(out)
    else:
        site.check_port(port)
    note("making the counterexamples and recordings; the first time this compiles them")
    course = site.Site(root, gallery.make(pathlib.Path(gallery.DEFAULT)), plays.make(pathlib.Path(plays.DEFAULT)))
    if out:
        course.build(out)
    else:
        course.serve(port)
    return 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser("learn", USAGE)
    parser.add("--port", type=_port)
    parser.add("--build", type=_folder)
    parser.add_argument("--check", action="store_true")
    options = parser.parse(arguments)
    if (options.build or options.check) and options.port is not None:
        raise Usage("learn: --port is for serving alone")
    if options.build and options.check:
        raise Usage("learn: --build checks already; leave --check out")
    return options


def _port(text: str) -> int:
    if not text:
        raise Usage("learn: --port needs a value")
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > 65535:
        raise Usage(f'learn: "{text}" is no port (0 to 65535)')
    return int(text)


def _folder(text: str) -> pathlib.Path:
    if not text:
        raise Usage("learn: --build needs a value")
    return pathlib.Path(text)
