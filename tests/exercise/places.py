"""Where the modules of ./nowait exercise are, and a small checkout for tests of them."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

HEADER = "// A box.\nint Size() { return 1; }\n"
PATCH = """--- a/src/box/box.h
+++ b/src/box/box.h
@@ -1,2 +1,2 @@
 // A box.
-int Size() { return 1; }
+int Size() { return 2; }
"""
TOML = """title = "A box too large"
kind = "repair"
minutes = 20
files = ["src/box/box.h"]
reason = "data race"
model = "//models/box:box"
mutant = "box_too_large"
hints = ["Look.", "Think.", "Write 1."]
"""


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def small_checkout(root, toml=TOML):
    """One lecture with one repair, of a structure of one line."""
    folder = "lectures/boxes/exercises/too-large"
    write(root, {
        "src/box/box.h": HEADER,
        "models/box/mutants/box_too_large.patch": PATCH,
        f"{folder}/exercise.toml": toml,
        f"{folder}/task.md": "Repair `Size`.\n",
    })
    return folder
