"""Headers that the compiler has read already: precompiled(), and how a target takes them.

A mutant is one small change and a hundred thousand lines of the standard library and of the checker,
which take the compiler a second. Here they are compiled once, and each mutant begins with the result.

    precompiled(name = "mutant_headers", ...)
    cc_test(..., copts = MUTANT_COPTS + include_precompiled("//models/kit:mutant_headers"),
            deps = ["//models/kit:mutant_headers", ...])

g++ takes a precompiled header only when all flags that change code are the same: the reader's copts are
the rule's, and -Winvalid-pch names a difference. Clang includes the header without compiling it
beforehand, since no configuration with clang builds mutants.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def include_precompiled(label):
    """The copts of a target that has precompiled() `label`, "//package:name", among its deps."""
    return ["-Winvalid-pch", "-include", label[2:].replace(":", "/") + ".precompiled.h"]

def _precompiled_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    needed = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])
    context = needed.compilation_context

    # It stands among what is made, and nowhere among the sources: of two files of one name the compiler
    # takes the first, whether or not the other one has a precompiled header beside it.
    header = ctx.actions.declare_file(ctx.label.name + ".precompiled.h")
    ctx.actions.write(header, "".join(["#include %s\n" % name for name in ctx.attr.includes]))
    outputs = [header]
    if toolchain.compiler != "clang":
        variables = cc_common.create_compile_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts,
            quote_include_directories = context.quote_includes,
            preprocessor_defines = context.defines,
        )
        flags = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        )
        compiled = ctx.actions.declare_file(header.basename + ".gch")
        ctx.actions.run(
            executable = cc_common.get_tool_for_action(
                feature_configuration = features,
                action_name = ACTION_NAMES.cpp_compile,
            ),
            arguments = flags + ["-x", "c++-header", header.path, "-o", compiled.path],
            env = cc_common.get_environment_variables(
                feature_configuration = features,
                action_name = ACTION_NAMES.cpp_compile,
                variables = variables,
            ),
            inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
            outputs = [compiled],
            mnemonic = "PrecompiledHeader",
            progress_message = "Precompiling %s" % ctx.label,
        )
        outputs.append(compiled)
    return [
        DefaultInfo(files = depset(outputs)),
        cc_common.merge_cc_infos(cc_infos = [
            needed,
            CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset(outputs))),
        ]),
    ]

precompiled = rule(
    implementation = _precompiled_impl,
    doc = "A header of includes, compiled before what begins with it.",
    attrs = {
        "copts": attr.string_list(doc = "of everything that includes it"),
        "deps": attr.label_list(doc = "what has the headers", providers = [CcInfo]),
        "includes": attr.string_list(doc = "as they stand after #include"),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    incompatible_use_toolchain_transition = True,
)
