#!/usr/bin/env python3
"""The random programs find the defects that are put back: the arguments are programs, each named after its defect."""

import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import put_back  # noqa: E402

PROGRAMS = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
SECONDS = 60  # at most; a second is usual


class Found(unittest.TestCase):
    def test_each_defect_is_found_by_its_promise(self):
        self.assertTrue(PROGRAMS)
        for program in PROGRAMS:
            with self.subTest(program.name):
                start = time.monotonic()
                text = put_back.run_until_found(program, pathlib.Path.cwd(), SECONDS)
                took = time.monotonic() - start
                found, row = put_back.judge(put_back.defects()[program.name], text, took)
                print(f"{program.name:34} {row}", flush=True)
                self.assertTrue(found, row)


unittest.main(argv=sys.argv[:1])
