"""An aspect that compiles every header of a cc_library alone.

A reader may open any header first, so each must say what it needs itself.
    bazel build --aspects=//build:headers.bzl%headers_alone --output_groups=headers_alone //src/...
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _headers_alone_impl(target, ctx):
    if CcInfo not in target or not hasattr(ctx.rule.attr, "hdrs"):
        return []
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = target[CcInfo].compilation_context
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        quote_include_directories = context.quote_includes,
        preprocessor_defines = context.defines,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
        variables = variables,
    )
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
    )
    done = []
    for header in [file for hdrs in ctx.rule.attr.hdrs for file in hdrs.files.to_list()]:
        stamp = ctx.actions.declare_file(header.basename + ".alone")
        ctx.actions.run_shell(
            # Included rather than compiled itself: "#pragma once in main file" and the like are moot.
            command = """out=$1 header=$2 && shift 2 &&
                echo "#include \\"$header\\"" | "$@" -fsyntax-only -x c++ - && touch "$out" """,
            arguments = [stamp.path, header.path, compiler] + flags,
            inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
            outputs = [stamp],
            mnemonic = "HeaderAlone",
            progress_message = "Compiling %s alone" % header.short_path,
        )
        done.append(stamp)
    return [OutputGroupInfo(headers_alone = depset(done))]

headers_alone = aspect(
    implementation = _headers_alone_impl,
    attrs = {"_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain")},
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    incompatible_use_toolchain_transition = True,
)
