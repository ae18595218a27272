#!/usr/bin/env python3
"""Each structure with a model is compiled for AArch64 and runs with load buffering, or a table says why it does not."""

import pathlib
import re
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = re.compile(r"^model\((.*?)^\)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r'^    name = "(\w+)"', re.MULTILINE)
BUFFERED = re.compile(r"^    buffered = [1-9]\d*,", re.MULTILINE)
SCENARIO = re.compile(r'kName = "(\w+) \w+"')


def models():
    return [call for build in (ROOT / "models").glob("*/BUILD") for call in MODEL.findall(build.read_text())]


def modelled():
    return {NAME.search(call)[1] for call in models()}


def compiled():
    return {name for header in (ROOT / "models/arm").glob("*.h") for name in SCENARIO.findall(header.read_text())}


def buffered():
    return {NAME.search(call)[1] for call in models() if BUFFERED.search(call)}


class LeftOut(unittest.TestCase):
    def complete(self, table, done):
        left_out = set(tomllib.loads((ROOT / table).read_text()))
        self.assertEqual(set(), modelled() - done - left_out, f"a model that is not in {table}")
        self.assertEqual(set(), left_out & done, f"in {table}, though it need not be")
        self.assertEqual(set(), left_out - modelled(), f"in {table}, and no model")

    def test_the_models_are_found(self):
        self.assertGreater(len(modelled()), 30)

    def test_compiled_for_aarch64_or_left_out(self):
        self.assertGreater(len(compiled()), 10)
        self.complete("models/arm/left_out.toml", compiled())

    def test_run_with_load_buffering_or_left_out(self):
        self.assertGreater(len(buffered()), 2)
        self.complete("models/kit/buffering/left_out.toml", buffered())


if __name__ == "__main__":
    unittest.main()
