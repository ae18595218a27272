"""The exercises that there are: lectures/*/exercises/*/exercise.toml, read and held to the format.

lectures/README.md, "How an exercise is written", is the format. Everything that is wrong is a Complaint: one line that
names the file.
"""

import dataclasses
import difflib
import pathlib
import re
import tomllib

from nowait import exercise_order
from nowait.errors import USAGE, Failure
from nowait.exercise import build_files

KINDS = ("repair", "extend", "model", "litmus")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LABEL = re.compile(r"//[\w./-]+:[\w.-]+")
FEWEST_HINTS = 3

# key: (type, of which elements, in which kinds it must be, in which it may be)
KEYS = {
    "title": (str, KINDS, ()),
    "kind": (str, KINDS, ()),
    "minutes": (int, KINDS, ()),
    "files": (list, KINDS, ()),
    "reason": (str, KINDS, ()),
    "hints": (list, KINDS, ()),
    "model": ((str, list), ("repair", "model"), ("extend",)),
    "tests": (list, ("litmus",), ("extend",)),
    "bench": (str, (), ("extend",)),
    "at_most": (float, (), ("extend",)),
    "mutant": (str, ("repair",), ()),
    "forget": (list, (), ("repair",)),
    "argument": (list, (), ("repair", "extend")),
    "arguments": (list, (), ("repair", "extend")),
    "structure": (str, ("model",), ()),
    "mutants": (list, ("model",), ()),
    "kills": (int, ("model",), ()),
}


class Complaint(Failure):
    """What is wrong, in one line."""

    verb = "exercise: "


class Unknown(Complaint):
    """An exercise was asked for that is not there."""

    status = USAGE


@dataclasses.dataclass(frozen=True)
class Exercise:
    lecture: str
    name: str
    folder: str  # from the root
    title: str
    kind: str
    minutes: int
    files: tuple
    reason: str
    hints: tuple
    models: tuple = ()
    tests: tuple = ()
    bench: str = ""
    at_most: float = 0.0  # of the starter's work
    mutant: str = ""
    forget: tuple = ()  # from these words on a paragraph of a comment is not in the starter
    argument: tuple = ()  # what argument.py asks
    arguments: tuple = ()
    structure: str = ""
    mutants: tuple = ()
    kills: int = 0
    number: int = 0

    def place_in_copy(self, file):
        """Where a file lies in the student's folder: one of the exercise's own at the top, others as in the root."""
        return file.removeprefix(self.folder + "/")


def package_and_name(label):
    package, _, name = label.removeprefix("//").partition(":")
    return package, name


def _is_text_list(value):
    return isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value)


def _check_argument(items, where):
    """A list of tables: an edit, or a claim that holds or does not."""
    for item in items:
        if not isinstance(item, dict) or set(item) not in ({"edit"}, {"claim", "holds"}):
            raise Complaint(f"{where}: each [[argument]] has an edit, or a claim and holds")
        text = item.get("edit", item.get("claim"))
        if not isinstance(text, str) or not text.strip() or not isinstance(item.get("holds", False), bool):
            raise Complaint(f"{where}: [[argument]]: edit and claim are texts, holds is true or false")
    if not 1 <= len(items) <= 26:
        raise Complaint(f"{where}: [[argument]] has {len(items)} items; 1 to 26 have a letter")


def _check_keys(table, where):
    kind = table.get("kind")
    if kind not in KINDS:
        raise Complaint(f"{where}: kind is {kind!r} and not one of {', '.join(KINDS)}")
    for key in table:
        if key not in KEYS:
            close = difflib.get_close_matches(key, KEYS, 1)
            raise Complaint(f"{where}: unknown key {key!r}" + (f"; {close[0]!r}?" if close else ""))
    for key, (types, must, may) in KEYS.items():
        if key not in table:
            if kind in must:
                raise Complaint(f"{where}: {key} is missing")
            continue
        if kind not in must and kind not in may:
            raise Complaint(f"{where}: {key} is not for kind {kind!r}")
        value = table[key]
        if not isinstance(value, types) or isinstance(value, bool):
            raise Complaint(f"{where}: {key} is of the wrong type")
        if isinstance(value, str) and not value.strip():
            raise Complaint(f"{where}: {key} is empty")
        if key == "argument":
            _check_argument(value, where)
        elif isinstance(value, list) and not _is_text_list(value):
            raise Complaint(f"{where}: {key} must be a list of texts")
        if isinstance(value, int) and value < 1:
            raise Complaint(f"{where}: {key} must be at least 1")
        if isinstance(value, float) and not 0 < value < 1:
            raise Complaint(f"{where}: {key} must be between 0 and 1")
    if ("bench" in table) != ("at_most" in table):
        raise Complaint(f"{where}: bench and at_most come together")


def _check_values(exercise, root, where):
    if not exercise.files:
        raise Complaint(f"{where}: files is empty")
    for file in exercise.files:
        if file.startswith("/") or ".." in file.split("/"):
            raise Complaint(f"{where}: files: {file!r} is no path from the root")
        if not file.startswith(("src/", "models/", exercise.folder + "/")):
            raise Complaint(f"{where}: files: {file!r} is neither in src, in models nor the exercise's own")
        if not (root / file).is_file():
            raise Complaint(f"{where}: files: there is no {file}")
    if len(exercise.hints) < FEWEST_HINTS:
        raise Complaint(f"{where}: {len(exercise.hints)} hints; {FEWEST_HINTS} are the fewest")
    if not exercise.models and not exercise.tests and not exercise.bench:
        raise Complaint(f"{where}: model, tests or bench must say what grades it")
    for label in filter(None, exercise.models + exercise.tests + (exercise.bench, exercise.structure)):
        if not LABEL.fullmatch(label):
            raise Complaint(f"{where}: {label!r} is no label as //models/jobs:job_list is")
    if not (root / exercise.folder / "task.md").is_file():
        raise Complaint(f"{where}: there is no task.md beside it")
    if exercise.kind == "repair" and not (root / mutant_patch(root, exercise)).is_file():
        raise Complaint(f"{where}: mutant: there is no {mutant_patch(root, exercise)}")
    needs = {"extend": ("starter.patch", "solution.patch"), "litmus": ("solution.patch",), "model": ("starter.patch",)}
    for name in needs.get(exercise.kind, ()):
        if not (root / exercise.folder / name).is_file():
            raise Complaint(f"{where}: there is no {name} beside it")


def mutant_patch(root, exercise):
    """The patch that makes a repair's starter, from the root."""
    package, _ = package_and_name(exercise.models[0])
    return build_files.patch_of(root, package, exercise.mutant)


def read(root, toml):
    """One exercise.toml as an Exercise without a number."""
    where = toml.relative_to(root).as_posix()
    folder = toml.parent.relative_to(root).as_posix()
    lecture, name = toml.parents[2].name, toml.parent.name
    if not NAME.fullmatch(lecture) or not NAME.fullmatch(name):
        raise Complaint(f"{where}: its folders must be lectures/name/exercises/name, in lower-case-with-dashes")
    try:
        table = tomllib.loads(toml.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Complaint(f"{where}: {error}") from None
    except OSError as error:
        raise Complaint(f"{where}: {error.strerror}") from None
    _check_keys(table, where)
    models = table.pop("model", [])
    exercise = Exercise(lecture=lecture, name=name, folder=folder,
                        models=tuple([models] if isinstance(models, str) else models),
                        **{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
    _check_values(exercise, root, where)
    return exercise


def load(root):
    """All exercises of the checkout, numbered in the order of the course. The first thing wrong is a Complaint."""
    root = pathlib.Path(root)
    found = [read(root, toml) for toml in sorted(root.glob("lectures/*/exercises/*/exercise.toml"))]
    course = list(lecture_titles(root))
    found.sort(key=lambda one: exercise_order.place(course, one.lecture, one.kind, one.minutes, one.name))
    by_name = {}
    for one in found:
        other = by_name.setdefault(one.name, one)
        if other is not one:
            raise Complaint(f"{one.folder}/exercise.toml: {other.folder} has the same name")
    return [dataclasses.replace(one, number=number) for number, one in enumerate(found, 1)]


def find(exercises, words):
    """The exercise with this number or name."""
    for one in exercises:
        if words in (str(one.number), one.name):
            return one
    if not exercises:
        raise Unknown("there is no exercise yet")
    if words.isdigit():
        raise Unknown(f"there is no exercise {words}; the numbers go from 1 to {len(exercises)}")
    close = difflib.get_close_matches(words, [one.name for one in exercises], 1)
    raise Unknown(f"there is no exercise {words!r}; " + (f"{close[0]!r}?" if close else "./nowait exercise lists them"))


def lecture_titles(root):
    """Titles by folder, in the course's order. A lecture that lectures/course.toml does not list is called by its folder."""
    try:
        table = tomllib.loads((pathlib.Path(root) / "lectures/course.toml").read_text(encoding="utf-8"))
        return {one["folder"]: one["title"] for one in table.get("lecture", [])}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, UnicodeDecodeError):
        return {}  # ./nowait learn says what is wrong with it
