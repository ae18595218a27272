"""The skeleton's files, from the templates in new/; tests/new_structure builds and checks what this writes.

usage: python3 -m nowait.check.instantiate NAME FOLDER OUT

NAME: the structure's, in lower_snake_case. FOLDER: its place in the workspace. OUT: where the files are written.
"""

import pathlib
import re
import sys

TEMPLATES = pathlib.Path(__file__).parent / "new"


def write(name: str, folder: str, out: pathlib.Path) -> None:
    """In a template @name@ is lower_snake_case, @Name@ CamelCase, @folder@ the folder, @GUARD@ the include guard."""
    values = {
        "@name@": name,
        "@Name@": re.sub(r"(?:^|_)([a-z0-9])", lambda match: match[1].upper(), name),
        "@folder@": folder,
        "@GUARD@": f"NOWAIT_{re.sub('[^A-Z0-9_]', '_', f'{folder}/{name}'.upper())}_H_",
    }
    for template in sorted(TEMPLATES.glob("*.template")):
        text = template.read_text(encoding="utf-8")
        for key, value in values.items():
            text = text.replace(key, value)
        file = re.sub("^name", name, template.name.removesuffix(".template"))
        (out / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]))
