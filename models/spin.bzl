"""A Spin model and its runs: the properties that must hold, and the seeded bugs that must be found."""

load("//tools/rules:python.bzl", "run_module")
load("//tools/rules:third.bzl", "third")

def spin_model(name, src, parts = []):
    """A test that makes every run of a Promela file (tools/nowait/check/spin/search.py says what they are).

    Args:
      name: the test's name.
      src: the file.
      parts: the files that it includes.
    """
    native.sh_test(
        name = name,
        size = "medium",
        srcs = ["//models:run.sh"],
        args = run_module("check.spin.verb") + [
            "$(location %s)" % src,
            "--jobs=1",
        ],
        data = parts + [
            src,
            "//tools/nowait:spin",
        ],
        # "spin": not one of the structures that ./nowait check compiles.
        tags = [
            "model",
            "spin",
            third(name),
        ],
    )
