"""Machines besides this one: a cluster that runs Bazel's actions, a cache that many machines share."""

import dataclasses
import re
import socket
from typing import Sequence

from nowait import bazel
from nowait.arguments import Parser
from nowait.check.cache_answers import filtered
from nowait.errors import Failure, Usage, note
from nowait.packages import digest_of

ENDPOINT = "an endpoint, such as grpc://HOST:PORT"
EXECUTORS = ("grpc", "grpcs")
CACHES = ("http", "https", "grpc", "grpcs")
PORTS = {"http": 80, "https": 443}
SECONDS = 10  # in which somebody must answer
NEEDS = ("build", "check")


@dataclasses.dataclass(frozen=True)
class Remote:
    """The machines that the caller asks for; an empty text asks for no machine."""

    executor: str = ""
    cache: str = ""
    local_fallback: bool = False

    @property
    def wanted(self) -> bool:
        return bool(self.executor or self.cache)

    def reached(self) -> "Shared":
        """The machines that answer."""
        executor, cache = self.executor, self.cache
        if executor and not _answers("--remote", executor):
            if not self.local_fallback:
                raise Failure(f"check: nothing answers at {executor}; with --local-fallback everything would run here")
            note(f"nothing answers at {executor}: everything runs here")
            executor = ""
        if cache and not _answers("--cache", cache):
            note(f"nothing answers at {cache}: nothing is taken from there")
            cache = ""
        return Shared(executor, cache, bool(executor) and self.local_fallback)


LOCAL = Remote()


@dataclasses.dataclass(frozen=True)
class Shared:
    """Bazel with the machines that have answered."""

    executor: str
    cache: str
    local_fallback: bool

    @property
    def flags(self) -> list[str]:
        """Bazel's; none if everything is here."""
        flags = ["--config=remote", f"--remote_executor={self.executor}"] if self.executor else []
        flags += ["--config=shared", f"--remote_cache={self.cache}"] if self.cache else []
        flags += ["--remote_local_fallback"] if self.local_fallback else []
        if not flags:
            return []
        digest = digest_of(NEEDS)
        return [*flags, f"--action_env=NOWAIT_PACKAGES={digest}", f"--test_env=NOWAIT_PACKAGES={digest}"]

    def test(self, *labels: str, flags: Sequence[str]) -> int:
        """Bazel's status. All wrong answers of a cache become one line."""
        shared = self.flags
        status = bazel.test(*labels, flags=["--config=opt", *shared, *flags], filtered=filtered if shared else None)
        if status == bazel.NO_ANSWER and shared:
            note(f"{self.executor or self.cache} stopped answering: what has no result has not passed; "
                 "the same command goes on from here")
        return status


def remote_arguments(arguments: Sequence[str]) -> tuple[Remote, list[str]]:
    """Divides arguments into those about other machines and the rest."""
    parser = Parser("check")
    parser.add("--remote", ENDPOINT, default="")
    parser.add("--cache", ENDPOINT, default="")
    parser.add_argument("--local-fallback", action="store_true")
    found, rest = parser.parse_known_args(arguments)
    if found.remote:
        endpoint("--remote", found.remote, EXECUTORS)
    if found.cache:
        endpoint("--cache", found.cache, CACHES)
    if found.local_fallback and not found.remote:
        raise Usage("check: --local-fallback says what to do without the executor; --remote names one")
    return Remote(found.remote, found.cache, found.local_fallback), rest


def endpoint(flag: str, url: str, schemes: Sequence[str]) -> tuple[str, int]:
    """Its host and its port."""
    match = re.fullmatch(r"([a-z]+)://([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\])(?::([0-9]{1,5}))?(?:/[^ ]*)?", url)
    if not match or match[1] not in schemes:
        raise Usage(f'check: {flag} "{url}" is no endpoint; one is {schemes[0]}://HOST:PORT '
                    f'(or {" ".join(schemes[1:])})')
    if not match[3] and match[1] not in PORTS:
        raise Usage(f'check: {flag} "{url}" names no port')
    return match[2].strip("[]"), int(match[3] or PORTS[match[1]])


def _answers(flag: str, url: str) -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection(endpoint(flag, url, CACHES), SECONDS).close()
        return True
    except (OSError, OverflowError):
        return False
