"""The command line of ./nowait exercise."""

import dataclasses
from typing import Sequence

from nowait.arguments import Parser
from nowait.errors import Usage

from nowait.exercise.catalogue import KINDS

USAGE = """usage: ./nowait exercise                        all exercises, and how far you are
       ./nowait exercise N [flags]              number or name: makes your copy in exercise/, if it is missing, and
                                                checks it each time you save; Ctrl-C ends
  --once                checks it once: exit status 0 if it passes, 1 if not
  --again               a new copy; the one you have is kept aside
  --hint                the next hint, and no check
  --solution            the reference solution, after a pass or when asked twice
  --here                with the checkout as it stands, for authors of exercises; a pass is not recorded
       ./nowait exercise --new LECTURE NAME KIND [MUTANT]
                                                an exercise of your own to begin with, in lectures/LECTURE/exercises;
                                                KIND is repair (of MUTANT), extend, model or litmus
What is graded: your copy's files, with everything else as the last commit has it (lectures/README.md)."""


class UsageError(Usage):
    """What makes no sense, in one line."""

    verb = "exercise: "


@dataclasses.dataclass
class Words:
    verb: str = "list"  # or help, new, hint, solution, once, watch
    exercise: str = ""
    again: bool = False
    here: bool = False
    new: tuple = ()

    @property
    def builds(self):
        return self.verb in ("once", "watch")


def _parse_new(rest):
    if len(rest) not in (3, 4):
        raise UsageError("--new needs a lecture, a name and a kind: ./nowait exercise --new the-job-list my-name repair "
                         "job_list_job_skipped")
    if rest[2] not in KINDS:
        raise UsageError(f'--new: "{rest[2]}" is not one of {", ".join(KINDS)}')
    if (rest[2] == "repair") != (len(rest) == 4):
        raise UsageError("--new: a repair needs a mutant, as job_list_job_skipped; the other kinds none")
    return Words(verb="new", new=tuple(rest))


def parse(arguments: Sequence[str]) -> Words:
    if {"-h", "--help"} & set(arguments):
        return Words(verb="help")
    if arguments[:1] == ["--new"]:
        return _parse_new(arguments[1:])
    parser = Parser("exercise")
    parser.add_argument("exercise", nargs="*")
    flags = ("once", "again", "hint", "solution", "here")
    for flag in flags:
        parser.add_argument(f"--{flag}", action="store_true")
    found = parser.parse(arguments)
    if len(found.exercise) > 1:
        raise UsageError(f'unknown argument "{found.exercise[1]}"')
    if not found.exercise:
        for flag in flags:
            if getattr(found, flag):
                raise UsageError(f"--{flag} needs an exercise before it; ./nowait exercise lists them")
        return Words()
    if not found.exercise[0].strip():
        raise UsageError("an empty name is no exercise")
    verbs = [verb for verb in ("once", "hint", "solution") if getattr(found, verb)]
    if len(verbs) > 1:
        raise UsageError(f"--{verbs[0]} and --{verbs[1]} are two commands")
    verb = verbs[0] if verbs else "watch"
    if found.again and verb in ("hint", "solution"):
        raise UsageError(f"--again and --{verb} are two commands")
    return Words(verb, found.exercise[0], found.again, found.here)
