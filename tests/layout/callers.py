"""Every public function of the world, the task pool and the game has a caller in src/apps, or a reason.

The names are read from the headers, class by class: a member function that is declared behind `public:`, or in a
struct. A call is the name behind `.`, `->` or `::`, in front of `(` or `<`, anywhere in src/apps: an object's type is
not looked at, and a function counts as called where another one of its name is.
"""

import re

# By header, the classes whose functions have to be called.
CLASSES = {
    "src/world/world.h": ("World",),
    "src/world/world_view.h": ("WorldView",),
    "src/jobs/task_pool.h": ("BasicTaskPool",),
    "src/jobs/frame_loop.h": ("FrameLoop",),
    "src/game/delayed_effects.h": ("DelayedEffects",),
    "src/game/object_table.h": ("ObjectTable",),
    "src/game/rounds.h": ("Rounds",),
    "src/game/transaction.h": ("Transaction",),
    "src/script/system.h": ("ScriptSystem",),
    "src/script/world_manager.h": ("WorldManager",),
}
# (class, function): the library through which the programs reach it, or the reason why no program needs it.
EXCEPTIONS = {
    ("World", "TraceRay"): "src/live/feed.cc",
    ("World", "sleep_events"): "src/world/world_events.cc",
    ("World", "joint_events"): "src/world/world_events.cc",
    ("WorldView", "FindNearest"): "src/script/queries.h",
    ("BasicTaskPool", "AddList"): "src/jobs/job_batch.h",
    ("BasicTaskPool", "Cancel"): "src/streaming/parcel.cc",
    ("BasicTaskPool", "ReportThrown"): "src/jobs/parallel_for.h",
    ("DelayedEffects", "Clear"): "src/game/transaction.h",
    ("ObjectTable", "Destroy"): "src/script/system.cc",
    ("Rounds", "ready"): "src/script/system_tick.cc",
    ("Rounds", "IsDone"): "src/script/system_calls.cc",
    ("Rounds", "times_put_off"): "src/script/system_calls.cc",
    ("Rounds", "PutOff"): "src/script/system_calls.cc",
    ("Rounds", "PutOffForTask"): "src/script/system_calls.cc",
    ("Rounds", "EndRound"): "src/script/system_tick.cc",
    ("Rounds", "AwaitsTasks"): "src/script/system_tick.cc",
    ("Rounds", "TasksAreDone"): "src/script/system_tick.cc",
    ("Rounds", "IsStuck"): "src/script/system_tick.cc",
    ("Rounds", "BreakCycle"): "src/script/system_tick.cc",
}

COMMENT = re.compile(r"//[^\n]*")
# A declaration's name: behind a type or at the beginning of a line, in front of its parameters.
DECLARATION = re.compile(r"(?<![\w.>~:])([A-Za-z_]\w*)\s*\(")
NO_NAME = {"NOWAIT_ASSERT", "alignas", "decltype", "explicit", "if", "noexcept", "operator", "requires", "return", "sizeof", "static_assert"}


def body_of(text, name):
    """The text between the braces of a class; nothing if the header has no such class."""
    found = re.search(rf"\b(?:class|struct)\s+(?:\[\[\w+\]\]\s+|alignas\(\d+\)\s+)?{name}\b[^;{{]*{{", text)
    return text[found.end() : closing(text, found.end())] if found else ""


def closing(text, begin):
    """The place of the brace that closes the one in front of `begin`."""
    depth = 1
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a brace is not closed")


def declared(text, name):
    """The public member functions of a class, in their order, without those of its classes."""
    body = body_of(COMMENT.sub("", text), name)
    # Nested braces go: bodies of functions, initial values, and nested classes with all that they have.
    flat = ""
    at = depth = 0
    while at < len(body):
        if body[at] == "{":
            at = closing(body, at + 1)
            flat += "" if depth > 0 else "{}"  # among parameters no declaration ends
        else:
            depth += {"(": 1, ")": -1}.get(body[at], 0)
            flat += body[at]
        at += 1
    parts = re.split(r"(?m)^\s*(public|private|protected):", flat)
    public = "".join(text for access, text in zip(parts[1::2], parts[2::2]) if access == "public")
    names = []
    for statement in re.split(r";|\{\}", public):
        statement = re.sub(r"\btemplate\s*<[^<>]*>", "", statement)
        statement = re.sub(r"\[\[[^\]]*\]\]", "", statement)
        if re.search(r"\b(?:using|typedef|friend)\b|= delete", statement):
            continue
        found = DECLARATION.search(statement)
        if found and found[1] not in NO_NAME and found[1] != name and found[1] not in names:
            names.append(found[1])
    return names


def calls(text):
    """The names of the functions that a source calls."""
    return set(re.findall(r"(?:\.|->|::)(?:template )?([A-Za-z_]\w*)\s*[(<]", COMMENT.sub("", text)))


def check_callers(root, classes=None, exceptions=None):
    """A complaint for each public function without a caller in src/apps and without an exception that holds."""
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    called = set()
    for pattern in ("*.h", "*.cc"):
        for path in sorted((root / "src/apps").rglob(pattern)):
            called |= calls(path.read_text(encoding="utf-8"))
    used = set()
    for header, names in (classes or CLASSES).items():
        text = (root / header).read_text(encoding="utf-8")
        for name in names:
            functions = declared(text, name)
            if not functions:
                yield f"{header}: no public function of {name} was found"
            for function in functions:
                if function in called:
                    continue
                reason = exceptions.get((name, function))
                used.add((name, function))
                if reason is None:
                    yield f"{header}: no program of src/apps calls {name}::{function}"
                elif reason.startswith("src/"):
                    path = root / reason
                    if not path.is_file() or function not in calls(path.read_text(encoding="utf-8")):
                        yield f"tests/layout/callers.py: {reason} does not call {name}::{function}"
    for name, function in exceptions:
        if (name, function) not in used:
            yield f"tests/layout/callers.py: the exception for {name}::{function} is not needed"
