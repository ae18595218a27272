"""--new: the files that an exercise begins with."""

import json
import pathlib
import shutil
import tempfile

from nowait.exercise import build_files, catalogue
from nowait.exercise.catalogue import Complaint

TASK = """The question, in two or three sentences: the program, what a thread sees, and the defect.

The promise that holds in the end. How it is graded, and how many executions that takes.
"""
HINTS = ["Where to look.", "What to think about there.", "What to do, short of the code."]
# The further needs of a kind; {label} is the folder's package.
KEYS = {
    "extend": 'model = "{label}:{target}"\n',
    "litmus": 'tests = ["{label}:{target}"]\n',
    "model": 'model = "{label}:{target}"\nstructure = "//models/sync:quota"\n'
             'mutants = ["never_reset", "one_too_many"]\nkills = 5\n',
}
FILES = {"extend": "src/sync/quota.h", "litmus": "{folder}/litmus.cc", "model": "models/sync/quota.cc"}
BUILD = {
    "extend": """load("//lectures:exercise.bzl", "exercise_model")

exercise_model(
    name = "{target}",
    srcs = ["{target}.cc"],
    headers = ["//src/sync:quota.h"],
    reason = "REASON",
    deps = ["//src/sync:quota"],
)
""",
    "litmus": """load("//lectures:exercise.bzl", "exercise_test")

exercise_test(
    name = "{target}",
    srcs = ["{target}.cc"],
    reason = "REASON",
    sources = ["litmus.cc"],
    deps = ["//models/kit/litmus:suite"],
)
""",
    "model": """load("//lectures:exercise.bzl", "exercise_kills")

exercise_kills(
    name = "{target}",
    headers = ["//src/sync:quota.h"],
    kills = 5,
    model = "//models/sync:quota",
    mutants = [
        "never_reset",
        "one_too_many",
    ],
    reason = "REASON",
    deps = ["//src/sync:quota"],
)
""",
}


def toml(title, kind, minutes, files, reason, rest, hints):
    text = lambda value: json.dumps(value, ensure_ascii=False)  # TOML's basic strings are written so too
    lines = [f"title = {text(title)}", f"kind = {text(kind)}", f"minutes = {minutes}",
             f"files = [{', '.join(text(file) for file in files)}]", f"reason = {text(reason)}", rest.rstrip(), "hints = ["]
    return "\n".join(lines + [f"  {text(hint)}," for hint in hints] + ["]"]) + "\n"


def find_mutant(root, words):
    """The mutant that is called so, and its label."""
    known = build_files.mutants(root)
    found = [(label, one) for label, one in known.items() if words in (label, one.test)]
    if not found:
        raise Complaint(f'--new: there is no mutant "{words}"; models/*/mutants has them')
    return found[0]


def files_for(root, lecture, name, kind, mutant):
    """The skeleton's files by name."""
    folder = f"lectures/{lecture}/exercises/{name}"
    title = name.replace("-", " ").capitalize()
    if kind == "repair":
        _, one = find_mutant(root, mutant)
        rest = f'model = "{one.model}"\nmutant = "{one.test}"\n'
        if one.arguments:
            rest += f"arguments = {json.dumps(list(one.arguments))}\n"
        return {"exercise.toml": toml(title, kind, 20, one.files, one.reason, rest, HINTS), "task.md": TASK}
    names = {"folder": folder, "label": "//" + folder, "target": name.replace("-", "_")}
    return {
        "exercise.toml": toml(title, kind, 30, [FILES[kind].format(**names)], "REASON", KEYS[kind].format(**names), HINTS),
        "task.md": TASK,
        "BUILD": BUILD[kind].format(**names),
    }


def make(root, lecture, name, kind, mutant=""):
    """Writes the skeleton; all of it or nothing. Returns the folder, from the root."""
    root = pathlib.Path(root)
    if not catalogue.NAME.fullmatch(lecture):
        raise Complaint(f'--new: "{lecture}" is no lecture as the-job-list is')
    if not catalogue.NAME.fullmatch(name):
        raise Complaint(f'--new: "{name}" is not a name in lower-case-with-dashes')
    if kind not in catalogue.KINDS:
        raise Complaint(f'--new: "{kind}" is not one of {", ".join(catalogue.KINDS)}')
    if not (root / "lectures" / lecture).is_dir():
        raise Complaint(f"--new: there is no lectures/{lecture}")
    there = sorted(root.glob(f"lectures/*/exercises/{name}"))
    if there:
        raise Complaint(f"--new: {there[0].relative_to(root)} is there already")
    files = files_for(root, lecture, name, kind, mutant)
    parent = root / "lectures" / lecture / "exercises"
    try:
        parent.mkdir(exist_ok=True)
        scratch = pathlib.Path(tempfile.mkdtemp(dir=parent, prefix=".new."))
        try:
            for file, text in files.items():
                (scratch / file).write_text(text, encoding="utf-8")
            scratch.chmod(0o755)
            scratch.rename(parent / name)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    except OSError as error:
        raise Complaint(f"--new: {parent.relative_to(root)} cannot be written: {error.strerror}") from None
    return (parent / name).relative_to(root).as_posix(), list(files)
