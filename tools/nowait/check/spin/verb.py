"""check --spin: the promises of the Spin models, and the seeded bugs that Spin must find in them.

usage: [MODEL] [--list] [--run "PROPERTY [NAME]..."] [--trail] [--json FILE] [--jobs N]
MODEL is a name or a file; search.py says what a model's file holds. The tests of models/spin.bzl run this module.

The last line is "N passed, M failed", counting runs; a run that reached a limit failed.

--json FILE writes, for another program:

    {"spin": "6.5.2",                       the version
     "runs": [{"model": "job_list",         the file without its ending
               "file": "models/jobs/job_list.pml",
               "property": "finished",
               "defines": ["BUG_COUNTING_LOCK"],
               "expected": "violated",      or "holds"
               "outcome": "violated",       or "holds", or "not finished"
               "how": "acceptance cycle",   what Spin said, or which limit it was; "" if it holds
               "passed": true,
               "states": 1969, "depth": 484, "megabytes": 86.9, "seconds": 0.07}],
     "passed": 1, "failed": 0}
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from nowait import processes
from nowait.arguments import Parser
from nowait.check.spin.search import Usage, Verifiers, check, read_runs
from nowait.check.spin.trail import show_trail
from nowait.errors import status_of


def describe(run, result):
    if result.outcome == run.expected:
        words = {"holds": "holds", "violated": "violated, as it must be"}[run.expected]
    else:
        words = {"holds": "HOLDS, must be violated",
                 "violated": f"VIOLATED ({result.how}), must hold",
                 "not finished": f"NOT FINISHED: {result.how}"}[result.outcome]
    return (f"  {run.name:<56} {words:<24} {result.states:>10,} states, depth {result.depth:,}, "
            f"{result.megabytes:.0f} MB, {result.seconds:.2f} s")


def choose(models, model, wanted):
    """The runs that are asked for: of all models, of one, or one run of one."""
    if model:
        if model.endswith(".pml") and pathlib.Path(model).is_file():
            models = {pathlib.Path(model).stem: read_runs(pathlib.Path(model))}
        elif model in models:
            models = {model: models[model]}
        else:
            raise Usage(f"unknown model \"{model}\"; there are: {' '.join(models)}")
    if wanted is None:
        return models
    if not model:
        raise Usage("--run needs a model before it; --list shows them")
    (name, runs), = models.items()
    chosen = [run for run in runs if run.name == " ".join(wanted.split())]
    if not chosen:
        raise Usage(f"{name} has no run \"{wanted}\"; --list shows its runs")
    return {name: chosen}


def read_models():
    models = {}
    for file in sorted(pathlib.Path("models").glob("**/*.pml")):
        runs = read_runs(file)
        if runs:
            models[file.stem] = runs
    return models


def parse(arguments):
    parser = Parser("check --spin", description="Spin models of the protocols that must come to an end.")
    parser.add_argument("model", nargs="?", help="only this one; its name or its file")
    parser.add_argument("--list", action="store_true", help="the runs, without running them")
    parser.add_argument("--run", metavar='"PROPERTY [NAME]..."', help="only this run of the model")
    parser.add_argument("--trail", action="store_true",
                        help="the steps of every violation, also of those that must be found")
    parser.add_argument("--json", metavar="FILE", help="results for another program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="searches at the same time")
    options = parser.parse(arguments)
    if options.jobs < 1:
        raise Usage(f"--jobs {options.jobs}: at least 1")
    # Where Bazel keeps what a test leaves behind: ./nowait check reads it there.
    if "TEST_UNDECLARED_OUTPUTS_DIR" in os.environ and not options.json:
        options.json = os.path.join(os.environ["TEST_UNDECLARED_OUTPUTS_DIR"], "result.json")
    return options


def main(arguments):
    options = parse(arguments)
    models = choose({} if (options.model or "").endswith(".pml") else read_models(), options.model,
                    options.run)
    if options.list:
        for runs in models.values():
            print(f"{runs[0].model}: {runs[0].file}")
            for run in runs:
                print(f"  {run.name:<56} {run.expected}")
        return 0
    if not shutil.which("spin") or not shutil.which("gcc"):
        raise Usage("spin and gcc are needed; ./nowait setup installs them")

    if options.json:
        write(options.json, "")  # what cannot be written is said before the searches, not after
    done = []
    with tempfile.TemporaryDirectory(prefix="nowait-spin-") as directory:
        verifiers = Verifiers(directory)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            futures = {run: pool.submit(check, run, verifiers)
                       for runs in models.values() for run in runs}
            try:
                for runs in models.values():
                    print(f"{runs[0].model}: {runs[0].file}")
                    for run in runs:
                        result = futures[run].result()
                        done.append((run, result))
                        print(describe(run, result), flush=True)
                        unexpected = not result.passes(run)
                        if result.outcome == "violated" and (options.trail or unexpected):
                            show_trail(run, verifiers, result)
                        if unexpected:
                            print(f"    again: ./nowait check --spin {run.model} "
                                  f"--run '{run.name}' --trail", flush=True)
            except BaseException:
                for future in futures.values():
                    future.cancel()
                processes.kill_all()
                raise
    passed = sum(result.passes(run) for run, result in done)
    failed = len(done) - passed
    if options.json:
        write_json(options.json, done, passed, failed)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def write_json(file, done, passed, failed):
    version = processes.run(["spin", "-V"], capture=True).output
    runs = [{"model": run.model, "file": str(run.file), "property": run.prop,
             "defines": list(run.defines), "expected": run.expected, "outcome": result.outcome,
             "how": result.how, "passed": result.passes(run), "states": result.states,
             "depth": result.depth, "megabytes": round(result.megabytes, 1),
             "seconds": round(result.seconds, 2)} for run, result in done]
    match = re.search(r"Version (\S+)", version)
    text = json.dumps({"spin": match[1] if match else "", "runs": runs, "passed": passed,
                       "failed": failed}, indent=2)
    write(file, text + "\n")


def write(file, text):
    try:
        pathlib.Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"{file} cannot be written: {error.strerror}") from error


if __name__ == "__main__":
    sys.exit(status_of(main, sys.argv[1:]))
