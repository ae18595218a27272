#!/usr/bin/env -S /usr/bin/python3 -B
"""The checkout's course, made once and looked at in one browser: its pages, its keys, its figures."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from samples import site  # noqa: E402
from site_figures import Figures  # noqa: E402, F401
from site_keys import Keyboard  # noqa: E402, F401
from site_pages import Pages  # noqa: E402, F401

if __name__ == "__main__":
    site()  # if it cannot be built, that is said once
    unittest.main()
