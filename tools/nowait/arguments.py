"""Arguments by argparse, with the messages of ./nowait: one line that begins with the verb."""

import argparse
import re
from typing import NoReturn, Sequence

from nowait.errors import Usage

_NEEDS_VALUE = re.compile(r"argument (--[a-z-]+).*: expected (?:one|at least one) argument")


class _Help(argparse.Action):
    """--help: the text as it is written."""

    def __init__(self, text: str, **keywords) -> None:
        super().__init__(nargs=0, default=argparse.SUPPRESS, **keywords)
        self.text = text

    def __call__(self, parser, *_) -> NoReturn:
        print(self.text.rstrip())
        parser.exit()


class Parser(argparse.ArgumentParser):
    """The arguments of one verb.

    add(flag, needs="a name") is add_argument() of a flag with a value: without the value the line says what it needs.
    A `type` of a flag raises Usage where argparse's own words would not do.

    usage: what --help prints; with a description instead argparse writes it from the flags.
    """

    def __init__(self, verb: str, usage: str = "", description: str | None = None) -> None:
        super().__init__(prog=f"./nowait {verb}", add_help=description is not None, allow_abbrev=False,
                         description=description)
        self.verb = verb
        self._needs: dict[str, str] = {}
        if usage:
            self.add_argument("-h", "--help", action=_Help, text=usage)

    def add(self, flag: str, needs: str = "a value", **keywords) -> None:
        self._needs[flag] = needs
        self.add_argument(flag, **keywords)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Reads all arguments; the first unknown one is refused."""
        found, unknown = self.parse_known_args(arguments)
        if unknown:
            raise unknown_argument(self.verb, unknown[0])
        return found

    def error(self, message: str) -> NoReturn:
        if match := _NEEDS_VALUE.fullmatch(message):
            raise Usage(f"{self.verb}: {match[1]} needs {self._needs.get(match[1], 'a value')}")
        raise Usage(f"{self.verb}: {message}")


def unknown_argument(verb: str, argument: str) -> Usage:
    """The line about an argument that a verb does not know."""
    return Usage(f'{verb}: unknown argument "{argument}"')


def no_arguments(verb: str, arguments: Sequence[str]) -> None:
    """Refuses any."""
    if arguments:
        raise unknown_argument(verb, arguments[0])


def whole_number(text: str, low: int, high: int) -> int | None:
    """The number in the text, without leading zeros. Returns None for another text and beyond the bounds."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text):
        return None
    return int(text) if low <= int(text) <= high else None
