"""check: the models, which search the interleavings of the lock-free structures."""

import pathlib
import subprocess
import tempfile
import tomllib
from typing import Callable, Sequence

from nowait import bazel, processes
from nowait.arguments import no_arguments
from nowait.check import everything, orders, progress, reductions, scaling, skeleton
from nowait.check.deep import verb as deep
from nowait.check.models import Models
from nowait.check.remote import LOCAL, Remote, remote_arguments
from nowait.check.spin import verb as spin
from nowait.errors import Usage
from nowait.machine import require_cpu
from nowait.packages import require

USAGE = """usage: ./nowait check                      everything that is checked of every structure: scenarios,
                                           mutations, minimal orders, mutants, Spin, the checker itself
                                           (but not the broken checkers, which ./nowait test has)
       ./nowait check --report [DIR]       the same, and what it found as DIR/index.html and
                                           DIR/report.md (default: out/check)
       ./nowait check ... --remote grpc://HOST:PORT [--local-fallback] [--cache URL]
                                           the same, on the machines of a cluster, or here without
                                           one; with what other machines have left in a cache
       ./nowait check --update-orders      the tables of minimal orders written anew, all of them
       ./nowait check STRUCTURE [flags]    the scenarios of one structure, or as the flags say; larger:
                                           larger scenarios of some structures, which are no test
  --list               its scenarios, what each promises and how it is searched (also without STRUCTURE)
  --scenario S         only this one
  --all                all of them, also those behind one that fails
  --with BACK_END      exhaustive: every execution that the memory model allows, of the scenarios that
                       are not bounded; relacy: the searches that the scenarios name; both (default).
                       Also of --mutate and --minimise
  --search WORDS       another search: graphs (every execution), and +tries +names +looks, which leave
                       out less; pct:D:N (N executions at random, with a bound for a defect of depth D);
                       or full, bound:N or random:N, and +deferred +stale +deep
  --seed N, --state T  start where a failure was reported, to see it again
  --seconds N, --executions N   stop each search after so long, or so many, and save what was done
  --save FILE          where to save that, and what Ctrl-C leaves (default: STRUCTURE.search)
  --resume FILE        go on with what was saved
  --jobs N             N processes for each search of graphs (default: one for each processor)
  --shard I/N          part I of N of each search; the parts add up to the whole
  --estimate           how many executions its scenarios have, by random probes: a guess, and how wide
  --buffering          its scenarios with load buffering, which the other searches leave out; also with
                       --scenario S and --mutation NAME; --ways N: without those that have more
                       combinations. Ends with 1 if a scenario fails for certain, 3 if one fails
                       possibly, 4 if one does not fit
  --certificate FILE   every execution of a --scenario, for another program to judge
  --sites              the operations that were executed, with their memory orders
  --mutate             every mutation of its atomic operations: killed, or why not
  --mutation NAME      the scenarios with this one
  --minimise           the weakest memory orders that the scenarios accept, beside the source's;
                       compared with the table beside the model, or written there (--update)
  --json FILE          results for another program
  --progress FILE      how far it is, for the page of ./nowait play (default: out/check/progress.json)
  --counterexamples DIR  where to write what fails, as STRUCTURE_SCENARIO.json and .html
                       (default: out/counterexamples; ./nowait show shows it again)
  --color WHEN         colours: auto (on a terminal, default), always, never
       ./nowait check --verify FILE...     judges certificates by a small program that shares nothing with
                                           the checker (models/kit/certificate/verify.py)
       ./nowait check --new NAME [FOLDER]  a structure of your own to begin with, and its model, in
                                           own/NAME; ./nowait check NAME runs it
       ./nowait check --scaling [ROUNDS] [STRUCTURE]...  how long the models' tests, or those of these
                                           structures, take with one worker and with two, measured
                                           ROUNDS times (3), and with more of them, computed
       ./nowait check --reductions [STRUCTURE SCENARIO] [--seconds N]  the executions of some scenarios, or
                                           of this one, with and without each reduction of the search;
                                           at most N seconds (300) for each search
       ./nowait check --deep --hours H [flags]  far beyond the above, for H hours; Ctrl-C stops it and the
                                           same command goes on; ends with "N passed, M failed, K not finished"
  --state DIR          where to keep it (out/deep)
  --part I/N           part I of N, on this machine: every machine has the same build and plan
  --merge DIR...       one report of those of all parts; --into DIR writes it
  --show               what was found so far; --costs DIR: a plan by what an earlier run measured
       ./nowait check --litmus [flags]     what the checker can produce, beside what C++20 allows:
  --row NAME           one litmus test explained, with an execution that produces it
  --list               what the tests are about; --table: the table alone; --json FILE: for a program
       ./nowait check --arm                the structures as AArch64 code, under the model of ARMv8, and
                                           litmus tests with published verdicts
       ./nowait check --buffering [flags]  scenarios of structures with load buffering, and litmus tests
                                           about dependencies
  --row NAME           one litmus test, with an execution that shows its outcome
  --scenario NAME      one scenario, with an execution that fails; --list: what there is
       ./nowait check --spin [MODEL] [flags]  the Spin models: what must come to an end does
  --list               their properties, and the seeded bugs that Spin must find
  --run "PROPERTY [NAME]..."  only this run of the model; --trail: the steps of what is violated
  --jobs N             N searches at once (default: one for each processor)
  --json FILE          results for another program
The last line is "N passed, M failed": scenarios, mutations, orders, and what else was run. A scenario
that was to be examined wholly and was not finished has failed.
"""
LITMUS = "//models/kit/litmus"
ARM = "//models/kit/arm"
BUFFERING = "//models/arm:buffering"
ARM_CODE = ("//models/arm:code_exclusive", "//models/arm:code_lse")


def main(arguments: Sequence[str]) -> int:
    """Checks everything or one structure, or follows the first flag."""
    remote, rest = remote_arguments(arguments)
    first = rest[0] if rest else ""
    if remote.wanted and first not in ("", "--report", "--deep"):
        raise Usage(f"check: --remote and --cache are for all structures; {first} runs here")
    if first == "--report":
        return _report(rest[1:], remote)
    if first == "--deep":
        return deep.main(rest[1:], remote)
    if first in _MODES:
        return _MODES[first](rest[1:])
    if first.startswith("-"):
        raise Usage(f"check: {first} needs a structure before it; ./nowait check --list shows them")
    if first:
        return _structure(first, rest[1:])
    if rest:
        raise Usage("check: an empty name is no structure")
    return everything.check(None, remote)


def _usage(_: Sequence[str]) -> int:
    print(USAGE, end="")
    return 0


def _report(arguments: Sequence[str], remote: Remote = LOCAL) -> int:
    no_arguments("check --report", arguments[1:])
    no_arguments("check --report", [word for word in arguments if word.startswith("-")])
    return everything.check((arguments or [""])[0] or everything.REPORT, remote)


def _structure(name: str, arguments: Sequence[str]) -> int:
    model = Models.prepared().only(name)
    model.build()
    label, = model.labels
    processes.become([bazel.program(label), *arguments, *model.beside(arguments), *progress.beside(arguments)])


def _litmus(arguments: Sequence[str]) -> int:
    require_cpu()
    require("build", "check")
    bazel.build(LITMUS, otherwise="the litmus suite does not build")
    processes.become([bazel.program(f"{LITMUS}:litmus"), *arguments])


def _arm(arguments: Sequence[str]) -> int:
    no_arguments("check --arm", arguments)
    require_cpu()
    require("build", "check")
    cpp = "//models/arm:cpp"
    bazel.build(ARM, cpp, *ARM_CODE, otherwise="the AArch64 code does not build")
    judge = bazel.program(f"{ARM}:arm")
    litmus = sorted(pathlib.Path("models/kit/arm/litmus").glob("*.litmus"))
    published = processes.run([judge, "--litmus", *litmus]).exit_status
    code = [bazel.program(f"//models/arm:{name}.code") for name in ("exclusive", "lse")]
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "cpp.json"
        processes.run([bazel.program(cpp), "--with", "exhaustive", "--json", report], stdout=subprocess.DEVNULL)
        kept = processes.run([judge, "--cpp", report, "--code", *code]).exit_status
    left_out = tomllib.loads(pathlib.Path("models/arm/left_out.toml").read_text(encoding="utf-8"))
    print(f"\n{len(left_out)} structures are not compiled for AArch64:")
    for structure, reason in left_out.items():
        print(f"{structure:<20} {reason}")
    return max(published, kept)


def _buffering(arguments: Sequence[str]) -> int:
    require_cpu()
    require("build", "check")
    bazel.build(BUFFERING, otherwise="the scenarios do not build")
    processes.become([bazel.program(BUFFERING), *arguments])


def _spin(arguments: Sequence[str]) -> int:
    require("check")
    return spin.main(arguments)


def _verify(arguments: Sequence[str]) -> int:
    if not arguments or any(argument.startswith("-") for argument in arguments):
        raise Usage("check: --verify needs the files of certificates")
    processes.become(["models/kit/certificate/verify.py", *arguments])


def _update_orders(arguments: Sequence[str]) -> int:
    no_arguments("check --update-orders", arguments)
    return orders.update()


def _minimise(arguments: Sequence[str]) -> int:
    if list(arguments) != ["--update"]:
        raise Usage("check: --minimise needs a structure before it, or --update after it for all of them")
    return orders.update()


def _list(arguments: Sequence[str]) -> int:
    no_arguments("check --list", arguments)
    models = Models.prepared()
    models.build()
    for label in models.labels:
        status = processes.run([bazel.program(label), "--list"]).exit_status
        if status != 0:
            return status
    return 0


_MODES: dict[str, Callable[[Sequence[str]], int]] = {
    "-h": _usage,
    "--arm": _arm,
    "--buffering": _buffering,
    "--help": _usage,
    "--list": _list,
    "--litmus": _litmus,
    "--minimise": _minimise,
    "--new": skeleton.main,
    "--reductions": reductions.main,
    "--scaling": scaling.main,
    "--spin": _spin,
    "--update-orders": _update_orders,
    "--verify": _verify,
}
