"""How a rule of ours calls the compiler as cc_library would: with the configuration's flags.

A rule that does has COMPILER_ATTRS among its attrs, and the fragment and the toolchain of C++.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

COMPILER_ATTRS = {
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
}

def compiler(ctx, context, copts = []):
    """The compiler for sources that see `context`.

    Args:
      ctx: the rule's or the aspect's.
      context: the CompilationContext of what the sources include.
      copts: as for cc_library.

    Returns:
      tool: its path; flags: without -c and -o; env; files: what it reads besides the sources and headers;
      name: "gcc", "clang".
    """
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + copts,
        quote_include_directories = context.quote_includes,
        preprocessor_defines = context.defines,
    )
    return struct(
        tool = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
        ),
        flags = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        ),
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        ),
        files = toolchain.all_files,
        name = toolchain.compiler,
    )
