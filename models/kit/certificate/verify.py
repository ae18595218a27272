#!/usr/bin/python3
"""Judges a certificate of the exhaustive checker: is each graph an execution, and is there no other one?

    verify.py FILE...

Written without a look at the checker, and in another way. README.md beside this file has the argument.
  1. Each graph is judged by the axioms of C++20, as relations over all its events (axioms.py).
  2. The program is recovered from the graphs: what a thread does next, by what it has observed (program.py).
  3. All executions of that program are enumerated, without revisits and without reductions (enumeration.py).
     They must be the graphs of the file. A step that no graph has shows that one is missing.
Exit code: 0 for a good certificate, 1 for a bad one, 2 for another kind of file.
"""

import sys

from axioms import Axioms
from certificate_text import Bad, NoCertificate, parse
from enumeration import Enumeration, describe
from execution import Observations
from program import Program


def verify(path):
    """Returns the words for a good certificate."""
    name, graphs = parse(path)
    listed = {}
    observations = Observations()
    program = Program()
    for graph in graphs:
        try:
            Axioms(graph).judge()
            program.add(graph, observations)
            key = graph.key()
            if key in listed:
                raise Bad(f"it is the graph of line {listed[key].line} again")
            listed[key] = graph
        except Bad as bad:
            raise Bad(f"{path}:{graph.line}: {bad}") from None
    if not graphs:
        raise Bad(f"{path}: no graph: every program has an execution")
    enumeration = Enumeration(program, len(graphs[0].threads), observations)
    found = set()
    try:
        for graph in enumeration.all():
            key = graph.key()
            if key not in listed:
                raise Bad("an execution is missing:\n" + describe(graph))
            found.add(key)
    except Bad as bad:
        raise Bad(f"{path}: {bad}") from None
    if len(found) != len(listed):
        raise Bad(f"{path}: {len(listed) - len(found)} of {len(listed)} graphs are no executions of the program")
    return f"{name}: {len(found):,} executions, each consistent and different from the others, and no other one"


def main(paths):
    if not paths:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    failed = 0
    for path in paths:
        try:
            print(verify(path), flush=True)
        except Bad as bad:
            print(bad, file=sys.stderr)
            failed += 1
        except (NoCertificate, OSError) as error:
            print(error, file=sys.stderr)
            return 2
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
