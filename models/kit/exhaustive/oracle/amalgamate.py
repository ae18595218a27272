#!/usr/bin/env python3
"""Several C++ files as one, with a patch applied.

usage: amalgamate.py PATCH OUTPUT FILE...

OUTPUT has all of the .cc files, and of the headers those that they include, each where it is needed
first. An include of anything else stays. So what is patched is compiled together with everything that
sees it, and the unpatched files beside it are never looked at.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'#include "([^"]+)"')


def patched(patch, names):
    """The text of each file, by name."""
    with tempfile.TemporaryDirectory() as root:
        for name in names:
            copy = pathlib.Path(root, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, copy)
        # --fuzz=0: a patch whose lines are gone is an error here, not a survivor later.
        with open(patch, encoding="utf-8") as text:
            subprocess.run(["patch", "--silent", "--strip=1", "--fuzz=0", "--no-backup-if-mismatch",
                            "--reject-file=-", "--directory=" + root], stdin=text, check=True)
        return {name: pathlib.Path(root, name).read_text(encoding="utf-8") for name in names}


def expand(name, texts, done):
    """The lines of the file, with those of what it includes that was not there before."""
    done.add(name)
    yield f'#line 1 "{name}"'
    for number, line in enumerate(texts[name].splitlines(), start=1):
        include = INCLUDE.match(line)
        if include is None or include[1] not in texts:
            yield line
        elif include[1] not in done:
            yield from expand(include[1], texts, done)
            yield f'#line {number + 1} "{name}"'


def main():
    patch, output, *names = sys.argv[1:]
    texts = patched(patch, names)
    done = set()
    lines = [line for name in names if name.endswith(".cc") for line in expand(name, texts, done)]
    pathlib.Path(output).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
