"""Where the checkout is, whose command this is."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
# Debian's python3: the one that has Debian's Jinja, Matplotlib and Pygments.
PYTHON = "/usr/bin/python3"
