"""A Spin model and its runs: the properties that must hold, and the seeded bugs that must be found."""

def spin_model(name, src, parts = []):
    """A test that makes every run of a Promela file (build/nowait/check_spin.py describes them).

    Args:
      name: the test's name.
      src: the file.
      parts: the files that it includes.
    """
    native.sh_test(
        name = name,
        size = "medium",
        # Not the program itself: it looks for its modules beside it, and a test's program may be a copy.
        srcs = ["//models:run.sh"],
        args = [
            "$(location //build:nowait/check_spin.py)",
            "$(location %s)" % src,
            "--jobs=1",
        ],
        data = parts + [
            src,
            "//build:nowait/check_spin.py",
            "//build:nowait/spin_search.py",
            "//build:nowait/spin_trail.py",
        ],
        # "spin": not one of the structures that ./nowait check compiles.
        tags = [
            "model",
            "spin",
        ],
    )
