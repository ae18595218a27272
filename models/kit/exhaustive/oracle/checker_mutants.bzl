"""The checker with one of its rules broken, which the comparison must notice."""

load("//models:model.bzl", "MUTANT_LINKOPTS")
load("//tools/rules:precompiled.bzl", "include_precompiled", "precompiled")
load("//tools/rules:third.bzl", "third")

_TAGS = [
    "model",
    "mutant",
    "checker_mutant",  # of the checker, not of its subject: ./nowait check leaves them out
]

# Found early: the compile time matters more than the speed. -w: a patch that leaves a call out leaves
# its callee unused.
_COPTS = [
    "-O1",
    "-U_FORTIFY_SOURCE",
    "-g0",
    "-w",
]

_PRECOMPILED = "//models/kit/exhaustive/oracle:checker_headers"

def checker_headers():
    """The headers that a patched .cc file begins with; none of them is patched then."""
    precompiled(
        name = _PRECOMPILED.split(":")[1],
        testonly = True,
        copts = _COPTS,
        includes = [
            "<algorithm>",
            "<array>",
            "<numeric>",
            "<string>",
            "<vector>",
            "<fmt/format.h>",
            "\"models/kit/exhaustive/run/lost_wakeups.h\"",
            "\"models/kit/exhaustive/run/exhaustive_machine.h\"",
        ],
        deps = [
            "//models/kit/exhaustive:back_end",
            "@fmt//:fmt",
        ],
    )

def checker_mutant(name, file, programs = 1000, style = None):
    """A test that passes when the checker, patched by checker_mutants/<name>.patch, differs from brute force.

    A patched .cc file is compiled alone. It stands in front of the library with the right one, from which the
    linker then takes everything else. A patched header is seen by all files: they are compiled anew, as one.

    Args:
      name: of the patch.
      file: of the checker, that it changes, as room:file.
      programs: of each style, among which one must show it.
      style: the only one that is run, where the first program that shows it comes late.
    """
    is_header = file.endswith(".h")
    patch = "checker_mutants/%s.patch" % name
    patched = [
        "//models/kit/exhaustive/graph:sources",
        "//models/kit/exhaustive/run:sources",
        "//models/kit/exhaustive/search:sources",
        ":checker_sources",
    ] if is_header else ["//models/kit/exhaustive/" + file]
    native.genrule(
        name = name + "_source",
        testonly = True,
        srcs = [patch] + patched,
        outs = ["checker_mutants/%s.cc" % name],
        cmd = "$(execpath amalgamate.py) $(execpath %s) $@ %s" % (
            patch,
            " ".join(["$(execpaths %s)" % files for files in patched]),
        ),
        tools = ["amalgamate.py"],
    )
    native.cc_test(
        name = "checker_mutant_" + name,
        srcs = [":%s_source" % name],
        copts = _COPTS + ([] if is_header else include_precompiled(_PRECOMPILED)),
        linkopts = MUTANT_LINKOPTS,
        args = [
            "--expect-difference",
            "--programs=%d" % programs,
        ] + (["--style=" + style] if style else []),
        linkstatic = True,
        size = "small",
        tags = _TAGS + [third("checker_mutant_" + name)],
        deps = [
            ":main",
            ":oracle_core",
            "//models/kit/process:arena",
            "//models/kit/engine",
            "//models/kit/program",
            "//models/kit/scenario",
            "//src/base:assert",
            "@boost_context//:boost_context",
            "@fmt//:fmt",
        ] + ([] if is_header else [
            _PRECOMPILED,
            ":checkers",
            "//models/kit/exhaustive:back_end",
            "//models/kit/exhaustive/graph",
            "//models/kit/exhaustive/run",
            "//models/kit/exhaustive/search",
        ]),
    )
