"""format: clang-format over every C++ source that git knows."""

import shutil
from typing import Sequence

from nowait import processes
from nowait.arguments import Parser
from nowait.command_line import usage_of
from nowait.errors import Failure


def main(arguments: Sequence[str]) -> int:
    parser = Parser("format", usage_of("format"))
    parser.add_argument("--check", action="store_true")
    check = parser.parse(arguments).check
    if not shutil.which("clang-format"):
        raise Failure("clang-format is missing; the Debian package is called clang-format")
    listed = processes.run(["git", "ls-files", "-z", "*.h", "*.cc"], stdout=processes.PIPE, text=True).output
    files = [file for file in listed.split("\0") if file]
    return processes.run(["clang-format", *(["--dry-run", "-Werror"] if check else ["-i"]), *files]).exit_status
