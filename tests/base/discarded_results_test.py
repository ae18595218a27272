#!/usr/bin/env python3
"""The compiler refuses each line of discarded_results.cc that is marked, because a Result is dropped, and no other.

usage: discarded_results_test.py SOURCE SAID
"""

import pathlib
import re
import sys


def main(source, said):
    lines = pathlib.Path(source).read_text(encoding="utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith("// refused")}
    refused = {}
    for line in pathlib.Path(said).read_text(encoding="utf-8").splitlines():
        if match := re.search(r"^([^:]+):(?:(\d+):\d+: )?(?:fatal )?error: (.*)", line):
            at = int(match[2] or 0) if match[1].endswith(pathlib.Path(source).name) else 0
            refused[at] = match[3]
    compiled = sorted(marked - refused.keys())
    wrong = [f"{source}:{number}: a Result is dropped here, and it compiles" for number in compiled]
    for number, why in sorted(refused.items()):
        if number not in marked or "nodiscard" not in why:
            wrong.append(f"{source}:{number}: {why}")
    for line in wrong:
        print(line)
    print(f"{len(marked)} dropped Results, {len(refused)} lines are refused")
    return 1 if wrong or not marked else 0


sys.exit(main(*sys.argv[1:]))
