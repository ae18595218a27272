"""Turns `bazel aquery --output=jsonproto` on stdin into compile_commands.json in ROOT."""

import json
import os
import sys


def main():
    root = sys.argv[1]
    commands = []
    for action in json.load(sys.stdin).get("actions", []):
        # clang's tools do not know this flag of g++.
        arguments = [a for a in action["arguments"] if a != "-fno-canonical-system-headers"]
        source = arguments[arguments.index("-c") + 1]
        if source.startswith("external/"):
            continue
        commands.append({"directory": root, "file": source, "arguments": arguments})
    commands.sort(key=lambda command: command["file"])
    path = os.path.join(root, "compile_commands.json")
    with open(path + ".new", "w", encoding="utf-8") as out:
        json.dump(commands, out, indent=1)
        out.write("\n")
    os.replace(path + ".new", path)
    print(f"compile_commands.json: {len(commands)} sources")


if __name__ == "__main__":
    main()
