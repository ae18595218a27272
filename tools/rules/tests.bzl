"""The kinds of tests: each is one cc_test with its tag, so that configurations can choose.

Tags: "stress" (stress_test below), "one_thread" (below), "random_programs" (below), "model"
(models/model.bzl), "bench" (benchmarks, which are not tests), "controlled" (below), "checkout" (tests of the
checkout's files, not of its programs), "callgrind" (instructions are counted: they mean something in opt alone), "aarch64"
(tools/rules/aarch64.bzl: a compiler of their own).
"""

load("//tools/rules:library.bzl", "STANDARD_INCLUDES", "WATCHED_COPTS")
load("//tools/rules:precompiled.bzl", "include_precompiled", "precompiled")
load("//tools/rules:third.bzl", "turns")

# The code under test is compiled as it is shipped; the test around it need not be, and Catch2's macros take the
# optimiser long. A sanitizer's calls between them take it two to three times as long.
_PLAIN = ["-O0"]
_OPTIMISED = ["-O1"]

# Catch2's header takes a compiler longer than most tests.
_PRECOMPILED = "//tools/rules:test_headers"
_PRECOMPILED_OPTIMISED = "//tools/rules:optimised_test_headers"
_PRECOMPILED_OF_MODELS = "//tools/rules:model_test_headers"
_PRECOMPILED_OF_MODELS_OPTIMISED = "//tools/rules:optimised_model_test_headers"

# The words of a failing test for ids, vectors and results. Every source of every test begins with it: two
# sources of one test may not differ in what a type's words are.
_PRINT_LIBRARY = "//tests/support:print"
_PRINT = "tests/support/print.h"

def test_headers():
    """The header that each test of Catch2 begins with: //tools/rules' targets for it."""
    for label, copts in {
        _PRECOMPILED: _PLAIN,
        _PRECOMPILED_OPTIMISED: _OPTIMISED,
        # libFuzzer watches what is in models.
        _PRECOMPILED_OF_MODELS: _PLAIN + WATCHED_COPTS,
        _PRECOMPILED_OF_MODELS_OPTIMISED: _OPTIMISED + WATCHED_COPTS,
    }.items():
        precompiled(
            name = label.split(":")[1],
            testonly = True,
            copts = copts,
            includes = ["<catch2/catch.hpp>"] + select({
                "//tools/rules:clang": STANDARD_INCLUDES,
                "//conditions:default": [],
            }),
            visibility = ["//visibility:public"],
        )

def unit_test(name, srcs, deps, threads = True, optimised = False, **kwargs):
    """A Catch2 test; the main comes prebuilt, and the engine's values are printed in words.

    Args:
      name: as for cc_test.
      srcs: as for cc_test.
      deps: as for cc_test.
      threads: False when all of it runs on one thread: ThreadSanitizer has nothing to see there.
      optimised: True when most of its time is spent in srcs (an oracle of its own, the templates under test), and
        not in deps: its code is optimised, under a sanitizer as well.
      **kwargs: as for cc_test.
    """
    copts = kwargs.pop("copts", [])
    in_models = native.package_name().startswith("models/")
    plain = (_PLAIN, _PRECOMPILED_OF_MODELS if in_models else _PRECOMPILED)
    better = (_OPTIMISED, _PRECOMPILED_OF_MODELS_OPTIMISED if in_models else _PRECOMPILED_OPTIMISED)

    # .bazelrc has opt's flag of every other source once more. Threads and random programs meet at speed there,
    # and the checker's tests are long searches.
    at_speed = (in_models or "stress" in kwargs.get("tags", []) or
                [source for source in srcs if not source.endswith("_test.cc")])
    here = better if optimised else plain
    in_opt = better if optimised or at_speed else plain

    native.cc_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = srcs,
        # Behind the precompiled header, which a compiler takes only where it comes first. A test with flags of its own
        # cannot take what was compiled with others.
        copts = select({
            "//tools/rules:fastbuild": here[0] + (copts or include_precompiled(here[1], of_system = True)),
            "//conditions:default": in_opt[0] + (copts or include_precompiled(in_opt[1], of_system = True)),
        }) + ["-include", _PRINT],
        tags = kwargs.pop("tags", []) + ([] if threads else ["one_thread"]) + turns(name, threads),
        deps = deps + ["@catch2//:main", _PRINT_LIBRARY] + ([] if copts else select({
            "//tools/rules:fastbuild": [here[1]],
            "//conditions:default": [in_opt[1]],
        })),
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

def random_programs_test(name, srcs, deps, **kwargs):
    """Programs made at random, against an oracle; `./nowait test --fuzz-minutes` runs it for longer.

    Args:
      name: NAME_programs; NAME is what --only takes, and the name of the test's FuzzBudget.
      srcs: as for cc_test.
      deps: as for cc_test; the budget (tests/whole/fuzz_budget.h) comes with it.
      **kwargs: as for cc_test.
    """
    if not name.endswith("_programs"):
        fail("a test of random programs is called NAME_programs, not " + name)
    unit_test(
        name = name,
        size = kwargs.pop("size", "medium"),
        srcs = srcs,
        deps = deps + ["//tests/whole:fuzz_budget"],
        tags = kwargs.pop("tags", []) + ["random_programs"],
        **kwargs
    )

def controlled_programs_test(name, srcs, deps, **kwargs):
    """The programs of a random_programs_test under the scheduler: in the configuration `controlled` alone.

    Args:
      name: KIND_controlled_programs, for the kind of KIND_programs.
      srcs: as for cc_test.
      deps: as for cc_test; tests/whole/scheduler/explore_programs.h comes with it, and allocations that can fail.
      **kwargs: as for cc_test.
    """
    random_programs_test(
        name = name,
        srcs = srcs,
        deps = deps + [
            "//tests/whole/scheduler:explore_programs",
            "//tests/whole/scheduler:failing_allocation",
        ],
        tags = kwargs.pop("tags", []) + ["controlled"],
        **kwargs
    )

def controlled_test(name, srcs, deps, **kwargs):
    """A Catch2 test of programs that run under tests/whole/scheduler: in the configuration `controlled` alone.

    Args:
      name: as for cc_test.
      srcs: as for cc_test.
      deps: as for cc_test.
      **kwargs: as for cc_test.
    """
    unit_test(
        name = name,
        srcs = srcs,
        deps = deps + ["//tests/whole/scheduler:explore"],
        tags = kwargs.pop("tags", []) + ["controlled"],
        **kwargs
    )
