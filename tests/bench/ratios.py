#!/usr/bin/env python3
"""How much faster than their baselines the structures are: runs benchmarks, prints ratios.

    tests/bench/ratios.py [--json FILE] [--plot FILE] [--repetitions N] [--min-time SECONDS] PROGRAM...

Each program has pairs of benchmarks that are named OPERATION/ours/THREADS and
OPERATION/baseline/THREADS. Both run in the same process, repetition by repetition in random order,
so that a slow second of the machine meets both. The first repetition of ours is paired with the
first of the baseline, the second with the second, and so on. A ratio is the median of the pairs'
quotients, the baseline's time by ours: above 1 we are faster. A baseline that knows no threads is
compared with each number of ours. The JSON is described in docs/bench-json.md; the plot is an SVG (plot.py).
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def measure(program, repetitions, min_time):
    """The program's report, as JSON."""
    command = [
        program,
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_repetitions=%d" % repetitions,
        "--benchmark_min_time=%g" % min_time,
        "--benchmark_format=json",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit("%s ended with status %d" % (program, done.returncode))
    return json.loads(done.stdout)


def place(entry):
    return entry.get("family_index", 0), entry.get("per_family_instance_index", 0)


def times_of(report):
    """By name: nanoseconds an item (an iteration where there are no items) of each repetition, in order."""
    times = {}
    # In the order of registration: they ran, and are reported, in random order.
    for entry in sorted(report["benchmarks"], key=place):
        if entry.get("error_occurred"):
            sys.exit("%s: %s" % (entry["name"], entry.get("error_message", "failed")))
        if entry["run_type"] != "iteration":
            continue
        name = entry["run_name"].removesuffix("/real_time").removesuffix("/manual_time")
        name = re.sub(r"/iterations:\d+$", "", name)
        if "items_per_second" in entry:
            time = 1e9 / entry["items_per_second"]
        else:
            time = entry["real_time"] * NANOSECONDS[entry["time_unit"]]
        times.setdefault(name, {})[entry["repetition_index"]] = time
    return {name: [by[i] for i in sorted(by)] for name, by in times.items()}


def pairs(times):
    """Each of ours with the baseline of as many threads; otherwise with the only baseline."""
    for name, ours in times.items():
        operation, who, threads = name.split("/")
        if who != "ours":
            continue
        baseline_threads = threads
        if "%s/baseline/%s" % (operation, threads) not in times:
            baseline_threads = "1"
        baseline = times["%s/baseline/%s" % (operation, baseline_threads)]
        ratios = [theirs / own for own, theirs in zip(ours, baseline, strict=True)]
        yield {
            "operation": operation,
            "threads": int(threads),
            "baseline_threads": int(baseline_threads),
            "ours_ns": statistics.median(ours),
            "baseline_ns": statistics.median(baseline),
            "ratio": statistics.median(ratios),
            "ratios": ratios,
        }


def in_words(nanoseconds):
    return "%.2f" % nanoseconds if nanoseconds < 10 else "%.1f" % nanoseconds


def write_whole(path, text):
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def output(path):
    """A path that can be written to, said before anything is measured."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path) or not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError("%s cannot be written" % path)
    return path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", type=output)
    parser.add_argument("--plot", metavar="FILE", type=output)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--min-time", type=float, default=0.1)
    parser.add_argument("programs", metavar="PROGRAM", nargs="+")
    options = parser.parse_args()
    result = {"schema": "nowait.bench", "version": 2, "pairs": []}
    print(
        "%-24s%8s%14s%14s%10s%10s"
        % ("", "threads", "ours, ns", "baseline, ns", "threads", "ratio")
    )
    for program in options.programs:
        report = measure(program, options.repetitions, options.min_time)
        result["cpus"] = report["context"]["num_cpus"]
        result["mhz"] = report["context"]["mhz_per_cpu"]
        for pair in pairs(times_of(report)):
            result["pairs"].append({"program": os.path.basename(program), **pair})
            print(
                "%-24s%8d%14s%14s%10d%10.2f"
                % (
                    pair["operation"],
                    pair["threads"],
                    in_words(pair["ours_ns"]),
                    in_words(pair["baseline_ns"]),
                    pair["baseline_threads"],
                    pair["ratio"],
                ),
                flush=True,
            )
    if options.json:
        write_whole(options.json, json.dumps(result, indent=2) + "\n")
    if options.plot:
        import plot  # Matplotlib takes a second to load

        drawn = plot.draw(result["pairs"])
        if drawn is None:
            sys.exit("nowait: bench: nothing to draw: no operation was measured at several sizes")
        write_whole(options.plot, drawn)


if __name__ == "__main__":
    main()
