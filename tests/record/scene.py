"""A checkout of a few files, for the tests."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from nowait.errors import Failure  # noqa: E402
from nowait.record import recordings  # noqa: E402
from nowait.record.texts import Texts  # noqa: E402

DECLARED = """[[recording]]
name = "two"
command = "./two"
values.graphs = 'all ([0-9,]+) executions'
blocks.shown = [{ from = "two 1x1" }]
"""
MACHINE = {"cpu": "a processor", "cores": 2, "memory_gib": 8, "compiler": "g++ 12.2.0"}
RECORD = {"recording": "two", "command": "./two", "commit": "0123456789" * 4, "changed": False, "date": "2026-11-25",
          "machine": MACHINE, "values": {"graphs": "1,234", "few": "19"}, "blocks": {"shown": ["two 1x1", "…"]}}
OUTSIDE = {"peer": {"peer": "P", "version": None, "settings": "two threads", "date": None, "source": "a program",
                    "figures": [{"quantity": "q", "there": "1", "here": "2"}, {"quantity": "r", "there": "3",
                                                                              "here": None}]}}


class Scene(unittest.TestCase):
    """Files of a checkout in self.root, with a record of "two" and figures of "peer"."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/runs/recordings.toml", DECLARED)
        self.write("docs/runs/two.json", json.dumps(RECORD))
        self.write("docs/outside.json", json.dumps(OUTSIDE))

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def texts(self):
        return Texts(self.root, recordings.read(self.root))

    def complaints(self):
        return self.texts().complaints()

    def fails(self, words, act):
        with self.assertRaises(Failure) as caught:
            act()
        self.assertEqual(words, str(caught.exception))
