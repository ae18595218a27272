"""check --spin: what the Spin models promise, and the seeded bugs that Spin must find in them.

A model is a file models/**/*.pml with lines in its opening comment that say what is to be found out:

    // run: PROPERTY [NAME | NAME=VALUE]...  holds|violated

PROPERTY is `assertions`, `end_states` (no process stops where it should not: no deadlock), or the name
of an `ltl` in the file; the names are defined for the preprocessor. Every search is of the whole state
space, with partial order reduction; an ltl is searched for under weak fairness. A search that reaches a
limit (LIMITS below) without finding a violation has found out nothing, and fails.

--json FILE writes, for another program:

    {"spin": "6.5.2",                   the version
     "runs": [{"model": "job_list",     the file without its ending
               "file": "models/jobs/job_list.pml",
               "property": "finished",
               "defines": ["BUG_COUNTING_LOCK"],
               "expected": "violated",  or "holds"
               "outcome": "violated",   or "holds", or "not finished"
               "how": "acceptance cycle",   what Spin said, or which limit was reached; "" if it holds
               "passed": true,
               "states": 1969, "depth": 484, "megabytes": 86.9, "seconds": 0.07}],
     "passed": 1, "failed": 0}
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# A run must stay below all of them.
LIMITS = {"depth": 2_000_000, "megabytes": 1500, "seconds": 300}

RUN_LINE = re.compile(r"// run: (\S+)\s+(.*?)\s*(\S+)$")
DEFINE = re.compile(r"[A-Z]\w*(=\d+)?")
VIOLATION = re.compile(r"^pan:\d+: (.*?)\s*\(at depth \d+\)", re.MULTILINE)
# A model's own assertions are looked at in every search; this is how Spin writes a claim's.
CLAIM_ASSERTION = "assertion violated  !( "


class Usage(Exception):
    """What the caller got wrong, in one line."""


@dataclasses.dataclass(frozen=True)
class Run:
    file: pathlib.Path
    prop: str
    defines: tuple
    expected: str

    @property
    def model(self):
        return self.file.stem

    @property
    def name(self):
        return " ".join((self.prop, *self.defines))

    @property
    def is_ltl(self):
        return self.prop not in ("assertions", "end_states")


@dataclasses.dataclass
class Result:
    outcome: str
    how: str = ""
    states: int = 0
    depth: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0
    trail: str = ""

    def passes(self, run):
        return self.outcome == run.expected


def read_runs(file):
    """The runs of one file; none if it is only a part of models."""
    runs = []
    text = file.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("// run:"):
            continue
        match = RUN_LINE.fullmatch(line)
        if not match or match[3] not in ("holds", "violated"):
            raise Usage(f"{file}:{number}: not `// run: PROPERTY [NAME]... holds|violated`")
        defines = tuple(match[2].split())
        for define in defines:
            if not DEFINE.fullmatch(define):
                raise Usage(f"{file}:{number}: \"{define}\" is no name to define")
        run = Run(file, match[1], defines, match[3])
        if run.is_ltl and not re.search(rf"^ltl {run.prop}\b", text, re.MULTILINE):
            raise Usage(f"{file}:{number}: there is no ltl {run.prop}")
        # A bug is there or not: what it is compared with would be missing otherwise.
        for name in {define.split("=")[0] for define in defines}:
            if not re.search(rf"^\s*#\s*(ifn?def|if|elif)\b.*\b{name}\b", everything(file),
                             re.MULTILINE):
                raise Usage(f"{file}:{number}: nothing asks for {name}")
        runs.append(run)
    return runs


def everything(file):
    """The file with what it includes."""
    text = file.read_text(encoding="utf-8")
    return text + "".join(
        everything(file.parent / part) for part in re.findall(r'^#include "(.*)"', text, re.MULTILINE))


class Verifiers:
    """The programs that Spin makes, each made once."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.made = {}
        self.lock = threading.Lock()

    def get(self, run):
        # A violation is found early, so that what counts is the compiler's time.
        key = (run.file, run.defines, run.is_ltl, run.expected == "holds")
        with self.lock:
            if key not in self.made:
                self.made[key] = concurrent.futures.Future()
                mine, number = True, len(self.made)
            else:
                mine, number = False, 0
            future = self.made[key]
        if mine:
            try:
                future.set_result(self.make(run, self.directory / str(number)))
            except Exception as error:  # whoever waits for it gets it too
                future.set_exception(error)
        return future.result()

    @staticmethod
    def make(run, directory):
        directory.mkdir()
        generated = call(["spin", *(f"-D{define}" for define in run.defines), "-a",
                          run.file.absolute()], cwd=directory)
        if generated.returncode != 0 or not (directory / "pan.c").exists():
            raise Usage(f"{run.file} ({run.name}): spin says: {first_error(generated.stdout)}")
        kind = ["-DNFAIR=3"] if run.is_ltl else ["-DSAFETY", "-DNOCLAIM"]
        compiled = call(["gcc", "-O1" if run.expected == "holds" else "-O0", "-w", *kind,
                         f"-DMEMLIM={LIMITS['megabytes']}", "-o", "pan", "pan.c"], cwd=directory)
        if compiled.returncode != 0:
            raise Usage(f"{run.file} ({run.name}): gcc says: {first_error(compiled.stdout)}")
        return directory


def first_error(text):
    lines = [line for line in text.splitlines() if "rror" in line]
    return lines[0].strip() if lines else text.strip()[-200:]


CHILDREN = set()


def call(command, cwd, seconds=None):
    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        CHILDREN.add(process)
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            return subprocess.CompletedProcess(command, None, output)
        finally:
            CHILDREN.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, output)


def search(run, verifier, depth):
    """One search of the verifier, in a directory of its own for the trail."""
    with tempfile.TemporaryDirectory(dir=verifier) as scratch:
        flags = {"assertions": ["-E"], "end_states": ["-A"]}.get(run.prop, ["-a", "-f", "-N", run.prop])
        begin = time.monotonic()
        output = call([verifier / "pan", *flags, f"-m{depth}", "-w22", "-n"], scratch, LIMITS["seconds"])
        seconds = time.monotonic() - begin
        trails = list(pathlib.Path(scratch).glob("*.trail"))
        trail = trails[0].read_text() if trails else ""
    result = judge(run, output)
    result.seconds, result.trail = seconds, trail
    return result


def judge(run, output):
    text = output.stdout

    def number(pattern):
        match = re.search(pattern, text)
        return float(match[1]) if match else 0

    numbers = {"states": int(number(r"([\d.e+]+) states, stored")),
               "depth": int(number(r"depth reached (\d+)")),
               "megabytes": number(r"([\d.]+)\s+total actual memory usage")}
    violation = VIOLATION.search(text)
    if violation:
        how = violation[1]
        is_claims = how.startswith(CLAIM_ASSERTION) or how == "acceptance cycle"
        in_property = {"assertions": how.startswith("assertion violated"),
                       "end_states": how == "invalid end state"}.get(run.prop, is_claims)
        if how.startswith(CLAIM_ASSERTION):
            how = "claim violated"  # the formula is the property's, negated twice
        if in_property:
            return Result("violated", how, **numbers)
        return Result("not finished", f"another violation came first: {how}", **numbers)
    if output.returncode is None:
        limit = f"{LIMITS['seconds']} s"
    elif "max search depth too small" in text:
        limit = f"depth {LIMITS['depth']:,}"
    elif "reached -DMEMLIM bound" in text or "out of memory" in text:
        limit = f"{LIMITS['megabytes']:,} MB"
    elif output.returncode != 0 or "errors: 0" not in text or "not completed" in text:
        return Result("not finished", f"the verifier ended with {output.returncode}", **numbers)
    else:
        return Result("holds", **numbers)
    return Result("not finished", f"it reached the limit of {limit}", **numbers)


def check(run, verifiers):
    return search(run, verifiers.get(run), LIMITS["depth"])


def shortest_trail(run, verifiers, result):
    """A violation that a search of little depth finds too, for a person to read."""
    depth = 25
    while depth < result.depth:
        shorter = search(run, verifiers.get(run), depth)
        if shorter.outcome == "violated":
            return shorter.trail
        depth *= 2
    return result.trail


STEP = re.compile(r"^\s*\d+:\s+proc\s+(\d+) \((\w+):\d+\) (\S+):(\d+) \(state \d+\)\s+\[(.*)\]")
LAST = re.compile(r"^\s*\d+:\s+proc\s+(\d+) \((\w+):\d+\) (\S+):(\d+) \(state \d+\)(.*)")
# Steps that say nothing: Spin's own, and options that were taken for want of others.
NOTHING = re.compile(r"else|IF|DO|1|\(1\)|\.\(goto\)|goto .*|break")


def show_trail(run, verifiers, result):
    """The steps of a violation, a column for each process."""
    text = shortest_trail(run, verifiers, result)
    directory = verifiers.get(run)
    trail = directory / "shown.trail"
    trail.write_text(text)
    output = call(["spin", *(f"-D{define}" for define in run.defines), "-k", trail.absolute(), "-t",
                   "-p", run.file.absolute()], cwd=directory).stdout
    steps, names, last, state, in_end = [], {}, [], [], False
    for line in output.splitlines():
        if (match := STEP.match(line)) and NOTHING.fullmatch(match[5]):
            names[int(match[1])] = match[2]
        elif match := STEP.match(line):
            names[int(match[1])] = match[2]
            steps.append((int(match[1]), tidy(match[5]), place(match[3], match[4])))
        elif "START OF CYCLE" in line:
            steps.append((None, "from here on, for ever:", ""))
        elif line.startswith("#processes"):
            in_end = True
        elif in_end and (match := LAST.match(line)):
            last.append((int(match[1]), match[2], place(match[3], match[4]), "valid end" in match[5]))
        elif in_end and re.match(r"^\s+\S+ = \S+$", line):
            state.append(line.strip())
    processes = sorted(names)
    for process in processes:
        print("    " + "|  " * sum(p < process for p in processes) + f"{names[process]} {process}")
    number = 0
    for process, words, where in steps:
        if process is None:
            if steps[-1][0] is None:
                words += " nothing; whoever is left is blocked or has ended"
            print(f"    {words}")
            continue
        number += 1
        lanes = "  ".join("*" if p == process else "|" for p in processes)
        print(f"    {lanes}  [{number:3}] {words:<60} {where}")
    print("    at the end:")
    for process, name, where, ended in sorted(last):
        print(f"      {name} {process} is at {where}{' and has ended' if ended else ''}")
    values = [value for value in state if not re.search(r"= 0$", value)]
    print("      " + ("; ".join(values) or "every variable is 0"))


def place(file, line):
    path = pathlib.Path(os.path.normpath(file))
    try:
        path = path.relative_to(pathlib.Path.cwd())
    except ValueError:
        pass
    return f"{path}:{line}"


def tidy(statement):
    """Spin's brackets around a whole statement say nothing."""
    while statement.startswith("(") and statement.endswith(")"):
        depth = 0
        for index, character in enumerate(statement):
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0 and index < len(statement) - 1:
                return statement
        statement = statement[1:-1]
    return statement


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
        raise Usage(f"{name} has no run \"{wanted}\"; ./nowait check --spin {name} --list shows its runs")
    return {name: chosen}


def read_models():
    models = {}
    for file in sorted(pathlib.Path("models").glob("**/*.pml")):
        runs = read_runs(file)
        if runs:
            models[file.stem] = runs
    return models


def parse(arguments):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            raise Usage(message)

    parser = Parser(prog="./nowait check --spin", add_help=True, allow_abbrev=False,
                    description="Spin models of the protocols that must come to an end.")
    parser.add_argument("model", nargs="?", help="only this one; its name or its file")
    parser.add_argument("--list", action="store_true", help="the runs, without running them")
    parser.add_argument("--run", metavar='"PROPERTY [NAME]..."', help="only this run of the model")
    parser.add_argument("--trail", action="store_true",
                        help="the steps of every violation, also of those that must be found")
    parser.add_argument("--json", metavar="FILE", help="results for another program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="searches at the same time")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        raise Usage(f"--jobs {options.jobs}: at least 1")
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
                        if result.outcome == "violated" and (options.trail or run.expected == "holds"):
                            show_trail(run, verifiers, result)
                        if not result.passes(run):
                            print(f"    again: ./nowait check --spin {run.model} "
                                  f"--run '{run.name}' --trail", flush=True)
            except BaseException:
                for future in futures.values():
                    future.cancel()
                for child in list(CHILDREN):
                    child.kill()
                raise
    passed = sum(result.passes(run) for run, result in done)
    failed = len(done) - passed
    if options.json:
        write_json(options.json, done, passed, failed)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def write_json(file, done, passed, failed):
    version = subprocess.run(["spin", "-V"], capture_output=True, text=True, check=False).stdout
    runs = [{"model": run.model, "file": str(run.file), "property": run.prop,
             "defines": list(run.defines), "expected": run.expected, "outcome": result.outcome,
             "how": result.how, "passed": result.passes(run), "states": result.states,
             "depth": result.depth, "megabytes": round(result.megabytes, 1),
             "seconds": round(result.seconds, 2)} for run, result in done]
    match = re.search(r"Version (\S+)", version)
    text = json.dumps({"spin": match[1] if match else "", "runs": runs, "passed": passed,
                       "failed": failed}, indent=2)
    try:
        pathlib.Path(file).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Usage(f"{file} cannot be written: {error.strerror}") from error


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Usage as error:
        print(f"nowait: check --spin: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
