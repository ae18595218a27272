#!/usr/bin/env python3
"""Puts each defect of patches/ back, and lets a test find it: the random programs, or a test case.

  python3 tests/whole/put_back/put_back.py [--seconds S] [NAME...]

defects.toml names for each patch its finder, and the words of the promise that the finder must find broken. For
each one a copy of the checkout is patched, and the finder runs for S seconds at most (60):
  programs   KIND_controlled_programs, from seed 1 until a promise is broken. No part of them was written for one
             defect: the programs, the judge and the scheduler are those of `./nowait test`.
  a test     one case of it, which has to fail. It has 64 GiB of addresses, because one defect asks for more memory
             than there is.

Prints a row for each: the name, programs and schedules, seconds until it was found, the promise. The exit code
is 1 if a defect is not found, or is found for another reason. Each one compiles a part of src: some minutes
for all. Bazel's settings for one machine (a disk cache, fewer jobs) are in .bazelrc.user, which is copied, too.
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
# The first line of a report: the kind of failure, and its words.
REASON = re.compile(r"^(?:deadlock|starvation|livelock|too long|exception|threads left|assertion|crash).*", re.M)
SCHEDULES = re.compile(r"after (\d+) schedules, by")
ADDRESSES = 64 << 30


def defects():
    """The entries of defects.toml by name."""
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


def target_of(defect):
    """(the label of the finder, the configuration that it is built in)."""
    if "test" in defect:
        return defect["test"], defect.get("config", "opt")
    kind = defect["programs"]
    return f"//tests/whole/{kind}:{kind}_controlled_programs", "controlled"


def run_until_found(program, tree, seconds):
    """The output of the programs until they have found a failure, or None if they find nothing."""
    environment = dict(os.environ, NOWAIT_FUZZ_SECONDS=str(seconds), NOWAIT_FUZZ_SEED="1")
    with subprocess.Popen([program], cwd=tree, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if FOUND.search(line):
                process.kill()  # its child may go on for some seconds, and ends by itself
                return "".join(lines)
    return None


def run_case(test, case, tree, seconds):
    """The output of the test case, or None if it has not failed."""
    command = ["prlimit", f"--as={ADDRESSES}", test, case.replace(",", "\\,") + "*"]
    try:
        done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode != 0 else None


def found_by_programs(text):
    """The columns of a row: programs, schedules; the reason."""
    _, program, each = map(int, FOUND.search(text).groups())
    last = SCHEDULES.search(text)
    schedules = (program - 1) * each + (int(last.group(1)) if last else each)
    reason = REASON.search(text)
    return program, schedules, reason.group(0)[:110] if reason else text[:110]


def promises_of(defect):
    """The words of each promise that the defect can break."""
    promise = defect["promise"]
    return [promise] if isinstance(promise, str) else promise


def judge(defect, text, took):
    """(whether the finder that printed the text has found the defect, the row's rest). A text of None: no failure."""
    if text is None:
        return False, f"NOT FOUND in {took:.0f} s"
    promises = promises_of(defect)
    columns = ("", "", promises[0]) if "test" in defect else found_by_programs(text)
    row = f"{columns[0]:>8} {columns[1]:>9} {took:>8.1f}  {columns[2]}"
    if not any(promise in text for promise in promises):
        return False, row + " (ANOTHER REASON): " + text[-400:]
    return True, row


def verdict(defect, tree, seconds):
    """Of a patched copy of the checkout, as judge."""
    target, config = target_of(defect)
    built = bazel(tree, "build", f"--config={config}", "--noshow_progress", target)
    if built.returncode != 0:
        return False, "does not build: " + built.stderr.strip()[-400:]
    binary = tree / ".bazel/bin" / target.removeprefix("//").replace(":", "/")
    start = time.monotonic()
    if "test" in defect:
        text = run_case(binary, defect["case"], tree, seconds)
    else:
        text = run_until_found(binary, tree, seconds)
    return judge(defect, text, time.monotonic() - start)


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
    print(f"{'defect':40} {'programs':>8} {'schedules':>9} {'seconds':>8}  broken promise", flush=True)
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
                print(f"{name:40} {row}", flush=True)
        finally:
            bazel(tree, "shutdown")
            subprocess.run(["chmod", "-R", "u+w", directory], check=False)
    print(f"{len(options.names or known) - missed} found, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
