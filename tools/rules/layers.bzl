"""The house: src's folders are layers, and a layer may include only layers above it in this list."""

LAYERS = [
    "base",
    "math",
    "sync",
    "profile",
    "resource",
    "events",
    "jobs",
    "bodies",
    "broadphase",
    "islands",
    "collision",
    "dynamics",
    "world",
    "character",
    "navigation",
    "animation",
    "game",
    "script",
    "streaming",
    "live",
    "apps",
]

# The same for the checker: models/kit's folders are rooms, and a room may include only rooms before it.
KIT_ROOMS = [
    "process",
    "watch",
    "program",
    "scenario",
    "engine",
    "exhaustive/graph",
    "exhaustive/search",
    "exhaustive/run",
    "exhaustive/replay",
    "exhaustive/parallel",
    "exhaustive",
    "exhaustive/sample",
    "relacy",
    "back_ends",
    "mutation",
    "diagnosis",
    "axioms",
    "arm",
    "buffering",
    "certificate",
    "counterexample",
    "command",
]

# Of the kit, but no rooms: programs and tests over all of it.
_ROOMS_PROGRAMS = [
    "counterexample/page",
    "exhaustive/oracle",
    "litmus",
]

# Everything outside src may look at every layer; the root package re-exports the public targets.
_OUTSIDE = [
    "//:__pkg__",
    "//lectures:__subpackages__",
    "//models:__subpackages__",
    "//own:__subpackages__",  # made by ./nowait check --new
    "//tests:__subpackages__",
]

def layer(name):
    """The default_visibility of src/<name>: itself, the layers below it, and what is outside src."""
    if name not in LAYERS:
        fail("%s is not in LAYERS; add it to tools/rules/layers.bzl where it belongs" % name)
    below = LAYERS[LAYERS.index(name):]
    return _OUTSIDE + ["//src/%s:__subpackages__" % other for other in below]

def kit_room(name):
    """The default_visibility of models/kit/<name>: itself, the rooms after it, and what is outside the kit."""
    if name not in KIT_ROOMS:
        fail("%s is not in KIT_ROOMS; add it to tools/rules/layers.bzl where it belongs" % name)
    after = KIT_ROOMS[KIT_ROOMS.index(name):] + _ROOMS_PROGRAMS
    outside = ["check", "lectures", "own", "tests", "models/arm", "models/broadphase", "models/gallery", "models/jobs"]
    return ["//models/kit:__pkg__"] + ["//models/kit/%s:__pkg__" % room for room in after] + [
        "//%s:__subpackages__" % folder
        for folder in outside
    ]
