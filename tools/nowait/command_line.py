"""The verbs of ./nowait."""

import argparse
import dataclasses
import importlib
import os
from typing import Callable, NoReturn, Sequence

from nowait.arguments import Parser, no_arguments
from nowait.checkout import ROOT
from nowait.errors import Usage, status_of


@dataclasses.dataclass(frozen=True)
class Verb:
    """A line of `help`. Its module has main(arguments), which returns the exit status."""

    name: str
    words: str
    line: str
    module: str

    @property
    def usage(self) -> str:
        """--help of a verb for which its line in `help` is enough."""
        return f"usage: ./nowait {self.heading}\n  {self.line}"

    @property
    def heading(self) -> str:
        """How it is typed."""
        return f"{self.name} {self.words}".rstrip()

    def main(self) -> Callable[[Sequence[str]], int]:
        """Loaded only now: a verb's modules may need packages that another verb does without."""
        return importlib.import_module(f"nowait.{self.module}").main


VERBS = (
    Verb("demo", "[flags]",
         "build and run the demo: bodies falling on measured terrain; or --crowd, --game, --navigation, --open-world, --snake, --terminal (demo --help)", "demo"),
    Verb("play", "[SCENE] [flags]",
         "a scene, live in the browser; --record, --export FILE.html (play --help lists flags)", "play"),
    Verb("test", "[--quick] [--config NAME]",
         'build and run everything that CI runs; ends with "N passed, M failed"', "test.verb"),
    Verb("check", "[STRUCTURE] [flags]",
         "check the lock-free structures with their models; --report, --new NAME (check --help)", "check.verb"),
    Verb("show", "FILE.json [flags]",
         "show again what a check has found: the failing execution in lanes", "show"),
    Verb("gallery", "[DIR]",
         "pages of the published defects that the models kill: lanes, store histories, what fixes them", "gallery"),
    Verb("bench", "[NAME]... [flags]",
         "run the benchmarks, beside their baselines (--ratios), or the scenes (bench --help)", "bench"),
    Verb("merge", "BASE LEFT RIGHT [flags]",
         "join two changes of a JSON document field by field; --driver: as git's merge driver (merge --help)", "merge"),
    Verb("session", "serve|join|history [flags]",
         "several people change one JSON document at the same time, on loopback (session --help)", "session"),
    Verb("record", "[NAME]... [flags]",
         "record anew what a text says that a command prints; --texts, --check (record --help)", "record.verb"),
    Verb("compile-commands", "", "write compile_commands.json for editors and clang tools", "compile_commands"),
    Verb("format", "[--check]",
         "lay out the C++ sources with clang-format, or say which ones differ", "format"),
    Verb("setup", "[--print]",
         "install the Debian packages that the other verbs need, or print the apt line", "setup"),
    Verb("learn", "[--port N] [--build DIR]",
         "read the lectures: served on loopback, or written as pages that open from disk", "learn.verb"),
    Verb("exercise", "[N] [flags]",
         "the exercises of the course: list them, or work on one (exercise --help)", "exercise.verb"),
    Verb("help", "", "this list", ""),  # the one without a module: show_help()
)


class _OfAVerb(argparse.ArgumentParser):
    """Leaves a verb's arguments to the verb's own parser."""

    def parse_known_args(self, args=None, namespace=None):
        return argparse.Namespace(arguments=list(args or ())), []


class _Verbs(Parser):
    """Knows the verbs, and refuses a first argument that is not a verb."""

    first = ""

    def error(self, message: str) -> NoReturn:
        raise Usage(f'unknown verb "{self.first}"; ./nowait help lists them')


def _parse(arguments: Sequence[str]) -> tuple[Verb, list[str]]:
    parser = _Verbs("")
    parser.first = arguments[0]
    verbs = parser.add_subparsers(dest="verb", parser_class=_OfAVerb)
    for verb in VERBS:
        verbs.add_parser(verb.name, add_help=False)
    found, unknown = parser.parse_known_args(arguments)
    if unknown or not found.verb:
        parser.error("")
    return next(verb for verb in VERBS if verb.name == found.verb), found.arguments


def show_help(arguments: Sequence[str]) -> int:
    """`help`: the list of verbs."""
    no_arguments("help", arguments)
    print("usage: ./nowait VERB [...]\n")
    for verb in VERBS:
        print(f"  {verb.heading:<36} {verb.line}")
    return 0


def usage_of(name: str) -> str:
    """--help of the verb of this name."""
    return next(verb.usage for verb in VERBS if verb.name == name)


def _do(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        return show_help(arguments[1:])
    verb, rest = _parse(arguments)
    os.chdir(ROOT)
    return verb.main()(rest)


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    return status_of(_do, arguments)
