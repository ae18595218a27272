"""One check of a student's files: built by Bazel against the pristine checkout, run, and judged."""

import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys
import time

import compiler
import kills
import repository
import working_copy
from catalogue import Complaint, package_and_name

SECONDS = 1200  # for each program
AGAIN = re.compile(r"^\s*again: |^page: |^\d+ more pages? in ")
GAPS = "C++20 allows this, and these searches leave it out"


@dataclasses.dataclass
class Outcome:
    passed: bool = False
    compiled: bool = True
    reasons: list = dataclasses.field(default_factory=list)  # the named ones that it fails for
    pages: list = dataclasses.field(default_factory=list)  # counterexamples, from the checkout
    text: str = ""  # what there is to read


def programs(exercise):
    """What is built: (label of the check, label of the program)."""
    checks = [(label, label + "_yours") for label in exercise.models + exercise.tests]
    checks += [(mutant, f"{exercise.models[0]}_yours_{mutant}") for mutant in exercise.mutants]
    return checks


def path_of(root, label):
    package, name = package_and_name(label)
    return root / ".bazel/bin" / package / name


class Waiting:
    """A line on a terminal that says that something goes on."""

    def __init__(self, words):
        self.words = words
        self.begin = time.monotonic()
        self.shown = False

    def tick(self):
        if sys.stderr.isatty():
            self.shown = True
            sys.stderr.write(f"\r{self.words} {time.monotonic() - self.begin:.0f} s ")
            sys.stderr.flush()

    def done(self):
        if self.shown:
            sys.stderr.write("\r" + " " * (len(self.words) + 12) + "\r")
            sys.stderr.flush()


def run_waiting(command, words, **settings):
    """As subprocess.run with everything captured in one text; its group ends with us."""
    waiting = Waiting(words)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          **settings) as process:
        limit = time.monotonic() + SECONDS
        try:
            while True:
                try:
                    output, _ = process.communicate(timeout=1)
                    return process.returncode, output
                except subprocess.TimeoutExpired:
                    waiting.tick()
                    if time.monotonic() > limit:
                        process.kill()
                        output, _ = process.communicate()
                        return None, output
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            waiting.done()


def build(checkout, root, exercise):
    """None, or what the compiler said."""
    where = checkout / ".nowait/grade"
    command = ["bazel", "build", "--config=opt", "--noshow_progress", "--color=no", "--show_result=0",
               "--ui_event_filters=-info", f"--override_repository=exercise={where}",
               *(program for _, program in programs(exercise))]
    if shutil.which("bazel") is None:
        raise Complaint("bazel is missing; ./nowait setup installs it")
    status, output = run_waiting(command, "compiling", cwd=root)
    (checkout / ".nowait/exercise.log").write_text(output, encoding="utf-8")
    return None if status == 0 else compiler.explain(checkout, output)


def _shorten(output):
    """A model's output without what a student of one exercise does not need."""
    kept = output.split(GAPS)[0]
    return "\n".join(line for line in kept.splitlines() if not AGAIN.match(line)).rstrip()


def _run_model(checkout, root, exercise, label, outcome):
    records = checkout / "exercise" / exercise.copy / "counterexample"
    results = checkout / ".nowait/grade.json"
    results.unlink(missing_ok=True)
    _, structure = package_and_name(label)
    color = "always" if sys.stdout.isatty() else "never"
    status, output = run_waiting(
        [structure, "--json", str(results), "--counterexamples", str(records.relative_to(checkout)),
         f"--color={color}", *exercise.arguments],
        f"checking {structure}", executable=str(path_of(root, label + "_yours")), cwd=checkout)
    outcome.text += _shorten(output) + "\n"
    if status == 0:
        return True
    failures = kills.failures_in(results) if results.is_file() else []
    for scenario, reason in failures:
        if reason not in outcome.reasons:
            outcome.reasons.append(reason)
    if not failures:
        outcome.reasons.append("no end in the time that there is" if status is None else
                               f"the program of {structure} ended with status {status}" if status != 1 else "not finished")
    outcome.pages += sorted(str(page.relative_to(checkout)) for page in records.glob("*.html"))
    return False


def _run_test(checkout, root, exercise, label, outcome):
    status, output = run_waiting([str(path_of(root, label + "_yours"))], f"running {label}", cwd=checkout)
    outcome.text += output.rstrip() + "\n"
    if status == 0:
        return True
    outcome.reasons.append(exercise.reason if exercise.reason in output else f"{package_and_name(label)[1]} fails")
    return False


def _run_kills(checkout, root, exercise, outcome):
    label = exercise.models[0]
    package, structure = package_and_name(exercise.structure)
    mutants = {mutant: path_of(root, f"{label}_yours_{mutant}") for mutant in exercise.mutants}
    found = kills.judge(path_of(root, label + "_yours"), root / package / f"{structure}.toml", mutants, structure,
                        checkout)
    if found.broken:
        outcome.text += _shorten(found.output) + "\n"
        outcome.reasons.append(found.broken)
        return False
    outcome.text += kills.report(found) + "\n"
    if len(found.killed) < exercise.kills:
        outcome.reasons.append(f"{len(found.killed)} are killed, {exercise.kills} are asked for")
        return False
    return True


def check(checkout, root, exercise):
    outcome = Outcome()
    texts = working_copy.read(checkout, exercise)
    repository.write(checkout / ".nowait/grade", exercise, texts)
    shutil.rmtree(checkout / "exercise" / exercise.copy / "counterexample", ignore_errors=True)
    said = build(checkout, root, exercise)
    if said is not None:
        outcome.compiled = False
        outcome.text = said + "\n"
        outcome.reasons.append("it does not compile")
        return outcome
    if exercise.kind == "model":
        outcome.passed = _run_kills(checkout, root, exercise, outcome)
        return outcome
    results = [_run_model(checkout, root, exercise, label, outcome) for label in exercise.models]
    results += [_run_test(checkout, root, exercise, label, outcome) for label in exercise.tests]
    outcome.passed = all(results)
    return outcome
