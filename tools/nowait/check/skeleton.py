"""check --new: the skeleton of a structure of one's own, with its model."""

import pathlib
import re
import shutil
import tempfile
from typing import Sequence

from nowait.arguments import no_arguments
from nowait.check import instantiate
from nowait.errors import Usage

# C++20's keywords that could be a name here, the words that the skeleton itself uses, and ":all", which Bazel takes for
# every target.
NOT_A_NAME = frozenset("""
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
xor_eq all put sync t take
""".split())


def main(arguments: Sequence[str]) -> int:
    """check --new NAME [FOLDER]: all of it or nothing is written."""
    if not arguments:
        raise Usage("check --new: a name is needed, for example: ./nowait check --new letter_box")
    no_arguments("check --new", arguments[2:])
    name = arguments[0]
    folder = (arguments[1] if len(arguments) > 1 else f"own/{name}").removesuffix("/")
    _check(name, folder)
    make(name, pathlib.Path(folder))
    print(_said(name, folder))
    return 0


def _check(name: str, folder: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        shown = re.sub(r"[\x00-\x1f\x7f]", " ", name)
        raise Usage(f'check --new: "{shown}" is not a name in lower_snake_case, as letter_box is')
    if name in NOT_A_NAME:
        raise Usage(f'check --new: "{name}" means something else to C++, Bazel or the skeleton')
    if not re.fullmatch(r"own(/[a-z0-9_]+)+", folder):
        raise Usage(f'check --new: "{folder}" is not a folder below own/, in lower case')
    for place in ("models", "own"):
        for ending in ("toml", "pml"):
            for existing in pathlib.Path(place).rglob(f"{name}.{ending}"):
                raise Usage(f'check --new: there is a structure "{name}" already: {existing.with_suffix("")}')
    if pathlib.Path(folder).exists() or pathlib.Path(folder).is_symlink():
        raise Usage(f"check --new: {folder} is there already")


def make(name: str, folder: pathlib.Path) -> None:
    """Writes the folder beside its place, and then renames it."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = pathlib.Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new."))
    except OSError:
        raise Usage(f"check --new: {folder.parent} cannot be written") from None
    try:
        instantiate.write(name, folder.as_posix(), scratch)
        scratch.chmod(0o755)  # a temporary folder is for its owner alone
        scratch.rename(folder)  # never into a folder that has come meanwhile
    except OSError:
        raise Usage(f"check --new: {folder} cannot be written") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _said(name: str, folder: str) -> str:
    files = (
        (f"{name}.h", "the structure: a box for one message, to begin with"),
        (f"{name}.cc", "its model: two scenarios, and what they check"),
        (f"{name}.toml", "what is written about mutants that survive"),
        (f"{name}_orders.md", "the weakest memory orders that the scenarios accept"),
        ("BUILD", "what Bazel needs to know"),
    )
    commands = (
        (f"./nowait check {name}", "its scenarios pass"),
        (f"./nowait check {name} --mutate", "every order weakened, every store dropped: each is noticed"),
        (f"./nowait check {name} --minimise --update", "the table of orders, after a change of the source"),
    )
    return "\n".join([
        f"{folder} is yours now:",
        *(f"  {file:<24} {words}" for file, words in files),
        "Next:",
        *(f"  {command:<42} {words}" for command, words in commands),
        f"Or change the first release in {name}.h to relaxed: the check shows the data race step by step.",
        "models/README.md says how to go on; ./nowait check and ./nowait test include it from now on.",
    ])
