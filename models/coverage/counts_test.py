#!/usr/bin/env python3
"""The counts in docs/runs are those that the models print today.

Arguments: the models' programs. Of each record of `./nowait check STRUCTURE` the scenarios that it quotes are run again;
of the table over all structures, the scenarios are counted.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.record import extract, recordings, records  # noqa: E402

PROGRAMS = {}  # a structure and its program
ROW = re.compile(r"\| (\w+) \| (\d+) \|")


def run(structure, words):
    return subprocess.run([PROGRAMS[structure], *words], capture_output=True, text=True, check=False).stdout


def quoted(structure, record):
    """The scenarios that a record quotes, in their order."""
    heading = re.compile(rf"{structure} ([\w/-]+)(?: \(\d threads\))?: ")
    lines = [line for block in record.blocks.values() for line in block]
    return list(dict.fromkeys(found[1] for line in lines if (found := heading.match(line))))


def by_scenario(structure, block):
    """The lines of a block about scenarios, with a gap before each scenario and without what stands below them all."""
    kept, below = [], False
    for line in block:
        heading = line.startswith(f"{structure} ")
        below = not heading and (below or line.startswith("C++20 allows") or bool(re.match(r"\d+ passed", line)))
        kept += [extract.LEFT_OUT, line] if heading else [] if below else [line]
    return kept


def output_of(structure, words, record):
    """What the command prints about the scenarios that the record quotes."""
    if {"--list", "--scenario"} & set(words):
        return run(structure, words)
    return "".join(run(structure, [*words, "--scenario", name]) for name in quoted(structure, record))


class Counts(unittest.TestCase):
    maxDiff = None

    def test_the_records_are_what_the_models_print(self):
        compared = 0
        for name, recording in recordings.read(ROOT).items():
            words, record = recording.words, records.read(ROOT, name)
            if record is None or words[:2] != ["./nowait", "check"] or len(words) < 3 or words[2] not in PROGRAMS:
                continue
            if any(word.startswith("--mut") for word in words):
                continue
            with self.subTest(name):
                lines = extract.hidden(recording, output_of(words[2], words[3:], record))
                for key, block in record.blocks.items():
                    line = extract.first_missing(by_scenario(words[2], block), lines)
                    self.assertIsNone(line, f"docs/runs/{name}.json: {key}: {words[2]} no longer prints {line!r}; "
                                            f"./nowait record {name}")
                compared += 1
        self.assertGreater(compared, 5)

    def test_the_table_counts_every_scenario(self):
        table = records.read(ROOT, "models").blocks["structures"]
        rows = dict(found.groups() for line in table if (found := ROW.match(line)))
        for structure in PROGRAMS:
            with self.subTest(structure):
                listed = [line for line in run(structure, ["--list"]).splitlines() if not line.startswith(" ")]
                self.assertEqual(rows.get(structure), str(len(listed)),
                                 f"docs/runs/models.json: scenarios of {structure}; ./nowait record models")


if __name__ == "__main__":
    PROGRAMS.update({pathlib.Path(path).name: os.path.abspath(path) for path in sys.argv[1:]})
    unittest.main(argv=sys.argv[:1])
