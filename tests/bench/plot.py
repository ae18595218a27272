"""Draws what benchmarks measured: throughput against the size that an operation's name ends with.

A panel for each operation that was measured at several sizes (loop_by_64, loop_by_256, ...), in it a line
for ours and one for the baseline, for each number of threads.
"""

import collections
import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

# The meaning of the size in an operation's name.
SIZES = {"loop_by": "grain", "fan_of": "jobs", "tasks": "tasks", "tasks_one_queue": "tasks"}
COLUMNS = 2  # as many as a page has room for
COLOURS = {"ours": "#0072b2", "baseline": "#d55e00"}  # the colour-blind distinguish them, too


def panels(pairs):
    """By operation without its size: by (structure, threads): [(size, operations a second)]."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for pair in pairs:
        sized = re.fullmatch(r"(.*?)_?(\d+)(_\w+)?", pair["operation"])
        if not sized:
            continue
        name = sized[1] + (sized[3] or "")
        for structure in COLOURS:
            found[name][structure, pair["threads"]].append((int(sized[2]), 1e9 / pair[f"{structure}_ns"]))
    return {name: lines for name, lines in found.items() if max(map(len, lines.values())) > 1}


def draw(pairs):
    """The SVG's text, or `None` when nothing was measured at several sizes."""
    drawn = panels(pairs)
    if not drawn:
        return None
    # The same numbers give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "nowait", "svg.fonttype": "none", "font.size": 10}):
        columns = min(len(drawn), COLUMNS)
        rows = -(-len(drawn) // columns)
        figure, axes = plt.subplots(rows, columns, figsize=(5.2 * columns, 3.8 * rows), squeeze=False)
        most_threads = max(threads for lines in drawn.values() for _, threads in lines)
        for panel in axes.flat[len(drawn):]:
            panel.set_visible(False)
        for panel, (name, lines) in zip(axes.flat, drawn.items()):
            for (structure, threads), points in lines.items():
                sizes, rates = zip(*sorted(points))
                panel.plot(sizes, rates, color=COLOURS[structure], marker="o", markersize=4,
                           linestyle="-" if threads == most_threads else "--",
                           label=f"{structure}, {threads} thread" + ("s" if threads > 1 else ""))
            panel.set(title=name.replace("_", " "), xlabel=SIZES.get(name, "size"), xscale="log", yscale="log")
            panel.set_xscale("log", base=2)
            panel.grid(True, which="major", color="#dddddd", linewidth=0.6)
            panel.spines[["top", "right"]].set_visible(False)
        for row in axes:
            row[0].set_ylabel("items a second")
        axes[0][0].legend(frameon=False)
        figure.tight_layout()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        plt.close(figure)
        return text.getvalue()
