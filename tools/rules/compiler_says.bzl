"""compiler_says(): what the compiler says of a source that may be refused, for a test to read.

    compiler_says(name = "discarded_results", src = "discarded_results.cc", deps = ["//src/base:result"])

The flags are the configuration's, -Werror too. The source is only read: nothing is made of it.
"""

load("//tools/rules:compiler.bzl", "COMPILER_ATTRS", "compiler")

def _compiler_says_impl(ctx):
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    calls = compiler(ctx, context)
    said = ctx.actions.declare_file(ctx.label.name + ".said")
    ctx.actions.run_shell(
        # A compiler that refuses the source is no failure here.
        command = 'said=$1 && shift && { "$@" >"$said" 2>&1 || true; }',
        arguments = [said.path, calls.tool] + calls.flags + ["-fdiagnostics-color=never", "-fsyntax-only", ctx.file.src.path],
        env = calls.env,
        inputs = depset([ctx.file.src], transitive = [context.headers, calls.files]),
        outputs = [said],
        mnemonic = "CompilerSays",
        progress_message = "Asking the compiler about %s" % ctx.file.src.short_path,
    )
    return [DefaultInfo(files = depset([said]), runfiles = ctx.runfiles([said]))]

compiler_says = rule(
    implementation = _compiler_says_impl,
    doc = "NAME.said: what the compiler says of a source.",
    attrs = dict(
        COMPILER_ATTRS,
        deps = attr.label_list(doc = "what has the headers", providers = [CcInfo]),
        src = attr.label(doc = "the source", allow_single_file = [".cc"], mandatory = True),
    ),
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    incompatible_use_toolchain_transition = True,
)
