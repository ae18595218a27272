"""The checkout's course, a small one for errors, and a browser that opens either."""

import atexit
import concurrent.futures
import contextlib
import functools
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]  # not the runfiles, where this file is a link
LEARN = ROOT / "tests/learn/start.py"
_PAGES = pathlib.Path("models/kit/counterexample/page")  # from where Bazel starts a test
sys.path[:0] = [str(ROOT / _PAGES), str(ROOT / "tests/learn")]
import start  # noqa: E402
from nowait.learn import plays  # noqa: E402


@functools.cache
def folder():
    made = tempfile.TemporaryDirectory(dir="/tmp", prefix="learn")
    atexit.register(made.cleanup)
    return pathlib.Path(made.name)


def learn(*arguments, root=ROOT):
    """The builder in a process of its own, as ./nowait learn starts it."""
    return subprocess.run(["/usr/bin/python3", LEARN, "--root", root, *map(str, arguments)], capture_output=True,
                          text=True)


def learn_here(*arguments, root):
    """The same in this process, which keeps what pandoc has said of texts that it has seen."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = start.main(["--root", root, *arguments])
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def lectures(of):
    """The lectures' pages of a site, in the order of the course."""
    with open(ROOT / "lectures/course.toml", "rb") as course:
        listed = [of / (lecture["folder"] + ".html") for lecture in tomllib.load(course)["lecture"]]
    return [page for page in listed if page.is_file()]


@functools.cache
def gallery():
    """For each defect a real page, though of another counterexample: the gallery's own take models to make."""
    out = folder() / "gallery"
    out.mkdir()
    record = (ROOT / _PAGES / "testdata/board.json").read_bytes()
    page = subprocess.run([_PAGES / "make_page"], input=record, capture_output=True, check=True).stdout
    for line in (ROOT / "models/gallery/defects.toml").read_text().splitlines():
        if line.startswith("page = "):
            (out / (line.split('"')[1] + ".html")).write_bytes(page)
    return out


@functools.cache
def recordings():
    """Those of the lectures, made by the player."""
    out = folder() / "recordings"
    plays.write(ROOT, pathlib.Path("src/apps/player/player").absolute(), out)
    return out


def _written(name):
    out = folder() / name
    done = learn("--gallery", gallery(), "--recordings", recordings(), "--build", out)
    if done.returncode != 0:
        sys.exit(f"the course cannot be built: {done.stderr}")
    return out


@functools.cache
def _again():
    return concurrent.futures.ThreadPoolExecutor().submit(_written, "again")


@functools.cache
def site():
    """The checkout's course. While it is looked at, another process writes it again."""
    out = _written("site")
    _again()
    return out


def sites():
    return site(), _again().result()


LECTURE = """---
title: "One"
able:
  - read
---

## The problem

::: slide
- a point
:::

It waits [@one]. A [word]{.term}.

## The idea

```dot
digraph { a -> b }
```

$x^2$

## The code

```{.cpp cut="src/one.h" from="int Twice"}
```

See `src/one.h`.

## The proof

::: {.figure module="still"}
A figure.
:::

## What the authors did

The same.

## Further reading

Nothing yet.

## Exercises
"""

SMALL = {
    "lectures/course.toml": '[[lecture]]\nfolder = "one"\ntitle = "One"\nminutes = 5\nneeds = []\n',
    "lectures/glossary.md": "word\n:   Its meaning.\n",
    "lectures/bibliography.bib": "@misc{one,\n  author = {One, An},\n  title = {Title},\n  year = {2000},\n}\n",
    "lectures/one/lecture.md": LECTURE,
    "lectures/figures/still.js": "export function mount(element) {\n  element.dataset.state = '{}';\n}\n",
    "models/gallery/defects.toml": "",
    "docs/one.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "src/one.h": "// Doubles it.\nint Twice(int x) {\n  return x + x;\n}\n",
}


def small(changes):
    """A course of one lecture, in which some files are others, or (None) are missing."""
    root = pathlib.Path(tempfile.mkdtemp(dir=folder()))
    for name, text in {**SMALL, **changes}.items():
        if text is None:
            continue
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def forget(path):
    shutil.rmtree(path, ignore_errors=True)
