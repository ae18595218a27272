"""One check of a student's files: built by Bazel against the pristine checkout, run, and judged."""

import dataclasses
import shutil
import sys

from nowait import bazel, processes
from nowait.exercise import argument, compiler, kills, repository, shorten, work, working_copy
from nowait.exercise.catalogue import Complaint, package_and_name
from nowait.progress import waiting_for


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
    if exercise.bench:
        checks += [(exercise.bench, exercise.bench + version) for version in ("_yours", "_starter_program")]
    return checks


def path_of(root, label):
    package, name = package_and_name(label)
    return root / ".bazel/bin" / package / name


def build(checkout, root, exercise):
    """None, or what the compiler said."""
    where = checkout / ".nowait/grade"
    arguments = ["build", "--config=opt", "--noshow_progress", "--color=no", "--show_result=0",
                 "--ui_event_filters=-info", f"--override_repository=exercise={where}",
                 *(program for _, program in programs(exercise))]
    with waiting_for("compiling") as tick:
        ended = bazel.call(arguments, tick=tick, capture=True, cwd=root)
    (checkout / ".nowait/exercise.log").write_text(ended.output, encoding="utf-8")
    return None if ended.status == 0 else compiler.explain(checkout, ended.output)


def _run_model(checkout, root, exercise, label, outcome):
    records = checkout / "exercise" / exercise.name / "counterexample"
    results = checkout / ".nowait/grade.json"
    results.unlink(missing_ok=True)
    _, structure = package_and_name(label)
    color = "always" if sys.stdout.isatty() else "never"
    command = [structure, "--all", "--json", str(results), "--counterexamples", str(records.relative_to(checkout)),
               f"--color={color}", *exercise.arguments]
    if root != checkout:
        command += ["--sources", str(root)]
    with waiting_for(f"checking {structure}") as tick:
        ended = processes.run_alone(command, tick, kills.SECONDS, executable=str(path_of(root, label + "_yours")),
                                    cwd=checkout)
    if not results.is_file():
        outcome.text += ended.output
        outcome.reasons.append("no end in the time that there is" if ended.status is None else
                               f"the program of {structure} ended with status {ended.status}")
        return False
    outcome.text += shorten.shorten(structure, ended.output, results) + "\n"
    if ended.status == 0:
        return True
    for _, reason in kills.failures_in(results):
        if reason not in outcome.reasons:
            outcome.reasons.append(reason)
    if not outcome.reasons:
        outcome.reasons.append("not finished")
    outcome.pages += shorten.pages(ended.output)
    return False


def _run_test(checkout, root, exercise, label, outcome):
    with waiting_for(f"running {label}") as tick:
        ended = processes.run_alone([path_of(root, label + "_yours")], tick, kills.SECONDS, cwd=checkout)
    outcome.text += ended.output.rstrip() + "\n"
    if ended.status == 0:
        return True
    outcome.reasons.append(exercise.reason if exercise.reason in ended.output else f"{package_and_name(label)[1]} fails")
    return False


def _run_bench(checkout, root, exercise, outcome):
    label = exercise.bench
    with waiting_for(f"counting the work of {label}") as tick:
        compared = work.compare(path_of(root, label + "_starter_program"), path_of(root, label + "_yours"),
                                exercise.at_most, tick, checkout)
    outcome.text += compared.text
    if not compared.passed:
        outcome.reasons.append(compared.reason)
    return compared.passed


def _run_kills(checkout, root, exercise, outcome):
    label = exercise.models[0]
    package, structure = package_and_name(exercise.structure)
    mutants = {mutant: path_of(root, f"{label}_yours_{mutant}") for mutant in exercise.mutants}
    with waiting_for(f"checking what the scenarios of {structure} kill") as tick:
        found = kills.judge(path_of(root, label + "_yours"), root / package / f"{structure}.toml", mutants, structure,
                            checkout, tick)
    if found.broken:
        outcome.text += found.output.rstrip() + "\n"
        outcome.reasons.append(found.broken)
        return False
    outcome.text += kills.report(found) + "\n"
    if len(found.killed) < exercise.kills:
        outcome.reasons.append(f"{len(found.killed)} are killed, {exercise.kills} are asked for")
        return False
    return True


def _judge_argument(checkout, root, exercise, outcome):
    asked = argument.questions(root, exercise)
    if not asked:
        return
    place = working_copy.folder_of(checkout, exercise) / argument.FILE
    try:
        answers = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        answers = ""
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(f"exercise/{exercise.name}/{argument.FILE}: {error}") from None
    judged = argument.judge(asked, answers)
    outcome.text = outcome.text.rstrip("\n") + "\n" + "\n".join(f"argument: {line}" for line in judged.lines) + "\n"
    if not judged.right:
        outcome.passed = False
        outcome.reasons.append(f"the argument in exercise/{exercise.name}/{argument.FILE}: {judged.lines[-1]}")


def check(checkout, root, exercise):
    """The code, and then what argues for it."""
    outcome = _check_code(checkout, root, exercise)
    if outcome.compiled:
        _judge_argument(checkout, root, exercise, outcome)
    return outcome


def _check_code(checkout, root, exercise):
    outcome = Outcome()
    texts = working_copy.read(checkout, exercise)
    repository.write(checkout / ".nowait/grade", exercise, texts)
    shutil.rmtree(checkout / "exercise" / exercise.name / "counterexample", ignore_errors=True)
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
    if exercise.bench:
        results.append(_run_bench(checkout, root, exercise, outcome))
    outcome.passed = all(results)
    return outcome
