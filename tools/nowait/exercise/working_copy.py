"""The student's folder: exercise/NAME with the files to be edited, the task and the sheet for the argument."""

import pathlib
import shutil
import subprocess
import tempfile

from nowait.exercise import argument, comments
from nowait.exercise.catalogue import Complaint, mutant_patch


def patched(root, exercise, patches):
    """The exercise's files as texts by name: as the root has them, and then the patches that exist."""
    with tempfile.TemporaryDirectory() as scratch:
        for file in exercise.files:
            (pathlib.Path(scratch) / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / file, pathlib.Path(scratch) / file)
        for patch in patches:
            path = root / patch
            if not path.is_file():
                continue
            try:
                done = subprocess.run(
                    ["patch", "--silent", "--strip=1", "--fuzz=0", "--no-backup-if-mismatch", "--reject-file=-",
                     "--directory=" + scratch], input=path.read_bytes(), capture_output=True, check=False)
            except FileNotFoundError:
                raise Complaint("the program patch is missing; ./nowait setup installs it") from None
            if done.returncode != 0:
                raise Complaint(f"{patch} does not apply any more")
        return {file: (pathlib.Path(scratch) / file).read_text(encoding="utf-8") for file in exercise.files}


def defect(root, exercise):
    """What is to be repaired or extended, with all comments."""
    patch = mutant_patch(root, exercise) if exercise.kind == "repair" else f"{exercise.folder}/starter.patch"
    return patched(root, exercise, [patch])


def starter(root, exercise):
    """What the student begins with. A repair is without the comments that argue for the code."""
    texts = defect(root, exercise)
    if exercise.kind != "repair":
        return texts
    try:
        forgotten = {file: comments.forget(text, tuple(words for words in exercise.forget if words in text))
                     for file, text in texts.items()}
    except ValueError as error:
        raise Complaint(f"{exercise.folder}/exercise.toml: forget: {error}") from None
    return {file: comments.without_arguments(text) for file, text in forgotten.items()}


def solution(root, exercise):
    """Of a repair and of a model: the file as it stands."""
    return patched(root, exercise, [f"{exercise.folder}/solution.patch"])


LEFT_OUT = """
Comments inside of functions and the argument behind the class are left out of your copy, right ones too: put back
those that a reader needs."""


def folder_of(checkout, exercise):
    return checkout / "exercise" / exercise.name


def task(root, exercise):
    """TASK.md: the exercise's text, and what to do with it."""
    files = "\n".join(f"- `{exercise.place_in_copy(file)}`" for file in exercise.files)
    text = (root / exercise.folder / "task.md").read_text(encoding="utf-8").strip()
    return f"""# {exercise.title}
{text}

## What to edit, in this folder
{files}

Everything else is graded with as the last commit has it.{LEFT_OUT if exercise.kind == "repair" else ""}
{argument.asked(argument.questions(root, exercise))}
```
./nowait exercise {exercise.name}              check on every save
./nowait exercise {exercise.name} --once       check now
./nowait exercise {exercise.name} --hint       the next of {len(exercise.hints)} hints
./nowait exercise {exercise.name} --solution   after a pass, or when asked twice
./nowait exercise {exercise.name} --again      start afresh; what you have is kept aside
```
"""


def put_aside(folder):
    """Renames the folder; returns what it is called then."""
    number = 1
    while (kept := folder.with_name(f"{folder.name}.old-{number}")).exists():
        number += 1
    folder.rename(kept)
    return kept


def begin(checkout, root, exercise):
    """Makes the folder if it is missing. Returns whether it made one."""
    folder = folder_of(checkout, exercise)
    sheet = argument.sheet(argument.questions(root, exercise))
    if folder.exists():
        if sheet and not (folder / argument.FILE).exists():
            (folder / argument.FILE).write_text(sheet, encoding="utf-8")
        return False
    texts = starter(root, exercise)
    try:
        folder.parent.mkdir(exist_ok=True)
        scratch = pathlib.Path(tempfile.mkdtemp(dir=folder.parent, prefix=".begin."))
        try:
            for file, text in texts.items():
                path = scratch / exercise.place_in_copy(file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            (scratch / "TASK.md").write_text(task(root, exercise), encoding="utf-8")
            if sheet:
                (scratch / argument.FILE).write_text(sheet, encoding="utf-8")
            scratch.chmod(0o755)
            scratch.rename(folder)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    except OSError as error:
        raise Complaint(f"exercise/{exercise.name} cannot be written: {error.strerror}") from None
    return True


def read(checkout, exercise):
    """The student's files as bytes by their names in the root."""
    folder = folder_of(checkout, exercise)
    texts = {}
    for file in exercise.files:
        place = exercise.place_in_copy(file)
        try:
            texts[file] = (folder / place).read_bytes()
        except OSError as error:
            raise Complaint(f"exercise/{exercise.name}/{place}: {error.strerror}; --again starts afresh") from None
    return texts
