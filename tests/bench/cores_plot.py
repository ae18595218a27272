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


def tidy(panel, title, ylabel, threads, base):
    panel.set(title=title, ylabel=ylabel, xlabel="simulated cores", xscale="log", yscale="log")
    panel.set_xscale("log", base=2)
    panel.set_yscale("log", base=base)
    panel.set_xticks(threads, [str(count) for count in threads])
    panel.minorticks_off()
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    panel.grid(True, which="major", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def draw_speed_ups(panel, points, work, title):
    chosen = {name: times for (name, each), times in series(points).items() if each == work}
    threads = [count for count, _ in next(iter(chosen.values()))]
    panel.plot(threads, threads, color="#bbbbbb", linewidth=1, linestyle="--", label="as many as cores")
    for (name, times), (colour, marker) in zip(chosen.items(), STYLES):
        panel.plot(threads, [times[0][1] / time for _, time in times], color=colour, marker=marker, markersize=4,
                   linewidth=1.3, label=name)
    tidy(panel, f"Tasks of {work // 1000} µs, {title}", "speed-up", threads, 10)
    panel.set_ylim(0.02, 90)


def draw_policies(panel, points, kinds):
    chosen = {name: times for (name, work), times in series(points).items()
              if work == WORK_OF_POLICIES and name.split(":")[0] in kinds}
    for (name, times), (colour, marker) in zip(chosen.items(), STYLES):
        threads, lengths = zip(*times)
        panel.plot(threads, [length / 1000 for length in lengths], color=colour, marker=marker, markersize=4, linewidth=1.3,
                   label=name)
    tidy(panel, f"{' and '.join(kinds).capitalize()}, tasks of {WORK_OF_POLICIES // 1000} µs", "µs a round", threads, 2)
    panel.legend(frameon=False, fontsize=8)


def figure_of(report):
    figure, panels = plt.subplots(3, 2, figsize=(10.4, 12.4))
    for row, work in zip(panels, WORKS):
        draw_speed_ups(row[0], report["workloads"], work, "woken one after another")
        draw_speed_ups(row[1], report["workloads_at_once"], work, "woken at once")
    # One for these four panels, above them: each corner of one has lines.
    figure.legend(*panels[0][0].get_legend_handles_labels(), frameon=False, fontsize=9, ncols=9, loc="upper center",
                  columnspacing=1.4, handletextpad=0.5)
    for panel, kinds in zip(panels[2], POLICIES):
        draw_policies(panel, report["policies"], kinds)
    return figure


def draw(report):
    """The SVG's text. The same numbers give the same file."""
    with matplotlib.rc_context({"svg.hashsalt": "nowait", "svg.fonttype": "none", "font.size": 10}):
        figure = figure_of(report)
        figure.tight_layout(rect=(0, 0, 1, 0.97))
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        plt.close(figure)
        return text.getvalue()


def main():
    results, plot = map(pathlib.Path, sys.argv[1:])
    write_whole(plot.resolve(), draw(json.loads(results.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
