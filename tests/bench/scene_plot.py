"""Draws what the scenes measured: contention's waits, the mix's rates, the islands' find loops, the
updates of game objects, the peers' scenes."""

import io

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

OURS, OTHER, PEER = "#0072b2", "#d55e00", "#777777"  # the colour-blind distinguish them, too


def body_locks(report):
    """By number of body locks: (locks, result), ascending."""
    return sorted((one["body_locks"], one) for one in report["variants"] if one["body_locks"])


def tidy(panel, title, ylabel):
    panel.set(title=title, ylabel=ylabel)
    panel.grid(True, axis="y", which="major", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def bars(panel, names, values, colours):
    shown = [max(value, 0.01) for value in values]  # a logarithmic axis has no zero
    panel.bar(names, shown, color=colours, width=0.6)
    panel.set_yscale("log")
    panel.margins(y=0.08)
    for i, value in enumerate(values):
        panel.annotate(number(value), (i, shown[i]), ha="center", va="bottom")


def by_locks(panel, counts):
    panel.set_xscale("log", base=2)
    panel.set_xticks(counts, [str(count) for count in counts])
    panel.set_xlabel("body locks")


def draw_contention(report):
    figure, ((before, locks), (stall, rates)) = plt.subplots(2, 2, figsize=(10.4, 7.6))
    by_name = {one["name"]: one for one in report["variants"]}
    chosen = {"before:\none lock": by_name["one lock"],
              "after:\n32 body locks": by_name["32 body locks"],
              "Bullet,\none lock": by_name["Bullet, one lock"]}
    colours = [OTHER, OURS, PEER]
    bars(before, list(chosen), [one["wait"]["mean_us"] for one in chosen.values()], colours)
    tidy(before, f"Waiting for locks, {report['threads']} game threads", "µs a thread and frame, mean")
    bars(stall, list(chosen), [one["load"]["max_us"] for one in chosen.values()], colours)
    tidy(stall, "Putting a scene of 300 bodies in", "µs of a game thread, longest")
    counts, results = zip(*body_locks(report))
    for field, style in (("mean_us", "-"), ("p99_us", "--")):
        locks.plot(counts, [max(one["wait"][field], 0.01) for one in results], style, color=OURS,
                   marker="o", markersize=4, label={"mean_us": "mean", "p99_us": "99th percentile"}[field])
    locks.axhline(by_name["one lock"]["wait"]["mean_us"], color=OTHER, label="one lock round the tree, mean")
    locks.set_yscale("log")
    locks.legend(frameon=False)
    by_locks(locks, counts)
    tidy(locks, "Waiting by number of body locks", "µs a thread and frame")
    rates.plot(counts, [one["queries_per_second"] / 1e6 for one in results], color=OURS, marker="o", markersize=4,
               label="body locks")
    rates.axhline(by_name["one lock"]["queries_per_second"] / 1e6, color=OTHER, label="one lock round the tree")
    rates.axhline(by_name["Bullet, one lock"]["queries_per_second"] / 1e6, color=PEER, linestyle=":",
                  label="Bullet, one lock")
    rates.set_ylim(bottom=0)
    rates.legend(frameon=False)
    by_locks(rates, counts)
    tidy(rates, "Ray casts, beside moves and scenes", "millions a second")
    return figure


def draw_mix(report):
    figure, panel = plt.subplots(figsize=(5.6, 4))
    for who, colour in (("ours", OURS), ("one lock", OTHER)):
        points = [(one["threads"], one["ray_casts_per_second"] / 1e6) for one in report["results"]
                  if one["who"] == who]
        threads, rates = zip(*sorted(points))
        panel.plot(threads, rates, color=colour, marker="o", markersize=4, label=who)
    panel.set_xticks(threads)
    panel.set_ylim(bottom=0)
    panel.legend(frameon=False)
    panel.set_xlabel("game threads")
    tidy(panel, f"Open-world mix on {report['cpus']} cores", "millions of ray casts a second")
    return figure


def draw_islands(report):
    figure, (loops, serial) = plt.subplots(1, 2, figsize=(10, 4))
    counts = report["find_histogram"]
    last = max((steps for steps, count in enumerate(counts) if count), default=0)
    loops.bar(range(last + 1), [100 * count / sum(counts) for count in counts[:last + 1]], color=OURS)
    loops.set_xticks(range(last + 1))
    loops.set_xlabel("links followed")
    tidy(loops, f"Loops of find, {report['mean_find_steps']:.2f} on average", "% of finds")
    serial.bar(["before:\nflood fill", "after:\nwaking, finalise"],
               [report["flood_fill_us"], report["serial_us"]], color=[OTHER, OURS], width=0.6)
    tidy(serial, "The part on one thread", f"µs for {report['contacts']} contacts")
    return figure


VARIANTS = {"revisions": (OURS, "-"), "exclusive": (OURS, "--"), "one lock": (OTHER, "-"),
            "a lock an object": (OTHER, "--"), "copy all": (PEER, ":")}


def draw_game(report):
    """A panel for each length of an update: rates with all threads, by contention."""
    lengths = sorted({one["update_us"] for one in report["results"]})
    figure, panels = plt.subplots(1, len(lengths), figsize=(4 * len(lengths), 4))
    for panel, length in zip(panels, lengths):
        for who, (colour, style) in VARIANTS.items():
            points = sorted((one["contention"], one["updates_per_second"] / 1e6) for one in report["results"]
                            if (one["who"], one["update_us"], one["threads"]) == (who, length, report["threads"]))
            percent, rates = zip(*points)
            panel.plot(range(len(percent)), rates, style, color=colour, marker="o", markersize=4, label=who)
        panel.set_xticks(range(len(percent)), [str(one) for one in percent])
        panel.set_ylim(bottom=0)
        panel.set_xlabel("% of updates that want hot objects")
        tidy(panel, f"Updates of {length} µs, {report['threads']} threads" if length else
             f"Short updates, {report['threads']} threads", "millions a second")
    panels[0].legend(frameon=False)
    return figure


def draw_scenes(report):
    """Our speed beside each peer's by scene, pale where it does not count; the time of a body by their number."""
    figure, (ratios, sizes) = plt.subplots(1, 2, figsize=(11, 4.6), width_ratios=(2, 1))
    names = [one["scene"] for one in report["scenes"]]
    kinds = sorted({(ratio["peer"], ratio["threads"]) for one in report["scenes"] for ratio in one["ratios"]})
    for number, (peer, threads) in enumerate(kinds):
        found = [next(ratio for ratio in one["ratios"] if (ratio["peer"], ratio["threads"]) == (peer, threads))
                 for one in report["scenes"]]
        width = 0.8 / len(kinds)
        places = [at + (number - (len(kinds) - 1) / 2) * width for at in range(len(names))]
        drawn = ratios.bar(places, [ratio["speed_ratio"] for ratio in found], width, hatch="//" if threads > 1 else "",
                           color=OURS if peer == "Bullet" else OTHER, edgecolor="white",
                           label=f"{peer}, {threads} thread{'' if threads == 1 else 's'}")
        for bar, ratio in zip(drawn, found):
            bar.set_alpha(1.0 if ratio["counts"] else 0.35)
    ratios.axhline(1, color=PEER, linewidth=0.8)
    ratios.set_yscale("log")
    ratios.set_xticks(range(len(names)), [name.replace("_", "\n") for name in names])
    if kinds:
        for patch in ratios.legend(frameon=False).get_patches():
            patch.set_alpha(1.0)
    tidy(ratios, "Steps a second, by the peer's (pale: worse in an error)", "ratio")
    for threads, style in zip(sorted({one["threads"] for one in report["sizes"]}), ("-", "--", "-.", ":")):
        points = sorted((one["bodies"], one["body_us"]) for one in report["sizes"] if one["threads"] == threads)
        sizes.plot(*zip(*points), style, color=OURS, marker="o", markersize=4,
                   label=f"{threads} thread{'' if threads == 1 else 's'}")
    sizes.set_xscale("log")
    sizes.set_ylim(bottom=0)
    sizes.set_xlabel("bodies")
    if report["sizes"]:
        sizes.legend(frameon=False)
    tidy(sizes, "Time of a body in a step", "µs")
    return figure


DRAWINGS = {
    "nowait.bench-contention": draw_contention,
    "nowait.bench-game": draw_game,
    "nowait.bench-islands": draw_islands,
    "nowait.bench-mix": draw_mix,
    "nowait.bench-scenes": draw_scenes,
}


def draw(report):
    """The SVG's text. The same numbers give the same file."""
    with matplotlib.rc_context({"svg.hashsalt": "nowait", "svg.fonttype": "none", "font.size": 10}):
        figure = DRAWINGS[report["schema"]](report)
        figure.tight_layout()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        plt.close(figure)
        return text.getvalue()
