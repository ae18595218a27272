"""exercise: the list, a copy to work in, checks, hints, solutions.

Exit status: 0 done, or passed; 1 it does not pass, or something is damaged or missing; 2 the command line makes no
sense; 130 after Ctrl-C where something was cut off.
"""

import datetime
import difflib
import os
import shutil
import subprocess
import sys
from typing import Sequence

from nowait.checkout import ROOT
from nowait.errors import note
from nowait.exercise import argument, catalogue, grade, pristine, skeleton, watch, working_copy
from nowait.exercise.arguments import USAGE, Words, parse
from nowait.exercise.catalogue import Complaint
from nowait.exercise.progress import Progress
from nowait.machine import require_cpu
from nowait.packages import require

PROGRESS = ".nowait/exercises.json"


def show_list(exercises, records, titles):
    lecture = ""
    width = max([len(one.title) for one in exercises], default=0)
    for one in exercises:
        if one.lecture != lecture:
            lecture = one.lecture
            print(titles.get(lecture, lecture.replace("-", " ")))
        state = records[one.name].words(len(one.hints)) if one.name in records else "-"
        print(f"  {one.number:>3}  {one.title:<{width}}  {one.kind:<7} {one.minutes:>3} min  {state}")
    passed = sum(1 for one in exercises if one.name in records and records[one.name].passed)
    print(f"{passed} of {len(exercises)} passed; ./nowait exercise N begins one, or goes on with it")


def show_hint(exercise, progress):
    with progress.change(exercise.name) as record:
        if record.hints >= len(exercise.hints):
            number = len(exercise.hints)
        else:
            number = record.hints = record.hints + 1
    print(f"hint {number} of {len(exercise.hints)}: {exercise.hints[number - 1]}")
    if number == len(exercise.hints):
        print(f"That is the last one. ./nowait exercise {exercise.number} --solution shows the reference solution.")


def show_solution(root, exercise, progress):
    with progress.change(exercise.name) as record:
        if not record.passed and record.asked == 0:
            record.asked = 1
            print(f"{exercise.title} has not passed yet. If you want to see the solution anyway, ask again:\n"
                  f"  ./nowait exercise {exercise.number} --solution")
            return
    begin, end = working_copy.defect(root, exercise), working_copy.solution(root, exercise)
    for file in exercise.files:
        sys.stdout.writelines(difflib.unified_diff(
            begin[file].splitlines(True), end[file].splitlines(True), f"the starter's {file}", f"the solution's {file}"))
    for one in argument.questions(root, exercise):
        print(f"{argument.FILE} {one.letter}: {one.right}")


def pages(outcome, opened):
    """Prints where the counterexample is, and opens it once if there is a display."""
    if not outcome.pages:
        return
    page = outcome.pages[0]
    print(f"counterexample: {page}   (open it in a browser and step through it)")
    if page in opened or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    if (program := shutil.which("xdg-open")) is None:
        return
    opened.add(page)
    subprocess.Popen([program, str(ROOT / page)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL, start_new_session=True)


def verdict(exercise, outcome):
    if outcome.passed:
        return f"passed: {exercise.title}"
    if not outcome.compiled:
        return "does not compile: nothing was checked"
    reasons = [reason + (" (what the exercise began with)" if reason == exercise.reason else "")
               for reason in outcome.reasons]
    return f"fails: {'; '.join(reasons)}"


def check(root, exercise, progress, here, opened=None):
    """Checks once and says what came of it. Returns whether it passed."""
    outcome = grade.check(ROOT, root, exercise)
    print(outcome.text.rstrip())
    if opened is not None:
        pages(outcome, opened)
    elif outcome.pages:
        print(f"counterexample: {outcome.pages[0]}")
    with progress.change(exercise.name) as record:
        record.begun = True
        record.checks += 1
        if outcome.passed and not here:
            record.passed = record.passed or datetime.date.today().isoformat()
    print(verdict(exercise, outcome))
    if outcome.passed and here:
        note("not recorded: --here grades with the checkout as it stands")
    return outcome.passed


def next_one(root, exercise):
    """A line on the exercise after this one; none after the last."""
    for one in catalogue.load(root):
        if one.number == exercise.number + 1:
            print(f"-- the next one: ./nowait exercise {one.number} ({one.title})")


def keep_checking(root, exercise, progress, here):
    folder = working_copy.folder_of(ROOT, exercise)
    paths = [folder / exercise.place_in_copy(file) for file in exercise.files]
    if exercise.argument:
        paths.append(folder / argument.FILE)
    opened = set()
    while True:
        before = watch.state(paths)
        if check(root, exercise, progress, here, opened):
            next_one(root, exercise)
        else:
            print(f"-- a hint, in another terminal: ./nowait exercise {exercise.number} --hint")
        print(f"-- checks again when you save {', '.join(str(path.relative_to(ROOT)) for path in paths)}; Ctrl-C ends")
        watch.wait_for_change(paths, before)


def begin(root, exercise, progress, again):
    folder = working_copy.folder_of(ROOT, exercise)
    if again and folder.exists():
        print(f"kept aside: {working_copy.put_aside(folder).relative_to(ROOT)}")
    if working_copy.begin(ROOT, root, exercise):
        print(f"{exercise.number}. {exercise.title}: your copy is exercise/{exercise.name}, "
              f"what is asked is in exercise/{exercise.name}/TASK.md")
    with progress.change(exercise.name) as record:
        record.begun = True


def find(words, root):
    try:
        return catalogue.find(catalogue.load(root), words)
    except catalogue.Unknown:
        if root != ROOT:
            raise Complaint(f"exercise {words} is not in the last commit; --here takes the checkout as it stands") from None
        raise


def run(words):
    progress = Progress(ROOT / PROGRESS)
    if words.verb == "new":
        folder, files = skeleton.make(ROOT, *words.new)
        print(f"{folder}: {', '.join(files)}\nlectures/README.md says what belongs into them; then: "
              f"./nowait exercise {words.new[1]} --here")
        return 0
    if words.verb == "list":
        show_list(catalogue.load(ROOT), progress.records(), catalogue.lecture_titles(ROOT))
        return 0
    catalogue.find(catalogue.load(ROOT), words.exercise)  # bad input is said first
    progress.records()
    if words.verb == "hint":
        show_hint(find(words.exercise, ROOT), progress)
        return 0
    root = ROOT if words.here else pristine.root_for_grading(ROOT, note)
    exercise = find(words.exercise, root)
    if words.verb == "solution":
        show_solution(root, exercise, progress)
        return 0
    begin(root, exercise, progress, words.again)
    if words.verb == "once":
        return 0 if check(root, exercise, progress, words.here) else 1
    keep_checking(root, exercise, progress, words.here)
    return 0


def check_input(words: Words) -> None:
    """Bad input is refused before anything is installed or built."""
    catalogue.find(catalogue.load(ROOT), words.exercise)
    Progress(ROOT / PROGRESS).records()


def main(arguments: Sequence[str]) -> int:
    words = parse(arguments)
    if words.verb == "help":
        print(USAGE)
        return 0
    if words.builds:
        check_input(words)
        require_cpu()
        require("build", "check")
    try:
        return run(words)
    except KeyboardInterrupt:
        print()
        if words.verb == "watch":
            return 0
        raise
