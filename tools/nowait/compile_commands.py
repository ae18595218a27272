"""compile-commands: what the compiler is called with, for editors and clang tools."""

import json
import os
from typing import Sequence

from nowait import bazel, processes
from nowait.arguments import Parser
from nowait.checkout import ROOT
from nowait.command_line import usage_of
from nowait.errors import Failure
from nowait.packages import require


def main(arguments: Sequence[str]) -> int:
    Parser("compile-commands", usage_of("compile-commands")).parse(arguments)
    require("build", "check", "bench", "test")
    ended = bazel.call(["aquery", "--config=opt", "--output=jsonproto", *bazel.QUIET,
                        "mnemonic('CppCompile', deps(//...))"], stdout=processes.PIPE, text=True)
    if ended.status != 0:
        raise Failure("compile_commands.json was not written")
    commands = commands_in(json.loads(ended.output))
    path = ROOT / "compile_commands.json"
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(commands, indent=1) + "\n", encoding="utf-8")
    os.replace(new, path)
    print(f"compile_commands.json: {len(commands)} sources")
    return 0


def commands_in(actions: dict) -> list[dict]:
    """The commands of Bazel's action graph, for sources of this repository, in the order of their names."""
    commands = []
    for action in actions.get("actions", []):
        # clang's tools do not know this flag of g++.
        arguments = [it for it in action["arguments"] if it != "-fno-canonical-system-headers"]
        # Nor does a source need what was compiled beforehand: it includes the headers itself.
        for place in [at for at, it in enumerate(arguments) if it.endswith(".precompiled.h")][::-1]:
            del arguments[place - 1:place + 1]
        source = arguments[arguments.index("-c") + 1]
        if not source.startswith("external/"):
            commands.append({"directory": str(ROOT), "file": source, "arguments": arguments})
    return sorted(commands, key=lambda command: command["file"])
