#!/usr/bin/env python3
"""Each structure with a model is compiled for AArch64, or models/arm/left_out.toml says why it is not."""

import pathlib
import re
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = re.compile(r'^model\(\s*name = "(\w+)"', re.MULTILINE)
SCENARIO = re.compile(r'kName = "(\w+) \w+"')


def modelled():
    return {name for build in (ROOT / "models").glob("*/BUILD") for name in MODEL.findall(build.read_text())}


def compiled():
    return {name for header in (ROOT / "models/arm").glob("*.h") for name in SCENARIO.findall(header.read_text())}


class ArmStructures(unittest.TestCase):
    def test_each_structure_is_compiled_or_has_a_reason(self):
        left_out = set(tomllib.loads((ROOT / "models/arm/left_out.toml").read_text()))
        self.assertGreater(len(modelled()), 30)
        self.assertGreater(len(compiled()), 10)
        self.assertEqual(set(), modelled() - compiled() - left_out, "neither compiled nor in left_out.toml")
        self.assertEqual(set(), left_out & compiled(), "compiled, and in left_out.toml all the same")
        self.assertEqual(set(), left_out - modelled(), "in left_out.toml, and without a model")


if __name__ == "__main__":
    unittest.main()
