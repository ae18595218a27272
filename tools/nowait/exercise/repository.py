"""@exercise: the student's files as a repository of Bazel's, which <check>_yours is compiled against.

It holds the files under their names in the root, and all.h, which includes them in the order of exercise.toml. The
#line is the student's path: compilers and counterexamples name what can be opened.
"""

import shutil

BUILD = """cc_library(
    name = "files",
    textual_hdrs = {files},
    visibility = ["//visibility:public"],
)
"""


def write_if_new(path, data):
    """Leaves alone what is the same already: Bazel looks at times first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)


def write(folder, exercise, texts):
    """texts: bytes by name in the root."""
    wanted = {"WORKSPACE": b"", "all.h": b""}
    for file in exercise.files:
        path = f"exercise/{exercise.name}/{exercise.place_in_copy(file)}"
        wanted[file] = f'#line 1 "{path}"\n'.encode() + texts[file]
        wanted["all.h"] += f'#include "external/exercise/{file}"\n'.encode()
    wanted["BUILD"] = BUILD.format(files=sorted({*exercise.files, "all.h"})).encode()
    for old in sorted(folder.rglob("*"), reverse=True):
        name = old.relative_to(folder).as_posix()
        if old.is_dir() and not old.is_symlink():
            if not any(path.startswith(name + "/") for path in wanted):
                shutil.rmtree(old)
        elif name not in wanted:
            old.unlink()
    for name, data in wanted.items():
        write_if_new(folder / name, data)
