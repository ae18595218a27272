"""The arguments of ./nowait test."""

import argparse
import dataclasses
import pathlib
import re
from typing import Sequence

from nowait.arguments import Parser, whole_number
from nowait.checkout import ROOT
from nowait.errors import Usage

# The steps in their order: the compiler changes once, between opt and the three that use clang.
STEPS = ("opt", "controlled", "shipped", "external", "asan", "tsan", "clang19")
# The configurations in which programs made at random are run.
FUZZ_CONFIGS = ("opt", "controlled", "asan", "tsan", "clang19")
MOST_MINUTES = 600

USAGE = """usage: ./nowait test [--quick] [--a-third] [--cache DIR] [--config NAME]... [--stress-minutes M] [--soak-minutes M]
       ./nowait test --fuzz-minutes M [--only NAME]... [--config NAME]... [--fuzz-seed N]
       ./nowait test --fuzz-seed N --only NAME [--config NAME]
  --quick        the tests of src alone, optimised (g++): no models, mutants, exercises, stress, random programs
                 or tests of the checkout; it prints how many that leaves out
  --a-third      only a third, another one each day, of the tests that check the checks (mutants, weakened orders,
                 exercises' solutions, ...), of the engine's outside the configuration that sees most of them, and of
                 the benchmarks' builds; it prints how many that leaves out
  --cache DIR    results are kept in DIR, for other checkouts too, and taken from there; at most 12 GB, and only
                 while the compilers and libraries are the same
  --stress-minutes M  only the stress test of a whole world, under ThreadSanitizer, for M minutes (1 .. 600;
                 the step tsan has a minute of it), and prints what it looked at
  --soak-minutes M  only the soak: a world with everything on, and the open world's ride, for M minutes each (1 .. 600);
                 memory stays flat, and no stall is above its bound
  --fuzz-minutes M  only programs made at random, each kind for M minutes (1 .. 600), optimised, or under
                 each --config of opt, controlled, asan, tsan, clang19; a failure is shortened and says how it is replayed
  --only NAME    of these only this kind; may be given several times. An unknown one lists them
  --fuzz-seed N  the seed of the first program; without --fuzz-minutes the one program that is run
  --config NAME  only this step; may be given several times. The steps:
    opt       every test, optimised, without assertions: as shipped (g++)
    controlled  whole programs under a scheduler that one controls (g++); tests/whole/README.md
    shipped   the benchmarks are built, and every header is compiled alone (g++)
    external  another Bazel workspace uses this one
    asan      AddressSanitizer and UndefinedBehaviorSanitizer (clang); no models
    tsan      ThreadSanitizer (clang); no models and no tests of one thread
    clang19   the second compiler, optimising fully: the tests of the engine's threads and hashes (asan has
              run the rest with this compiler already)
"""


@dataclasses.dataclass(frozen=True)
class Fuzz:
    """Programs made at random. minutes: `None` for the one program of the seed."""

    kinds: tuple[str, ...]
    configs: tuple[str, ...]
    minutes: int | None
    seed: int | None


@dataclasses.dataclass(frozen=True)
class Words:
    """The steps, in the order in which they run, and the minutes of those that can go on for ever."""

    steps: tuple[str, ...]
    minutes: dict[str, int]
    fuzz: Fuzz | None = None
    a_third: bool = False
    cache: pathlib.Path | None = None


def parse(arguments: Sequence[str]) -> Words:
    found = _parser().parse(arguments)
    minutes = {step: value for step, value in (("stress", found.stress_minutes), ("soak", found.soak_minutes)) if value}
    alone = (["quick"] if found.quick else []) + list(minutes)
    if found.fuzz_minutes is not None or found.fuzz_seed is not None:
        if alone or found.a_third or found.cache is not None:
            raise Usage("test: random programs are run alone")
        return Words(("fuzz",), {}, _fuzz(found))
    if found.only:
        raise Usage("test: --only is for --fuzz-minutes and --fuzz-seed")
    steps = tuple(dict.fromkeys(alone + found.config)) or STEPS
    if found.a_third and alone:
        raise Usage(f"test: --a-third is for the steps of --config, not for --{alone[0]}")
    return Words(steps, minutes, a_third=found.a_third, cache=found.cache)


def _parser() -> Parser:
    parser = Parser("test", USAGE)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--a-third", action="store_true")
    parser.add("--cache", "a folder", type=_folder)
    for flag in ("--stress-minutes", "--soak-minutes", "--fuzz-minutes"):
        parser.add(flag, "a number", type=_minutes(flag))
    parser.add("--fuzz-seed", "a number", type=_seed)
    parser.add("--only", "a name", action="append", default=[])
    parser.add("--config", "a name", action="append", default=[], type=_step)
    return parser


def _minutes(flag: str):
    def minutes(text: str) -> int:
        value = whole_number(text, 1, MOST_MINUTES)
        if value is None:
            raise Usage(f'test: {flag} is 1 .. {MOST_MINUTES}, not "{text}"')
        return value
    return minutes


def _seed(text: str) -> int:
    # 19 digits: they fit into 64 bits whatever they are.
    if not re.fullmatch(r"[0-9]{1,19}", text):
        raise Usage(f'test: --fuzz-seed is a number of at most 19 digits, not "{text}"')
    return int(text)


def _folder(text: str) -> pathlib.Path:
    if not text or (path := pathlib.Path(text).expanduser().absolute()).exists() and not path.is_dir():
        raise Usage(f'test: --cache is a folder, not "{text}"')
    return path


def _step(text: str) -> str:
    if text not in STEPS:
        raise Usage(f'test: unknown configuration "{text}"; there are: {" ".join(STEPS)}')
    return text


def _fuzz(found: argparse.Namespace) -> Fuzz:
    if found.fuzz_minutes is None and len(found.only) != 1:
        raise Usage("test: --fuzz-seed without --fuzz-minutes needs one --only NAME: whose seed is it?")
    for name in found.config:
        if name not in FUZZ_CONFIGS:
            raise Usage(f'test: random programs do not run in "{name}"; they do in: {" ".join(FUZZ_CONFIGS)}')
    kinds = fuzz_kinds()
    for name in found.only:
        if name not in kinds:
            raise Usage(f'test: no random programs are called "{name}"; there are: {" ".join(kinds)}')
    return Fuzz(tuple(found.only or kinds), tuple(found.config or ("opt",)), found.fuzz_minutes, found.fuzz_seed)


def fuzz_kinds(folder: pathlib.Path = ROOT / "tests/whole") -> list[str]:
    """The kinds' names. From the files, because bad input is refused without Bazel."""
    names = set()
    for build in folder.rglob("BUILD"):
        found = re.findall(r'name = "([a-z_]+)_programs"', build.read_text(encoding="utf-8"))
        names.update(name.removesuffix("_controlled") for name in found)
    return sorted(names)
