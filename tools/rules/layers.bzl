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
    "animation",
    "game",
    "apps",
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
