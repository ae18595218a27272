"""The kinds of tests: each is one cc_test with its tag, so that configurations can choose."""

def unit_test(name, srcs, deps, **kwargs):
    """A Catch2 test; the main comes prebuilt."""
    native.cc_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = srcs,
        deps = deps + ["@catch2//:main"],
        **kwargs
    )

def stress_test(name, srcs, deps, **kwargs):
    """A Catch2 test in which threads collide on purpose; the tsan configuration is made for it."""
    unit_test(
        name = name,
        size = kwargs.pop("size", "medium"),
        srcs = srcs,
        deps = deps,
        tags = kwargs.pop("tags", []) + ["stress"],
        **kwargs
    )
