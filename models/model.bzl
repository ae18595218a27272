"""A structure's model and the mutants that it must kill.

model() is a binary that runs its scenarios; as a test it passes when all of them pass. Two more tests
run it: <name>_mutations judges every run-time mutation against <name>.toml, <name>_orders compares the
minimal memory orders with <name>_orders.md (models/kit/mutation). <name>_watched runs the same scenarios
with every plain access of their threads watched (models/kit/watch). <name>_buffered runs those that fit with load
buffering, for a model that says how many they are (models/kit/buffering). mutant() is
the same model compiled against patched copies of the headers in src: as a test it passes when a
scenario fails, and fails in the declared way. Nothing in src knows about either. <name>_yours is the model
compiled against a student's headers (yours()), for the exercises of the course.
"""

load("//tools/rules:precompiled.bzl", "include_precompiled", "precompiled")
load("//tools/rules:third.bzl", "third")

# Searches are long loops: always optimised, and with the assertions of what is modelled, whatever the
# configuration.
_COPTS = [
    "-O3",
    "-UNDEBUG",
]

# The compiler's calls before each access; without the run-time library of the sanitizer. They are most of the time, so
# that a search of so few executions is not worth the optimiser's.
_WATCHED_COPTS = [
    "-O1",
    "-UNDEBUG",
    "-fsanitize=thread",
]

# A mutant is killed early: the time to compile and link it counts. Its reports name places by the source, not
# by the information for a debugger.
MUTANT_COPTS = [
    "-Og",
    "-UNDEBUG",
    "-g0",
]
MUTANT_LINKOPTS = ["-Wl,--strip-debug"]

_KIT = [
    "//models/kit:main",
    "//models/kit:model",
]

# Each source begins with these, whatever it includes: once for each set of flags.
_HEADERS = "//models/kit:model_headers"
_WATCHED_HEADERS = "//models/kit:watched_headers"
_MUTANT_HEADERS = "//models/kit:mutant_headers"
MUTANT_INCLUDES = include_precompiled(_MUTANT_HEADERS)
MUTANT_KIT = _KIT + [_MUTANT_HEADERS]

def model_headers(deps):
    """The precompiled headers of models and mutants: //models/kit's targets for them.

    Args:
      deps: the library that has the headers of models/kit.
    """
    for label, copts in {
        _HEADERS: _COPTS,
        _WATCHED_HEADERS: _WATCHED_COPTS,
        _MUTANT_HEADERS: MUTANT_COPTS,
    }.items():
        precompiled(
            name = label.split(":")[1],
            testonly = True,
            copts = copts,
            includes = [
                "<algorithm>",
                "<array>",
                "<atomic>",
                "<bit>",
                "<condition_variable>",
                "<deque>",
                "<expected>",
                "<functional>",
                "<mutex>",
                "<optional>",
                "<shared_mutex>",
                "<span>",
                "<string_view>",
                "<thread>",
                "\"models/kit/program/call.h\"",
                "\"models/kit/scenario/model.h\"",
            ],
            deps = deps,
        )
        native.filegroup(
            name = label.split(":")[1] + "_names",
            testonly = True,
            srcs = [label],
            output_group = "names",
        )
    native.sh_test(
        name = "precompiled_test",
        size = "small",
        srcs = ["//models:precompiled.sh"],
        args = ["$(rootpath %s_names)" % label for label in [_HEADERS, _WATCHED_HEADERS, _MUTANT_HEADERS]],
        data = [label + "_names" for label in [_HEADERS, _WATCHED_HEADERS, _MUTANT_HEADERS]],
        tags = ["model"],
    )

def _sources_impl(ctx):
    """The files of this workspace that a program is compiled from: its reports show them."""
    headers = []
    for dep in ctx.attr.deps:
        headers.append(dep[CcInfo].compilation_context.headers)
    own = [file for file in depset(transitive = headers).to_list() if file.short_path[:3] != "../"]
    return [DefaultInfo(runfiles = ctx.runfiles(files = own + ctx.files.srcs))]

sources = rule(
    implementation = _sources_impl,
    doc = "In the runfiles of each target that has it as data: the headers that the deps bring, and srcs.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "srcs": attr.label_list(allow_files = True),
    },
)

def model(name, srcs, deps, mutation_shards = 1, atomics = True, mutations = True, buffered = 0, buffered_limits = ["--ways=50000"], **kwargs):
    """A model: `bazel test` runs its scenarios with their own searches, its mutations and its orders.

    Args:
      name: the structure; also the binary's name and its name for `./nowait check`.
      srcs: the files with the scenarios.
      deps: the structure's libraries.
      mutation_shards: the number of processes among which the mutations are dealt out.
      atomics: False if the structure has no atomic operation of its own: then there is nothing to mutate
        while it runs and no order to weaken, and patches alone (mutants) show the scenarios' strength.
      mutations: False for code of others that ends the program where a store is missing: its orders alone are
        weakened.
      buffered: how many of the scenarios the checker with load buffering examines, at least. 0: no test runs them
        with it, and models/kit/buffering/left_out.toml says why.
      buffered_limits: flags of that checker: what a scenario may need at most.
      **kwargs: as for cc_test.
    """
    notes = name + ".toml"
    table = name + "_orders.md"
    native.exports_files(native.glob([notes] + srcs))  # no file where they are generated
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
    native.cc_test(
        name = name,
        size = kwargs.pop("size", "medium"),
        srcs = srcs,
        data = kwargs.pop("data", []) + [name + "_sources"],
        copts = _COPTS + include_precompiled(_HEADERS),
        linkstatic = True,
        tags = kwargs.pop("tags", []) + ["model"] + ([] if mutations else ["no_mutations"]),
        deps = deps + _KIT + [_HEADERS],
        **kwargs
    )
    native.cc_test(
        name = name + "_watched",
        size = "medium",
        srcs = srcs,
        copts = _WATCHED_COPTS + include_precompiled(_WATCHED_HEADERS),
        linkstatic = True,
        tags = ["model", "run", "watched", third(name + "_watched")],
        deps = deps + [
            _WATCHED_HEADERS,
            "//models/kit:model",
            "//models/kit/command:watched_main",
        ],
    )
    if buffered:
        native.sh_test(
            name = name + "_buffered",
            size = "medium",
            srcs = ["//models:buffered.sh"],
            args = ["%d" % buffered, "$(location %s)" % name] + buffered_limits,
            data = [name],
            tags = ["model", "run", "buffered", third(name + "_buffered")],
        )
    yours(
        name = name,
        srcs = srcs,
        deps = deps,
    )
    if not atomics:
        return
    if mutations:
        _run(
            name = name + "_mutations",
            program = name,
            args = ["--mutate", "--notes=$(location %s)" % notes],
            data = [notes],
            shard_count = mutation_shards,
        )
    _run(
        name = name + "_orders",
        program = name,
        args = ["--minimise", "--notes=$(location %s)" % notes, "--table=$(location %s)" % table],
        data = [notes, table],
    )

def _run(name, program, args, data, **kwargs):
    """A test that is another run of a model's program."""
    native.sh_test(
        name = name,
        size = "medium",
        srcs = ["//models:run.sh"],
        args = ["$(location %s)" % program] + args,
        data = [program] + data,
        tags = ["model", "run", third(name)],
        **kwargs
    )

def yours(name, srcs, deps):
    """<name>_yours: a model's program that is compiled against a student's headers.

    @exercise//:files are these (tools/nowait/exercise/repository.py), and empty where nobody works on an
    exercise. Each source begins with them, and their include guards shut the originals out. Not built by //...

    Args:
      name: the model's.
      srcs: its files with the scenarios.
      deps: the structure's libraries.
    """
    native.cc_binary(
        name = name + "_yours",
        testonly = True,
        srcs = srcs,
        # The compiler cannot find a student's line to show it: ./nowait exercise does.
        copts = MUTANT_COPTS + MUTANT_INCLUDES +
                ["-include", "external/exercise/all.h", "-fno-diagnostics-show-caret"],
        linkstatic = True,
        tags = ["manual"],
        deps = deps + MUTANT_KIT + ["@exercise//:files"],
    )

def patched(name, files, patches, root, line = True):
    """Copies of files with patches applied: the genrule `name`. Returns their paths in this package.

    Args:
      name: the genrule's.
      files: labels of exported files, or files of this package.
      patches: made with diff -u, with paths from the root.
      root: the folder of this package that the copies are made below.
      line: whether the compiler and reports are to name a copy by the original's place.
    """
    paths = [path_of(file) for file in files]
    copies = ["%s/%s" % (root, path) for path in paths]
    native.genrule(
        name = name,
        testonly = True,
        srcs = files + patches,
        outs = copies,
        cmd = "\n".join(
            ["set -e", "root=$(RULEDIR)/%s" % root] +
            ["cp $(execpath %s) $$root/%s" % (file, path_of(file)) for file in files] +
            ["chmod -R u+w $$root"] +
            # --fuzz=0: a patch whose lines are gone is an error here, not a survivor later.
            ["patch --silent --strip=1 --fuzz=0 --no-backup-if-mismatch --reject-file=- " +
             "--directory=$$root < $(execpath %s)" % patch for patch in patches] +
            (["sed -i '1i #line 1 \"%s\"' $$root/%s" % (path, path) for path in paths] if line else []),
        ),
    )
    return copies

def _including_impl(ctx):
    ctx.actions.write(ctx.outputs.out, "".join(["#include \"%s\"\n" % file for file in ctx.attr.files]))

# Not a genrule: what Bazel writes itself costs no process, and there are hundreds of them.
_including = rule(
    implementation = _including_impl,
    attrs = {
        "files": attr.string_list(),
        "out": attr.output(mandatory = True),
    },
)

def including(name, files, out):
    """A source that includes files, in this order, by their paths from the root: the target `name`."""
    _including(
        name = name,
        testonly = True,
        files = files,
        out = out,
    )

def patched_model(name, model, headers, srcs, patch, args, root, tags, scenario = None, **kwargs):
    """A model's scenarios, compiled against patched headers.

    Args:
      name: the test's.
      model: the model() in this package.
      headers: the patched files, as labels; a header that another one includes comes before it.
      srcs: the model's files.
      patch: a file of this package.
      args: the program's arguments.
      root: the folder for the copies.
      tags: as for cc_test.
      scenario: the one that is compiled; all of them if not given.
      **kwargs: as for cc_test.
    """
    copies = patched(name + "_headers", headers, [patch], root)

    if scenario:
        # In place of the files themselves.
        copy = root + "/scenario.inc"
        native.genrule(
            name = name + "_scenario",
            testonly = True,
            srcs = srcs,
            outs = [copy],
            cmd = "$(execpath //models:one_scenario.py) '%s' %s > $@" %
                  (scenario, " ".join(["$(execpath %s)" % file for file in srcs])),
            tools = ["//models:one_scenario.py"],
        )
        args = args + ["--scenario", "'%s'" % scenario]
        written = [copy]
    else:
        written = srcs

    # The patched header comes first, and its include guard shuts the original out.
    including(
        name = name + "_source",
        files = ["%s/%s" % (native.package_name(), file) for file in copies + written],
        out = root + "/model.cc",
    )
    native.cc_test(
        name = name,
        size = kwargs.pop("size", "medium"),
        srcs = [":" + name + "_source"] + copies + ([copy] if scenario else []),
        # It shows the source from which it was compiled.
        data = copies + [model + "_sources"],
        args = ["--sources", "%s/%s" % (native.package_name(), root)] + args,
        copts = MUTANT_COPTS + MUTANT_INCLUDES,
        linkopts = MUTANT_LINKOPTS,
        linkstatic = True,
        tags = tags,
        deps = [":" + model + "_scenarios"] + MUTANT_KIT,
        **kwargs
    )

def _search(by):
    """The program's arguments for what finds a mutant: a back end, "buffering", or a search as --search has it."""
    if not by:
        return []
    if by == "buffering":
        return ["--buffering"]
    return ["--with=" + by] if by in ("exhaustive", "relacy") else ["--search", by]

def mutant(name, model, expect, headers = None, srcs = None, patch = None, scenario = None, by = None, args = [], **kwargs):
    """A defect that the model must find.

    Args:
      name: the defect; the test is called <model>_<name>.
      model: the model() in this package.
      expect: the failure that must be found: an invariant in its own words, or a kind of failure
        ("data race", "deadlock", ...: models/kit/program/failure.cc).
      headers: the files that it patches, as labels of exported files of src; a header that another one of the
        list includes comes before it. //src/<layer>:<model>.h if not given.
      srcs: the model's files that are compiled against the defect; <model>.cc if not given.
      patch: made with diff -u, with paths from the root; mutants/<model>_<name>.patch if not given.
      scenario: the one that kills it, which is compiled alone; all of them if not given.
      by: the back end ("exhaustive", "relacy"), the search ("graphs", "random:20000", ...) or the checker with load
        buffering ("buffering": certain or possible) that finds it; the scenarios' own searches if not given.
      args: more of the model's arguments.
      **kwargs: as for cc_test.
    """
    full_name = "%s_%s" % (model, name)
    headers = headers or ["//src/%s:%s.h" % (native.package_name().split("/")[-1], model)]
    srcs = srcs or [model + ".cc"]
    patch = patch or "mutants/%s.patch" % full_name
    patched_model(
        name = full_name,
        model = model,
        headers = headers,
        srcs = srcs,
        patch = patch,
        args = ["--expect-failure", "'%s'" % expect] + _search(by) + args,
        root = "mutants/%s" % full_name,
        tags = kwargs.pop("tags", []) + ["model", "mutant", third(full_name)] +
               (["buffered"] if by == "buffering" else []),
        scenario = scenario,
        **kwargs
    )

def mutants(model, expected, by = None, **kwargs):
    """Several mutants of one structure.

    Args:
      model: as for mutant().
      expected: by the mutant's name the failure that must be found, or (scenario, failure), or
        (scenario, failure, by).
      by: as for mutant(), for those that name no search of their own.
      **kwargs: as for mutant().
    """
    for name, declared in expected.items():
        scenario, expect, own = (declared + (None,))[:3] if type(declared) == "tuple" else (None, declared, None)
        mutant(
            name = name,
            model = model,
            expect = expect,
            scenario = scenario,
            by = own or by,
            **kwargs
        )

def path_of(label):
    """//src/sync:event_count.h as src/sync/event_count.h; a file of this package with the package before it."""
    if label.startswith("//"):
        return label[2:].replace(":", "/")
    return "%s/%s" % (native.package_name(), label)
