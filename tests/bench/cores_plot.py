#!/usr/bin/env python3
"""Draws what simulated cores take: speed-ups, and the ways to do the same work, against the number of cores.

    tests/bench/cores_plot.py RESULTS.json FILE.svg
"""

import collections
import io
import json
import pathlib
import sys

import matplotlib

from scene import write_whole

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

# The colour-blind distinguish them; a marker each, too.
STYLES = [("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#e69f00", "v"), ("#56b4e9", "P"),
          ("#000000", "x"), ("#7f7f7f", "*")]
WORKS = (1000, 10_000)  # nanoseconds, of the speed-ups
WORK_OF_POLICIES = 1000
POLICIES = (("fan", "tree"), ("list", "ranges"))  # of each panel


def series(points):
    """By name and work: [(threads, round_ns)]."""
    found = collections.defaultdict(list)
    for point in points:
        found[point["name"], point["work_ns"]].append((point["threads"], point["round_ns"]))
    return found


def tidy(panel, title, ylabel, threads):
    panel.set(title=title, ylabel=ylabel, xlabel="simulated cores", xscale="log", yscale="log")
    panel.set_xscale("log", base=2)
    panel.set_xticks(threads, [str(count) for count in threads])
    panel.minorticks_off()
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    panel.grid(True, which="major", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def figure_of(report):
    figure, panels = plt.subplots(2, 2, figsize=(10.4, 8.6))
    workloads, policies = series(report["workloads"]), series(report["policies"])
    for panel, work in zip(panels[0], WORKS):
        chosen = {name: points for (name, each), points in workloads.items() if each == work}
        threads = [count for count, _ in next(iter(chosen.values()))]
        panel.plot(threads, threads, color="#bbbbbb", linewidth=1, linestyle="--", label="as many as cores")
        for (name, points), (colour, marker) in zip(chosen.items(), STYLES):
            panel.plot(threads, [points[0][1] / time for _, time in points], color=colour, marker=marker, markersize=4,
                       linewidth=1.3, label=name)
        tidy(panel, f"Tasks of {work // 1000} µs", "speed-up", threads)
        panel.set_ylim(bottom=0.05)
    panels[0][0].legend(frameon=False, fontsize=8, ncols=2, loc="lower left")
    for panel, kinds in zip(panels[1], POLICIES):
        chosen = {name: points for (name, work), points in policies.items()
                  if work == WORK_OF_POLICIES and name.split(":")[0] in kinds}
        for (name, points), (colour, marker) in zip(chosen.items(), STYLES):
            threads, times = zip(*points)
            panel.plot(threads, [time / 1000 for time in times], color=colour, marker=marker, markersize=4, linewidth=1.3,
                       label=name)
        tidy(panel, f"{' and '.join(kinds).capitalize()}, tasks of {WORK_OF_POLICIES // 1000} µs", "µs a round", threads)
        panel.legend(frameon=False, fontsize=8)
    return figure


def draw(report):
    """The SVG's text. The same numbers give the same file."""
    with matplotlib.rc_context({"svg.hashsalt": "nowait", "svg.fonttype": "none", "font.size": 10}):
        figure = figure_of(report)
        figure.tight_layout()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        plt.close(figure)
        return text.getvalue()


def main():
    results, plot = map(pathlib.Path, sys.argv[1:])
    write_whole(plot.resolve(), draw(json.loads(results.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
