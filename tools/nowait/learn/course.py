"""lectures/course.toml: which lectures there are, in which order, and what each needs."""

import dataclasses
import pathlib
import re
import tomllib

from nowait import exercise_order
from nowait.learn.complaint import Complaint, line_of

_KINDS = {"repair", "extend", "model", "litmus"}
_PAGES = {"index", "glossary", "bibliography", "teacher"}  # of the site, beside the lectures


@dataclasses.dataclass
class Exercise:
    name: str
    title: str
    kind: str
    minutes: int
    task: pathlib.Path
    number: int = 0


@dataclasses.dataclass
class Lecture:
    folder: str
    title: str
    minutes: int
    needs: list
    number: int
    written: bool  # False: listed, and not there yet
    exercises: list

    @property
    def page(self):
        return f"{self.folder}.html"


@dataclasses.dataclass
class Course:
    lectures: list
    planned: list  # titles

    @property
    def written(self):
        return [lecture for lecture in self.lectures if lecture.written]

    def named(self, folder):
        return next(lecture for lecture in self.lectures if lecture.folder == folder)


def read_toml(root, path):
    """What is in a TOML file. `path` is relative to the root."""
    try:
        return tomllib.loads((root / path).read_text())
    except FileNotFoundError:
        raise Complaint(path, 0, "is missing") from None
    except UnicodeDecodeError:
        raise Complaint(path, 0, "is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        raise Complaint(path, found[1] if found else 1, f"{error}") from None


def _want(path, text, where, table, wanted):
    """The keys of a table are these, of these types, and no others."""
    line = line_of(text, where)
    for key in table:
        if key not in wanted:
            raise Complaint(path, line, f"unknown key {key!r}")
    for key, kind in wanted.items():
        if type(table.get(key)) is not kind:
            raise Complaint(path, line, f"{key!r} is missing, or is not a {kind.__name__}")


def read(root):
    path = "lectures/course.toml"
    data = read_toml(root, path)
    text = (root / path).read_text()
    for key in data:
        if key not in ("lecture", "planned"):
            raise Complaint(path, line_of(text, key), f"unknown key {key!r}")
    lectures = []
    for table in data.get("lecture", []):
        place = f'folder = "{table.get("folder", "")}"'
        _want(path, text, place, table, {"folder": str, "title": str, "minutes": int, "needs": list})
        folder, before = table["folder"], [lecture.folder for lecture in lectures]
        if folder in before:
            raise Complaint(path, line_of(text, place), f"{folder} is there twice")
        if folder in _PAGES:
            raise Complaint(path, line_of(text, place), f"{folder} is a page of the site already")
        for need in table["needs"]:
            if need not in before:
                raise Complaint(path, line_of(text, place), f"{folder} needs {need}, which is no lecture before it")
        written = (root / "lectures" / folder / "lecture.md").is_file()
        lectures.append(Lecture(folder, table["title"], table["minutes"], table["needs"], len(lectures) + 1, written,
                                _exercises(root, folder)))
    if not lectures:
        raise Complaint(path, 1, "there is no lecture")
    for found in sorted((root / "lectures").glob("*/lecture.md")):
        if found.parent.name not in [lecture.folder for lecture in lectures]:
            raise Complaint(path, 1, f"lectures/{found.parent.name} is not listed")
    planned = []
    for table in data.get("planned", []):
        _want(path, text, f'title = "{table.get("title", "")}"', table, {"title": str})
        planned.append(table["title"])
    for number, exercise in enumerate((one for lecture in lectures for one in lecture.exercises), 1):
        exercise.number = number
    return Course(lectures, planned)


def _exercises(root, folder):
    """Those of one lecture."""
    found = []
    for path in (root / "lectures" / folder / "exercises").glob("*/exercise.toml"):
        place = path.relative_to(root)
        table, text = read_toml(root, place), path.read_text()
        for key, kind in (("title", str), ("kind", str), ("minutes", int)):
            if type(table.get(key)) is not kind:
                raise Complaint(place, line_of(text, key), f"{key!r} is missing, or is not a {kind.__name__}")
        if table["kind"] not in _KINDS:
            raise Complaint(place, line_of(text, "kind"), f"unknown kind {table['kind']!r}")
        task = place.parent / "task.md"
        if not (root / task).is_file():
            raise Complaint(task, 0, "is missing")
        found.append(Exercise(path.parent.name, table["title"], table["kind"], table["minutes"], task))
    return sorted(found, key=lambda one: exercise_order.place([folder], folder, one.kind, one.minutes, one.name))
