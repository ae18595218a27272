"""setup: the packages for all verbs, ahead of time."""

from typing import Sequence

from nowait.arguments import Parser
from nowait.command_line import usage_of
from nowait.packages import ALL, CAPTURED_MOTION, apt_line, packages_for, require


def main(arguments: Sequence[str]) -> int:
    parser = Parser("setup", usage_of("setup"))
    parser.add_argument("--print", action="store_true")
    if parser.parse(arguments).print:
        print(apt_line(packages_for((*ALL, CAPTURED_MOTION))))
    else:
        require(*ALL, CAPTURED_MOTION)
    return 0
