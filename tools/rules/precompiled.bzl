"""Headers that the compiler has read already: precompiled(), and how a target takes them.

A mutant is one small change and a hundred thousand lines of the standard library and of the checker,
which take the compiler a second. Here they are compiled once, and each mutant begins with the result.

    precompiled(name = "mutant_headers", ...)
    cc_test(..., copts = MUTANT_COPTS + include_precompiled("//models/kit:mutant_headers"),
            deps = ["//models/kit:mutant_headers", ...])

A compiler takes a precompiled header only when all flags that change code are the same: the reader's copts
are the rule's, and g++'s -Winvalid-pch or clang's error names a difference. Clang takes headers of the system
alone: it looks for the others where they were when it read them, and that was a sandbox. Where a header has
others too, clang finds it empty, and reads what a source includes.
"""

load("//tools/rules:compiler.bzl", "COMPILER_ATTRS", "compiler")

def include_precompiled(label, of_system = False):
    """The copts of a target that has precompiled() `label`, "//package:name", among its deps.

    Args:
      label: of the header.
      of_system: whether it has headers of the system alone, which do not change.
    """
    # From the execution root: clang looks there alone for what is compiled beside a header.
    copts = ["-Winvalid-pch", "-include", "$(BINDIR)/" + label[2:].replace(":", "/") + ".precompiled.h"]
    if of_system:
        return copts

    # g++ names among a source's dependencies what the precompiled header has read. Without it Bazel does not
    # compile a source again whose headers have changed there. Clang's has headers of the system alone.
    return copts + select({
        str(Label("//tools/rules:clang")): [],
        "//conditions:default": ["-fpch-deps"],
    })

def _precompiled_impl(ctx):
    needed = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])
    context = needed.compilation_context
    calls = compiler(ctx, context, ctx.attr.copts)

    clang = calls.name == "clang"
    of_system = all([name[0] == "<" for name in ctx.attr.includes])
    included = [] if clang and not of_system else ctx.attr.includes

    # It stands among what is made, and nowhere among the sources: of two files of one name the compiler
    # takes the first, whether or not the other one has a precompiled header beside it.
    header = ctx.actions.declare_file(ctx.label.name + ".precompiled.h")
    ctx.actions.write(header, "".join(["#include %s\n" % name for name in included]))
    outputs = [header]
    names = []
    if included:
        compiled = ctx.actions.declare_file(header.basename + ".gch")
        source = [header.path]
        if not clang and not of_system:
            # g++ keeps the names of what it reads here only where it is to write them: for -fpch-deps.
            source += ["-MD", "-MF", "/dev/null"]
            names.append(ctx.actions.declare_file(header.basename + ".d"))
        if clang:
            # Nothing that another sandbox or another machine does not have: no file of ours, no times.
            source = ["-", "-Xclang", "-fno-pch-timestamp"]
            # The templates that the headers use are instantiated once, here.
            source.append("-fpch-instantiate-templates")
            for name in included:
                source += ["-include", name[1:-1]]
        ctx.actions.run(
            executable = calls.tool,
            arguments = calls.flags + ["-x", "c++-header"] + source + ["-o", compiled.path],
            env = calls.env,
            inputs = depset([header], transitive = [context.headers, calls.files]),
            outputs = [compiled],
            mnemonic = "PrecompiledHeader",
            progress_message = "Precompiling %s" % ctx.label,
        )
        outputs.append(compiled)
    if names:
        # The dependencies of a source that begins with it, as Bazel reads them.
        ctx.actions.run(
            executable = calls.tool,
            arguments = calls.flags + [
                "-Winvalid-pch",
                "-include",
                header.path,
                "-fpch-deps",
                "-MD",
                "-MF",
                names[0].path,
                "-fsyntax-only",
                "-x",
                "c++",
                "/dev/null",
            ],
            env = calls.env,
            inputs = depset(outputs, transitive = [context.headers, calls.files]),
            outputs = names,
            mnemonic = "PrecompiledNames",
            progress_message = "Listing what %s has read" % ctx.label,
        )
    return [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(names = depset(names)),
        cc_common.merge_cc_infos(cc_infos = [
            needed,
            CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset(outputs))),
        ]),
    ]

precompiled = rule(
    implementation = _precompiled_impl,
    doc = "A header of includes, compiled before what begins with it.",
    attrs = dict(
        COMPILER_ATTRS,
        copts = attr.string_list(doc = "of everything that includes it"),
        deps = attr.label_list(doc = "what has the headers", providers = [CcInfo]),
        includes = attr.string_list(doc = "as they stand after #include"),
    ),
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    incompatible_use_toolchain_transition = True,
)
