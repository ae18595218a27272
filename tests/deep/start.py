"""./nowait check --deep with programs of a test's in place of the models'.

usage: start.py CHECKOUT PROGRAMS ARGUMENTS...

CHECKOUT has the command. PROGRAMS: a file with the path of a program a line, which must be there if one is run;
PROGRAMS.flags, if it is there: Bazel's flags for a cluster. ARGUMENTS are those of ./nowait check --deep.
"""

import pathlib
import sys

sys.path.insert(0, f"{sys.argv[1]}/tools")
from nowait.check.deep import verb  # noqa: E402
from nowait.errors import status_of  # noqa: E402


def main(arguments):
    listing = pathlib.Path(arguments[0])
    flags = listing.with_name(listing.name + ".flags")
    options = verb.parse(arguments[1:])
    if options.merge or options.show:
        return verb.show(options)
    verb.check_state(options)
    programs = {pathlib.Path(path).name: path for path in listing.read_text(encoding="utf-8").split()}
    return verb.go_on(options, programs, flags.read_text(encoding="utf-8").split() if flags.exists() else [])


if __name__ == "__main__":
    sys.exit(status_of(main, sys.argv[2:]))
