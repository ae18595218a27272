"""Spin's searches: the runs that a model's file asks for, the verifiers, and what they found out.

A model is a file models/**/*.pml with lines in its opening comment that say what is to be found:

    // run: PROPERTY [NAME | NAME=VALUE]...  holds|violated

PROPERTY is `assertions`, `end_states` (no process stops where it should not: no deadlock), or the
name of an `ltl` in the file; the names are defined for the preprocessor. Every search is of the
whole state space, with partial order reduction; an ltl is searched for under weak fairness. A
search that reaches a limit without finding a violation has found out nothing.
"""

import concurrent.futures
import dataclasses
import pathlib
import re
import tempfile
import threading
import time

from nowait import errors, processes

# A run must stay below all of them.
LIMITS = {"depth": 2_000_000, "megabytes": 1500, "seconds": 300}

RUN_LINE = re.compile(r"// run: (\S+)\s+(.*?)\s*(\S+)$")
DEFINE = re.compile(r"[A-Z]\w*(=\d+)?")
VIOLATION = re.compile(r"^pan:\d+: (.*?)\s*\(at depth \d+\)", re.MULTILINE)
# A model's own assertions are looked at in every search; this is how Spin writes a claim's.
CLAIM_ASSERTION = "assertion violated  !( "


class Usage(errors.Usage):
    """A mistake of the caller or of a model, in one line."""

    verb = "check --spin: "


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
        # A bug is there or not: its counterpart would be missing otherwise.
        for name in {define.split("=")[0] for define in defines}:
            if not re.search(rf"^\s*#\s*(ifn?def|if|elif)\b.*\b{name}\b", everything(file),
                             re.MULTILINE):
                raise Usage(f"{file}:{number}: nothing asks for {name}")
        runs.append(run)
    return runs


def everything(file):
    """The file with what it includes."""
    text = file.read_text(encoding="utf-8")
    parts = re.findall(r'^#include "(.*)"', text, re.MULTILINE)
    return text + "".join(everything(file.parent / part) for part in parts)


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
            except Exception as error:  # each thread that waits for it gets it too
                future.set_exception(error)
        return future.result()

    @staticmethod
    def make(run, directory):
        directory.mkdir()
        generated = call(["spin", *(f"-D{define}" for define in run.defines), "-a",
                          run.file.absolute()], cwd=directory)
        if generated.status != 0 or not (directory / "pan.c").exists():
            raise Usage(f"{run.file} ({run.name}): spin says: {first_error(generated.output)}")
        kind = ["-DNFAIR=3"] if run.is_ltl else ["-DSAFETY", "-DNOCLAIM"]
        compiled = call(["gcc", "-O1" if run.expected == "holds" else "-O0", "-w", *kind,
                         f"-DMEMLIM={LIMITS['megabytes']}", "-o", "pan", "pan.c"], cwd=directory)
        if compiled.status != 0:
            raise Usage(f"{run.file} ({run.name}): gcc says: {first_error(compiled.output)}")
        return directory


def first_error(text):
    lines = [line for line in text.splitlines() if "rror" in line]
    return lines[0].strip() if lines else text.strip()[-200:]


def call(command, cwd, seconds=None):
    """A program's output and its status, which is `None` if its time was up."""
    return processes.run(command, seconds=seconds, capture=True, cwd=cwd)


def search(run, verifier, depth):
    """One search of the verifier, in a directory of its own for the trail."""
    with tempfile.TemporaryDirectory(dir=verifier) as scratch:
        ltl = ["-a", "-f", "-N", run.prop]
        what = {"assertions": ["-E"], "end_states": ["-A"]}.get(run.prop, ltl)
        command = [verifier / "pan", *what, f"-m{depth}", "-w22", "-n"]
        begin = time.monotonic()
        output = call(command, scratch, LIMITS["seconds"])
        seconds = time.monotonic() - begin
        trails = list(pathlib.Path(scratch).glob("*.trail"))
        trail = trails[0].read_text() if trails else ""
    result = judge(run, output)
    result.seconds, result.trail = seconds, trail
    return result


def judge(run, output):
    text = output.output

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
    if output.status is None:
        limit = f"{LIMITS['seconds']} s"
    elif "max search depth too small" in text:
        limit = f"depth {LIMITS['depth']:,}"
    elif "reached -DMEMLIM bound" in text or "out of memory" in text:
        limit = f"{LIMITS['megabytes']:,} MB"
    elif output.status != 0 or "errors: 0" not in text or "not completed" in text:
        return Result("not finished", f"the verifier ended with {output.status}", **numbers)
    else:
        return Result("holds", **numbers)
    return Result("not finished", f"it reached the limit of {limit}", **numbers)


def check(run, verifiers):
    return search(run, verifiers.get(run), LIMITS["depth"])
