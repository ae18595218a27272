"""The checker with one of its rules broken, which the comparison must notice."""

def sabotage(name, programs = 1000):
    """A test that passes when the checker, patched by sabotage/<name>.patch, differs from brute force.

    Args:
      name: of the patch.
      programs: of each style, among which one must show it.
    """
    patch = "sabotage/%s.patch" % name
    patched = [
        "//models/kit/exhaustive:sources",
        ":checker_sources",
    ]
    native.genrule(
        name = name + "_source",
        testonly = True,
        srcs = [patch] + patched,
        outs = ["sabotage/%s.cc" % name],
        cmd = "$(execpath amalgamate.py) $(execpath %s) $@ %s" % (
            patch,
            " ".join(["$(execpaths %s)" % files for files in patched]),
        ),
        tools = ["amalgamate.py"],
    )
    native.cc_test(
        name = "sabotage_" + name,
        srcs = [":%s_source" % name],
        # Found early, so that the compile time is what counts.
        copts = [
            "-O1",
            "-U_FORTIFY_SOURCE",
            "-w",  # what is left out leaves others unused
        ],
        args = [
            "--expect-difference",
            "--programs=%d" % programs,
        ],
        linkstatic = True,
        size = "small",
        tags = [
            "model",
            "mutant",
            "sabotage",  # of the checker, not of what it checks: ./nowait check leaves them out
        ],
        deps = [
            ":main",
            ":oracle_core",
            "//models/kit:arena",
            "//models/kit:model",
            "//src/base:assert",
            "@boost_context//:boost_context",
            "@fmt//:fmt",
        ],
    )
