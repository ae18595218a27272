"""The steps of ./nowait test: each runs Bazel and says how many have passed and failed."""

import dataclasses
import datetime
import pathlib
import time
import xml.etree.ElementTree
from typing import Sequence

from nowait import bazel, bench
from nowait.errors import note
from nowait.test import external
from nowait.test.dearest import Cost, costs_in
from nowait.test.results import Counts, Ran, count, one
from nowait.test.words import Fuzz

# Room that a test has beyond the time for which it was asked to go on.
GRACE_SECONDS = 600
FUZZ_GRACE_SECONDS = 3600


@dataclasses.dataclass(frozen=True)
class Configuration:
    """A configuration of .bazelrc.

    left_out: tests with these tags do not run (+TAG: those without it do not); how many is printed.
    building: flags on the targets that are built besides the tests.
    config: its name in .bazelrc, where the step has another one.
    """

    left_out: tuple[str, ...]
    building: tuple[str, ...]
    config: str = ""

    @property
    def test_tags(self) -> str:
        """--test_tag_filters of it."""
        return ",".join(tag[1:] if tag.startswith("+") else f"-{tag}" for tag in self.left_out)


# The sanitizers have nothing to say about a program that no test runs; the compilers have.
CONFIGURATIONS = {
    # Targets for `controlled` alone mean nothing where src is not controlled.
    "opt": Configuration(("controlled",), ("--build_tag_filters=-controlled",)),
    "quick": Configuration(("model", "checkout", "controlled", "stress", "random_programs", "aarch64"), ("--build_tests_only",),
                           config="opt"),
    "controlled": Configuration(("+controlled",), ("--build_tests_only",)),
    "asan": Configuration(("model", "checkout", "controlled", "aarch64", "callgrind"), ("--build_tests_only",)),
    "tsan": Configuration(("model", "checkout", "controlled", "one_thread", "aarch64", "callgrind"), ("--build_tests_only",)),
    # The step asan has compiled everything else with this compiler.
    "clang19": Configuration(("model", "checkout", "controlled", "stress", "one_thread", "aarch64", "callgrind"),
                             ("--build_tests_only",)),
}


def today() -> int:
    """The day's number: it chooses thirds."""
    return datetime.date.today().toordinal()


def with_a_third(name: str, what: Configuration, day: int) -> Configuration:
    """The configuration with the day's third of those tests that have their turns in it (tools/rules/third.bzl); the
    others are neither built nor run."""
    others = tuple(f"{name}_third_{third}" for third in range(3) if third != day % 3)
    tags = "".join(f",-{tag}" for tag in others)
    building = tuple(flag + tags if flag.startswith("--build_tag_filters=") else flag for flag in what.building)
    return dataclasses.replace(what, left_out=what.left_out + others, building=building)


def configuration(name: str, folder: pathlib.Path, tests: pathlib.Path,
                  a_third: bool = False, flags: Sequence[str] = ()) -> tuple[Counts, list[Cost]]:
    """The tests under one configuration. folder: for what Bazel says; tests: a query for every test, as XML; flags:
    more of Bazel's."""
    what = CONFIGURATIONS[name]
    if a_third:
        what = with_a_third(name, what, today())
    events = folder / f"{name}.json"
    status = bazel.test("//...", flags=[
        f"--config={what.config or name}", "--keep_going", f"--test_tag_filters={what.test_tags}", *what.building,
        *flags, "--test_output=summary", "--test_summary=none", f"--build_event_json_file={events}"])
    try:
        counts = count(Ran(name, status, events), tests, ",".join(what.left_out))
        return counts, costs_in(name, events)
    except (OSError, ValueError, LookupError, xml.etree.ElementTree.ParseError) as error:
        note(f"the results of {name} could not be counted: {error}")
        return one(False), []


def shipped(a_third: bool = False, flags: Sequence[str] = ()) -> Counts:
    """Builds that have no test of their own to fail, counted one each. a_third: the day's third of the benchmarks
    alone; flags: more of Bazel's."""
    keep_going = ("--config=opt", "--keep_going", *flags)
    alone = ("--aspects=//tools/rules:headers.bzl%headers_alone", "--output_groups=headers_alone")
    counts = one(bazel.try_build("//src/...", flags=keep_going) == 0)
    counts += one(bazel.try_build("//src/...", flags=[*keep_going, *alone]) == 0)
    # Tagged "manual", so that //... does without Google Benchmark; they have to compile nevertheless.
    benches = sorted(bench.all_targets())
    chosen = benches[today() % 3::3] if a_third else benches
    counts += one(bazel.try_build(*chosen, flags=keep_going) == 0)
    print(f"shipped: {counts}" + (f"; left out: {len(benches) - len(chosen)} benchmarks" if a_third else ""))
    return counts


def external_workspace() -> Counts:
    """Another workspace uses this one."""
    return _said("external", one(external.works()))


def stress(minutes: int) -> Counts:
    """The world in which everything happens at once, for longer than CI has time."""
    good = _test_for("NOWAIT_STRESS_SECONDS", 60 * minutes, "tsan", ["//tests/stress:open_world_stress"])
    return _said("stress", one(good))


def soak(minutes: int) -> Counts:
    """For longer than any leak or stall stays hidden, one after the other: the targets with the tag "soak"."""
    targets = bazel.targets_tagged("soak")
    good = bool(targets) and _test_for("NOWAIT_SOAK_SECONDS", 60 * minutes, "opt", targets)
    return _said("soak", Counts(len(targets), 0) if good else one(False))


def _test_for(variable: str, seconds: int, config: str, labels: list[str]) -> bool:
    return bazel.test(*labels, flags=[
        f"--config={config}", f"--test_env={variable}={seconds}", f"--test_timeout={seconds + GRACE_SECONDS}",
        "--test_output=all", "--nocache_test_results", "--local_test_jobs=1"]) == 0


def fuzz(words: Fuzz) -> Counts:
    """Programs made at random.

    A kind is a test NAME_programs with the tag "random_programs" (tools/rules/tests.bzl). Its budget, and so how long
    it runs and from which seed, is given by the environment (tests/whole/fuzz_budget.h). In the configuration
    `controlled` it is NAME_controlled_programs: the same programs under the scheduler. Each kind in each
    configuration, one after another: the programs' threads want the machine for themselves.
    """
    seconds, seed, environment = 0, words.seed, []
    if words.minutes is not None:
        seconds = 60 * words.minutes
        # Other programs each time: a second has room for 2^20 of them.
        seed = int(time.time()) << 20 if seed is None else seed
        environment = [f"--test_env=NOWAIT_FUZZ_SECONDS={seconds}"]
    environment.append(f"--test_env=NOWAIT_FUZZ_SEED={seed}")
    labels = {label.rpartition(":")[2]: label for label in bazel.targets_tagged("random_programs")}
    counts = Counts()
    for config in words.configs:
        for kind in words.kinds:
            print(f"-- {kind}, {config}, from seed {seed}")
            label = labels.get(f"{kind}_controlled_programs" if config == "controlled" else f"{kind}_programs")
            counts += one(label is not None and bazel.test(label, flags=[
                f"--config={config}", *environment, "--test_tag_filters=",
                f"--test_timeout={seconds + FUZZ_GRACE_SECONDS}", "--test_output=all", "--nocache_test_results", "--local_test_jobs=1"]) == 0)
    return _said("fuzz", counts)


def _said(step: str, counts: Counts) -> Counts:
    print(f"{step}: {counts}")
    return counts
