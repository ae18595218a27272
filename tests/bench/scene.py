#!/usr/bin/env python3
"""Runs a benchmark that is a scene (contention, mix, islands, game, scenes), and draws what it measured.

    tests/bench/scene.py PROGRAM [--plot FILE] [flags of the program]

The program prints its table, and writes its results with --json FILE (docs/bench-NAME-json.md); --plot
draws an SVG from them.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile


def write_whole(path, text):
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def take_plot(name, arguments):
    """The path after --plot, or `None`; and the other arguments. Ends the program when the path is unusable."""
    rest, plot = [], None
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--plot" or argument.startswith("--plot="):
            text = argument[7:] if "=" in argument else next(remaining, "")
            plot = pathlib.Path(os.path.abspath(text))
            if not text or plot.is_dir() or not os.access(plot.parent, os.W_OK):
                print(f"{name}: --plot: '{text}' cannot be written", file=sys.stderr)
                sys.exit(2)
        else:
            rest.append(argument)
    return plot, rest


def json_path(arguments):
    """The file that the arguments name for the program's own results, or `None`."""
    for i, argument in enumerate(arguments):
        if argument == "--json" and i + 1 < len(arguments):
            return arguments[i + 1]
        if argument.startswith("--json="):
            return argument[7:]
    return None


def main():
    program = sys.argv[1]
    plot, arguments = take_plot(pathlib.Path(program).name, sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        results = json_path(arguments)
        if plot and results is None:
            results = str(pathlib.Path(folder) / "results.json")
            arguments += ["--json", results]
        status = subprocess.run([program, *arguments], check=False).returncode
        if status != 0 or plot is None or not os.path.exists(results):
            sys.exit(status)
        import scene_plot  # Matplotlib takes a second to load

        with open(results, encoding="utf-8") as file:
            write_whole(plot, scene_plot.draw(json.load(file)))


if __name__ == "__main__":
    main()
