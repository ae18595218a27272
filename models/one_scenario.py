#!/usr/bin/env python3
"""The files of a model with one of its scenarios alone, as one source.

usage: one_scenario.py SCENARIO FILE... > OUTPUT

Most of a model's compile time is its scenarios, each with an instance of the structure of its own. A mutant
that one of them kills needs no other scenario: only the words of the others stay, which compile in no time.
"""

import pathlib
import re
import sys

# const Scenario<TwoUnions> two_unions({
#     .name = "2x1",
DECLARATION = re.compile(r"^const Scenario<.*> (\w+\(\{\s*\.name = \"([^\"]*)\")", re.MULTILINE)


def only(scenario, text):
    """The text, and the number of its declarations that are this scenario's."""
    kept = 0

    def replace(declaration):
        nonlocal kept
        if declaration[2] == scenario:
            kept += 1
            return declaration[0]
        return "[[maybe_unused]] const nowait::model::ScenarioText " + declaration[1]

    return DECLARATION.sub(replace, text), kept


def main():
    scenario, *names = sys.argv[1:]
    found = 0
    for name in names:
        text, kept = only(scenario, pathlib.Path(name).read_text(encoding="utf-8"))
        found += kept
        print(f'#line 1 "{name}"\n{text}')
    if found != 1:
        sys.exit(f"{found} scenarios are called {scenario} in {' '.join(names)}")


if __name__ == "__main__":
    main()
