"""The argument behind a repair: what the checker says to edits of the right file, and which claims hold.

An exercise asks for it by [[argument]] in its exercise.toml (lectures/README.md, "How an exercise is written"). An edit
is a mutant of the exercise's model, or another memory order of one operation. No exercise keeps the checker's answer to
it: the mutant's reason stands in models/, and the table of a model's minimal orders has the rest. Tests there compare
both with what the checker prints.
"""

import dataclasses
import pathlib
import re

from nowait.exercise import build_files
from nowait.exercise.catalogue import Complaint, mutant_patch, package_and_name

FILE = "ARGUMENT.txt"
ACCEPTED = "accepted"
HOLDS = ("holds", "does not hold")
KINDS = ("data race", "deadlock", "livelock", "use after free")  # of failures, for all models
_STRONGER = {"relaxed": {"acquire", "release", "acq_rel", "seq_cst"}, "acquire": {"acq_rel", "seq_cst"},
             "release": {"acq_rel", "seq_cst"}, "acq_rel": {"seq_cst"}, "seq_cst": set()}
_ANSWER = re.compile(r"([a-z])\s*:\s*(.*)")


@dataclasses.dataclass(frozen=True)
class Question:
    letter: str
    text: str  # Markdown
    right: str
    choices: tuple


@dataclasses.dataclass
class Judged:
    right: bool
    lines: list  # what there is to say; the last one sums up


def _code(line):
    return line.partition("//")[0].rstrip()


def _shown(patch, hidden):
    """What a patch changes, without comments, and without the lines of the hole around it."""
    lines = []
    for line in patch.splitlines():
        if line.startswith("@@"):
            lines.append(" ...")
        elif line[:1] in ("-", "+", " ") and not line.startswith(("---", "+++")):
            code = _code(line)
            if code.strip(" -+") and not (line[0] == " " and code.strip() in hidden):
                lines.append(code)
    hunks = "\n".join(lines).removeprefix(" ...\n")
    return f"```diff\n{hunks}\n```"


def _hole(root, exercise):
    """The code that a repair's patch takes out."""
    if exercise.kind != "repair":
        return set()
    patch = (pathlib.Path(root) / mutant_patch(root, exercise)).read_text(encoding="utf-8")
    return {_code(line[1:]).strip() for line in patch.splitlines() if line.startswith("-") and not line.startswith("---")}


def _of_mutant(root, exercise, edit):
    """(text, verdict)"""
    for label in exercise.models:
        package, _ = package_and_name(label)
        mutant = build_files.mutants(root).get(f"//{package}:{edit}")
        if mutant is not None and mutant.model == label:
            patch = pathlib.Path(root) / build_files.patch_of(root, package, edit)
            text = _shown(patch.read_text(encoding="utf-8"), _hole(root, exercise))
            return f"in `{'`, `'.join(mutant.files)}`:\n\n{text}", mutant.reason
    raise Complaint(f"{exercise.folder}/exercise.toml: argument: {edit!r} is no mutant of {', '.join(exercise.models)}")


def _orders(root, exercise):
    """The tables of minimal orders: operation: (order in the source, weakest, what forbids weaker)."""
    rows = {}
    for label in exercise.models:
        package, structure = package_and_name(label)
        table = pathlib.Path(root) / package / f"{structure}_orders.md"
        for line in table.read_text(encoding="utf-8").splitlines() if table.is_file() else ():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if cells[0].startswith("`"):
                rows[cells[0].strip("`")] = cells[1:4]
    return rows


def _of_order(root, exercise, edit):
    operation, _, order = edit.rpartition(":")
    where = f"{exercise.folder}/exercise.toml: argument: {edit!r}"
    rows = _orders(root, exercise)
    if operation not in rows or order not in _STRONGER:
        raise Complaint(f"{where} is no operation and order of {', '.join(exercise.models)}")
    present, weakest, forbidden = rows[operation]
    file, function, what = operation.split(":", 2)
    text = f"in `{function}` of `{file}`, `{what}` has the order {order} in place of {present}"
    if order == present:
        raise Complaint(f"{where}: it has this order already")
    if order == weakest or order in _STRONGER[weakest]:
        return text, ACCEPTED
    tried, _, said = forbidden.partition(": ")
    if tried != order or any(row[0] != row[1] for row in rows.values()):
        raise Complaint(f"{where}: the table of orders does not say what the checker finds")
    return text, said.partition(", ")[2]


def questions(root, exercise):
    if not exercise.argument:
        return []
    asked = []
    for item in exercise.argument:
        if "claim" in item:
            asked.append((item["claim"], HOLDS[0] if item["holds"] else HOLDS[1], HOLDS))
            continue
        of = _of_order if ".h:" in item["edit"] else _of_mutant
        asked.append((*of(root, exercise, item["edit"]), ()))
    verdicts = {right for _, right, choices in asked if not choices} | set(KINDS) | {exercise.reason}
    every = (ACCEPTED, *sorted(verdicts - {ACCEPTED}))
    return [Question(chr(ord("a") + number), text, right, choices or every)
            for number, (text, right, choices) in enumerate(asked)]


def asked(all_questions):
    """The part of TASK.md; empty without questions."""
    if not all_questions:
        return ""
    edits = [one for one in all_questions if one.choices != HOLDS]
    text = f"""
## The argument
A repair passes together with its argument. Write one answer behind each letter of `{FILE}`.
"""
    if edits:
        text += """
Each edit is made to the right file, alone. What does the checker say, when it has examined all scenarios? The answers
to choose from (a part of one is enough, if no other has it):

""" + "\n".join(f"- {choice}" for choice in edits[0].choices) + "\n"
    if len(edits) < len(all_questions):
        text += "\nOf a claim the answer is `holds` or `does not hold`.\n"
    for one in all_questions:
        text += f"\n**{one.letter}**: {'edit ' if one in edits else ''}{one.text}\n"
    return text


def sheet(all_questions):
    """FILE as the student finds it; empty without questions."""
    if not all_questions:
        return ""
    return "# One answer behind each letter; TASK.md has the questions.\n" + "".join(
        f"{one.letter}:\n" for one in all_questions)


def _chosen(question, answer):
    """The choice that is meant. ValueError: which it could be."""
    answer = " ".join(answer.lower().split())
    meant = [choice for choice in question.choices if choice.lower() == answer] or \
        [choice for choice in question.choices if answer in choice.lower()]
    if len(meant) != 1:
        raise ValueError(f"{question.letter}: {answer!r} is {'none' if not meant else 'more than one'} of the answers "
                         f"to choose from: {'; '.join(question.choices)}")
    return meant[0]


def judge(all_questions, text):
    """Not said is which of several answers is wrong: that would be found by trying."""
    given = {}
    for line in text.splitlines():
        if found := _ANSWER.fullmatch(line.strip()):
            given[found[1]] = found[2].strip()
    missing = [one.letter for one in all_questions if not given.get(one.letter)]
    if missing:
        return Judged(False, [f"no answer to {', '.join(missing)}"])
    right = 0
    unclear = []
    for one in all_questions:
        try:
            right += _chosen(one, given[one.letter]) == one.right
        except ValueError as error:
            unclear.append(str(error))
    if unclear:
        return Judged(False, unclear)
    return Judged(right == len(all_questions), [f"{right} of {len(all_questions)} answers are right"])
