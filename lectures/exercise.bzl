"""The checks of an exercise. lectures/README.md, "How an exercise is written", says which one is for what.

Each macro makes three targets: <name>_starter, a test that the starter fails, for the declared reason;
<name>_solution, a test that the reference solution passes; <name>_yours, the program that grades a student's
files (@exercise, see models/model.bzl), which //... does not build. Solutions and starters are patches of files as
they stand: what no patch names is the same for all.
"""

load("//models:model.bzl", "including", "mutant", "path_of", "patched", "patched_model", "sources", "yours")
load("//tools/rules:python.bzl", "run_module")
load("//tools/rules:third.bzl", "third")

# Killed early, so that the time to compile is what counts.
_COPTS = [
    "-O1",
    "-UNDEBUG",
]

# As mutants: many copies of what is compiled elsewhere, which no other configuration need build.
_TAGS = [
    "exercise",
    "mutant",
]
_KIT = [
    "//models/kit:main",
    "//models/kit:model",
]

def _own(files):
    """Paths from the root of files of this package."""
    return ["%s/%s" % (native.package_name(), file) for file in files]

def _starter_patch():
    """Empty where the exercise starts from the file as it stands."""
    return native.glob(["starter.patch"])

def _texts(name, files):
    """Files that a source includes, .cc files too, and that are not compiled by themselves."""
    native.cc_library(
        name = name,
        testonly = True,
        textual_hdrs = files,
    )

def exercise_model(name, srcs, headers, deps, reason, args = []):
    """A model of the exercise's own.

    Args:
      name: the structure's, and what --json and counterexamples call it.
      srcs: the files with the scenarios.
      headers: what the student edits, as labels; a header that another one includes comes first.
      deps: the structure's libraries.
      reason: the failure of the starter, as for mutant().
      args: more of the program's arguments.
    """
    native.cc_library(
        name = name + "_scenarios",
        testonly = True,
        textual_hdrs = srcs,
        deps = deps,
    )
    sources(
        name = name + "_sources",
        testonly = True,
        srcs = srcs,
        deps = deps + _KIT,
    )
    mutant(
        name = "starter",
        model = name,
        headers = headers,
        expect = reason,
        srcs = srcs,
        patch = "starter.patch",
        args = args,
        tags = ["exercise"],
    )
    patched_model(
        name = name + "_solution",
        model = name,
        headers = headers,
        srcs = srcs,
        patch = "solution.patch",
        args = args,
        root = name + "_solution_files",
        tags = _TAGS + ["model", third(name + "_solution")],
    )
    yours(
        name = name,
        srcs = srcs,
        deps = deps,
    )

def exercise_test(name, srcs, deps, reason, headers = [], sources = [], size = "small"):
    """A program that passes or fails: with Catch2 (@catch2//:main among deps), or with a main of its own.

    Args:
      name: the check's.
      srcs: the files with the checks; they are compiled as one source, behind the student's.
      deps: as for cc_test.
      reason: a text that it prints with the starter.
      headers: headers that the student edits, as labels or files of this package.
      sources: .cc files that the student edits, likewise.
      size: as for cc_test.
    """
    files = headers + sources
    native.cc_library(
        name = name + "_checks",
        testonly = True,
        textual_hdrs = srcs,
        deps = deps,
    )
    for version, patches in [("starter", _starter_patch()), ("solution", ["solution.patch"])]:
        full_name = "%s_%s" % (name, version)
        copies = patched(full_name + "_files", files, patches, full_name + "_files")
        including(
            name = full_name + "_source",
            files = _own(copies + srcs),
            out = full_name + "_files/test.cc",
        )
        _texts(full_name + "_texts", copies)
        native.cc_binary(
            name = full_name + "_program",
            testonly = True,
            srcs = [":" + full_name + "_source"],
            copts = _COPTS,
            linkstatic = True,
            tags = _TAGS + [third(full_name)],
            deps = [":" + name + "_checks", ":" + full_name + "_texts"],
        )
        native.sh_test(
            name = full_name,
            size = size,
            srcs = ["//models:run.sh" if version == "solution" else "//lectures:fails_for.sh"],
            args = ([] if version == "solution" else ["'%s'" % reason]) + ["$(location %s_program)" % full_name],
            data = [full_name + "_program"],
            tags = _TAGS + ["model", third(full_name)],
        )
    including(
        name = name + "_yours_source",
        files = ["external/exercise/all.h"] + _own(srcs),
        out = name + "_yours.cc",
    )
    native.cc_binary(
        name = name + "_yours",
        testonly = True,
        srcs = [":" + name + "_yours_source"],
        copts = _COPTS + ["-fno-diagnostics-show-caret"],
        linkstatic = True,
        tags = ["manual"],
        deps = [":" + name + "_checks", "@exercise//:files"],
    )

def exercise_bench(name, srcs, headers, deps, at_most, reason, wrong = {}):
    """A program that checks what an implementation does and counts its work, which must fall.

    Its main ends with other than 0 if something is wrong, and prints "work: N OF-WHAT" (lectures/counting_sync.h).

    Args:
      name: the check's.
      srcs: the files with the checks; they are compiled behind the student's.
      headers: what the student edits, as labels.
      deps: as for cc_binary.
      at_most: the most work that passes, as a part of the starter's.
      reason: why the starter fails: a text that work.py or the program prints with it.
      wrong: solutions that must not pass, FILE.patch of this package, and why: likewise.
    """
    native.cc_library(
        name = name + "_checks",
        testonly = True,
        textual_hdrs = srcs,
        deps = deps,
    )
    versions = {"starter": "starter.patch", "solution": "solution.patch"}
    versions.update({one: one + ".patch" for one in wrong})
    reasons = {"starter": reason}
    reasons.update(wrong)
    for version, patch in versions.items():
        full_name = "%s_%s" % (name, version)
        copies = patched(full_name + "_files", headers, [patch], full_name + "_files")
        including(
            name = full_name + "_source",
            files = _own(copies + srcs),
            out = full_name + "_files/bench.cc",
        )
        native.cc_binary(
            name = full_name + "_program",
            testonly = True,
            srcs = [":" + full_name + "_source"] + copies,
            copts = _COPTS,
            linkstatic = True,
            tags = _TAGS + [third(full_name)],
            deps = [":" + name + "_checks"],
        )
        judged = run_module("exercise.work") + [
            "--starter=$(location %s_starter_program)" % name,
            "--program=$(location %s_program)" % full_name,
            "--at-most=%s" % at_most,
        ]
        native.sh_test(
            name = full_name,
            size = "small",
            srcs = ["//models:run.sh" if version == "solution" else "//lectures:fails_for.sh"],
            args = judged if version == "solution" else ["'%s'" % reasons[version]] + judged,
            data = [
                "//tools/nowait:judges",
                name + "_starter_program",
            ] + ([full_name + "_program"] if version != "starter" else []),
            tags = _TAGS + ["model", third(full_name)],
        )
    including(
        name = name + "_yours_source",
        files = ["external/exercise/all.h"] + _own(srcs),
        out = name + "_yours.cc",
    )
    native.cc_binary(
        name = name + "_yours",
        testonly = True,
        srcs = [":" + name + "_yours_source"],
        copts = _COPTS + ["-fno-diagnostics-show-caret"],
        linkstatic = True,
        tags = ["manual"],
        deps = [":" + name + "_checks", "@exercise//:files"],
    )

def exercise_kills(name, model, headers, deps, mutants, kills, reason):
    """Scenarios that the student writes, graded by what they kill. The model as it stands is the solution.

    Args:
      name: the check's.
      model: a model() whose one file the student writes, <model>.cc.
      headers: what the mutants patch, as labels; a header that another one includes comes first.
      deps: the structure's libraries.
      mutants: of models/.../mutants/<model>_*.patch, tests there: compiled with the scenarios.
      kills: how many mutations and mutants must be killed.
      reason: a mutation, or "mutant NAME", that survives the starter.
    """
    package, structure = model[2:].split(":")
    written = "%s.cc" % model
    judge = run_module("exercise.kills")
    common = ["--notes=$(location %s.toml)" % model, "--at-least=%d" % kills]
    mutated = {one: ["//%s:mutants/%s_%s/%s" % (package, structure, one, path_of(header)) for header in headers] for one in mutants}

    # The starter: the patched file, alone and behind each mutant's headers.
    root = name + "_starter_files"
    copy = patched(name + "_starter_files", [written], _starter_patch(), root)[0]
    _texts(name + "_starter_texts", [copy])
    programs = {}
    for one in [""] + mutants:
        program = "%s_starter_%s" % (name, one or "program")
        programs[one] = program
        behind = mutated[one] if one else []
        including(
            name = program + "_source",
            files = [path_of(header) for header in behind] + _own([copy]),
            out = "%s/%s.cc" % (root, program),
        )
        native.cc_binary(
            name = program,
            testonly = True,
            srcs = [":" + program + "_source"] + behind,
            copts = _COPTS,
            linkstatic = True,
            tags = _TAGS + [third(name + "_starter")],
            deps = deps + _KIT + [":" + name + "_starter_texts"],
        )
    native.sh_test(
        name = name + "_starter",
        size = "medium",
        srcs = ["//models:run.sh"],
        args = judge + ["--program=$(location %s)" % programs[""], "--survivor='%s'" % reason] + common +
               ["--mutant=%s=$(location %s)" % (one, programs[one]) for one in mutants],
        data = programs.values() + [model + ".toml", "//tools/nowait:judges"],
        tags = _TAGS + ["model", third(name + "_starter")],
    )
    native.sh_test(
        name = name + "_solution",
        size = "medium",
        srcs = ["//models:run.sh"],
        args = judge + ["--program=$(location %s)" % model] + common +
               ["--mutant=%s=$(location %s_%s)" % (one, model, one) for one in mutants],
        data = [model, model + ".toml", "//tools/nowait:judges"] + ["%s_%s" % (model, one) for one in mutants],
        tags = _TAGS + ["model", third(name + "_solution")],
    )
    for one in [""] + mutants:
        program = "%s_yours%s" % (name, "_" + one if one else "")
        behind = mutated[one] if one else []
        including(
            name = program + "_source",
            files = [path_of(header) for header in behind] + ["external/exercise/all.h"],
            out = program + ".cc",
        )
        native.cc_binary(
            name = program,
            testonly = True,
            srcs = [":" + program + "_source"] + behind,
            copts = _COPTS + ["-fno-diagnostics-show-caret"],
            linkstatic = True,
            tags = ["manual"],
            deps = deps + _KIT + ["@exercise//:files"],
        )
