#!/usr/bin/env python3
"""Puts each defect of patches/ back, and lets the random programs find it under the scheduler.

  python3 tests/whole/put_back/put_back.py [--seconds S] [NAME...]

defects.toml names for each patch the kind of programs and the words of the promise that they must find
broken. For each one: a copy of the checkout is patched, and KIND_controlled_programs runs from seed 1 until a
promise is broken, S seconds at most (60). Nothing here was written for one defect: the programs, the judge
and the scheduler are those of `./nowait test`.

Prints a row for each: the name, programs, schedules and seconds until it was found, the promise. The exit code
is 1 if a defect is not found, or is found for another reason. Each one compiles a part of src: some minutes
for all.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FOUND = re.compile(r"seed (\d+) breaks a promise: program (\d+), of (\d+) schedules each")
# The first line of a report: what kind of failure, and which.
REASON = re.compile(r"^(?:deadlock|starvation|livelock|too long|exception|threads left|assertion|crash).*", re.M)
SCHEDULES = re.compile(r"after (\d+) schedules, by")


def defects():
    """By name: {"programs": ..., "promise": ..., "what": ...}."""
    return tomllib.loads((HERE / "defects.toml").read_text(encoding="utf-8"))


def copy_of_checkout(into):
    """The files that git does not ignore, as they are in the checkout."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           check=True, capture_output=True)
    for name in names.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    settings = ROOT / ".bazelrc.user"
    if settings.exists():
        shutil.copy2(settings, into)


def apply(name, tree, *flags):
    """Whether the patch fits, to the line."""
    command = ["patch", "-p1", "--silent", "--fuzz=0", "--no-backup-if-mismatch", "--reject-file=-", *flags]
    command += ["-d", tree, "-i", HERE / "patches" / f"{name}.patch"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def bazel(tree, *arguments):
    command = ["bazel", f"--output_base={tree}.base", *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def run_until_found(program, seconds):
    """(what it printed until it had found something, the seconds that took); (None, ...) if it found nothing."""
    environment = dict(os.environ, NOWAIT_FUZZ_SECONDS=str(seconds), NOWAIT_FUZZ_SEED="1")
    start = time.monotonic()
    with subprocess.Popen([program], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if FOUND.search(line):
                process.kill()  # its child may go on for some seconds, and ends by itself
                return "".join(lines), time.monotonic() - start
    return None, time.monotonic() - start


def judge(defect, text, took):
    """(whether it was found as it should be, the row's rest); of what run_until_found returns."""
    if text is None:
        return False, f"NOT FOUND in {took:.0f} s"
    _, program, each = map(int, FOUND.search(text).groups())
    last = SCHEDULES.search(text)
    schedules = (program - 1) * each + (int(last.group(1)) if last else each)
    reason = REASON.search(text)
    row = f"{program:>8} {schedules:>9} {took:>8.1f}  {reason.group(0)[:110] if reason else text[:110]}"
    if defect["promise"] not in text:
        return False, row + " (ANOTHER REASON)"
    return True, row


def verdict(defect, tree, seconds):
    """Of a patched copy of the checkout, as judge."""
    kind = defect["programs"]
    target = f"tests/whole/{kind}/{kind}_controlled_programs"
    package, _, test = target.rpartition("/")
    built = bazel(tree, "build", "--config=controlled", "--noshow_progress", f"//{package}:{test}")
    if built.returncode != 0:
        return False, "does not build: " + built.stderr.strip()[-400:]
    return judge(defect, *run_until_found(tree / ".bazel/bin" / target, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    known = defects()
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no defect is called {unknown[0]}; there are: " + ", ".join(known))
    missed = 0
    print(f"{'defect':34} {'programs':>8} {'schedules':>9} {'seconds':>8}  broken promise", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory) / "nowait"
        tree.mkdir()
        copy_of_checkout(tree)
        try:
            for name in options.names or known:
                if not apply(name, tree):
                    found, row = False, "its patch does not apply"
                else:
                    found, row = verdict(known[name], tree, options.seconds)
                    apply(name, tree, "--reverse")
                missed += not found
                print(f"{name:34} {row}", flush=True)
        finally:
            bazel(tree, "shutdown")
            subprocess.run(["chmod", "-R", "u+w", directory], check=False)
    print(f"{len(options.names or known) - missed} found, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
