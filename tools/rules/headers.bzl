"""An aspect that compiles every header of a cc_library alone.

A reader may open any header first, so each must say what it needs itself. A header whose source is in the
library has been compiled alone with it: the source begins with it (tests/layout/layout.py, check_own_headers).
    bazel build --aspects=//tools/rules:headers.bzl%headers_alone --output_groups=headers_alone //src/...
"""

load("//tools/rules:compiler.bzl", "COMPILER_ATTRS", "compiler")

def _headers_alone_impl(target, ctx):
    if CcInfo not in target or not hasattr(ctx.rule.attr, "hdrs"):
        return []
    context = target[CcInfo].compilation_context
    calls = compiler(ctx, context)
    sources = [file.path for srcs in ctx.rule.attr.srcs for file in srcs.files.to_list()]
    done = []
    for header in [file for hdrs in ctx.rule.attr.hdrs for file in hdrs.files.to_list()]:
        if header.path[:-len(header.extension)] + "cc" in sources:
            continue
        stamp = ctx.actions.declare_file(header.basename + ".alone")
        ctx.actions.run_shell(
            # Included rather than compiled itself: "#pragma once in main file" and the like are moot.
            command = """out=$1 header=$2 && shift 2 &&
                echo "#include \\"$header\\"" | "$@" -fsyntax-only -x c++ - && touch "$out" """,
            arguments = [stamp.path, header.path, calls.tool] + calls.flags,
            inputs = depset([header], transitive = [context.headers, calls.files]),
            outputs = [stamp],
            mnemonic = "HeaderAlone",
            progress_message = "Compiling %s alone" % header.short_path,
        )
        done.append(stamp)
    return [OutputGroupInfo(headers_alone = depset(done))]

headers_alone = aspect(
    implementation = _headers_alone_impl,
    attrs = COMPILER_ATTRS,
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    incompatible_use_toolchain_transition = True,
)
