"""The packages of tools/packages.txt, installed when a verb needs them and they are missing."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Iterator, Sequence

from nowait import processes
from nowait.checkout import TOOLS
from nowait.errors import Failure, note

# No test needs the captured motion, and CI does without it.
CAPTURED_MOTION = "crowd"
ALL = ("build", "check", "bench", "learn", "test")
# Debian's compilers and their libraries: some come with the packages of the list, not by name.
TOOLCHAIN = ("gcc-1*", "g++-1*", "cpp-1*", "libstdc++*", "binutils", "libc6", "libc6-dev")
LAST_LINES = 15  # of the output of an apt that fails
# A server among the packages is for tests, which start one of their own on loopback.
SERVERS = ("nginx",)
POLICY = pathlib.Path("/usr/sbin/policy-rc.d")
APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300")


def packages_for(needs: Sequence[str]) -> list[str]:
    """Those that one of the needs asks for, each once."""
    found = set()
    for line in (TOOLS / "packages.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            package, need, _ = (field.strip() for field in line.split("|", 2))
            if need in needs:
                found.add(package)
    return sorted(found)


def missing_of(packages: Sequence[str]) -> list[str]:
    """Those that are not installed."""
    said = _said("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n", *packages)
    installed = {line.removeprefix("installed ") for line in said.splitlines() if line.startswith("installed ")}
    return [package for package in packages if package not in installed]


def digest_of(needs: Sequence[str]) -> str:
    """A digest of the versions of the compilers and of the packages for the needs. Bazel does not include them in an
    action's key, and results may be shared only where the versions are the same."""
    said = _said("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Architecture} ${Version}\\n",
                 *packages_for(needs), *TOOLCHAIN)
    installed = sorted(line for line in said.splitlines() if line.startswith("installed "))
    return hashlib.sha256("".join(f"{line}\n" for line in installed).encode()).hexdigest()[:16]


def apt_line(packages: Sequence[str]) -> str:
    """For a person to run."""
    return f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"


def require(*needs: str) -> None:
    """Installs the missing packages, or prints the line that does."""
    wanted = packages_for(needs)
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        raise Failure(f"this is not Debian; install what corresponds to: {' '.join(wanted)}")
    missing = missing_of(wanted)
    if not missing:
        return
    sudo = _rights()
    if sudo is None:
        raise Failure("packages are missing and this user is not root; somebody who is must run:", apt_line(missing))
    note(f"installing: {' '.join(missing)}")
    with _servers_kept_off(sudo, missing):
        said = _install(sudo, missing)
    if said is not None:
        sys.stderr.write("".join(f"{line}\n" for line in said.splitlines()[-LAST_LINES:]))
        raise Failure("the installation failed, see above; it was:", apt_line(missing))


def _rights() -> list[str] | None:
    """The words before a command that root must run; `None` if this user cannot run it."""
    if os.geteuid() == 0:
        return []
    # sudo may ask for a password only where somebody can type one.
    if shutil.which("sudo") and (sys.stdin.isatty() or _succeeds("sudo", "-n", "true")):
        return ["sudo"]
    return None


def _install(sudo: Sequence[str], missing: Sequence[str]) -> str | None:
    """None, or the output of apt when it fails. Nothing is printed while it works."""
    said = ""
    for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
        ended = processes.run([*sudo, *APT, *command], capture=True)
        said += ended.output
        if ended.status != 0:
            return said
    return None


@contextlib.contextmanager
def _servers_kept_off(sudo: Sequence[str], packages: Sequence[str]) -> Iterator[None]:
    """Debian starts what it installs, then and at each boot: policy-rc.d (invoke-rc.d(8)) is how to say no to the
    first, for as long as this takes. A server that was installed before is not touched."""
    ours = not POLICY.exists() and _succeeds(*sudo, "install", "-m", "755", "/dev/stdin", POLICY,
                                             text="#!/bin/sh\nexit 101\n")
    try:
        yield
    finally:
        if ours:
            _succeeds(*sudo, "rm", "-f", POLICY)
        if shutil.which("systemctl"):
            for server in SERVERS:
                if server in packages:
                    _succeeds(*sudo, "systemctl", "--quiet", "disable", server)


def _said(*command: object) -> str:
    """A program's stdout."""
    return processes.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).output


def _succeeds(*command: object, text: str | None = None) -> bool:
    done = subprocess.run([str(word) for word in command], input=text, stdin=None if text else subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.returncode == 0
