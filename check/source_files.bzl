"""The files of this repository that a library is built from: for its other build, with CMake."""

_SourceFiles = provider(fields = ["files"])

def _collect_impl(_target, ctx):
    direct = []
    for name in ["srcs", "hdrs", "tools"]:
        direct += getattr(ctx.rule.files, name, [])
    below = [dep[_SourceFiles].files for dep in getattr(ctx.rule.attr, "deps", [])]
    return [_SourceFiles(files = depset([file for file in direct if file.is_source], transitive = below))]

_collect = aspect(
    implementation = _collect_impl,
    attr_aspects = ["deps"],
)

def _source_files_impl(ctx):
    files = depset(transitive = [dep[_SourceFiles].files for dep in ctx.attr.deps])
    own = [file for file in files.to_list() if file.short_path[:3] != "../"]
    names = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(names, "".join([name + "\n" for name in sorted([file.short_path for file in own])]))
    return [DefaultInfo(files = depset([names]), runfiles = ctx.runfiles(files = own + [names]))]

source_files = rule(
    implementation = _source_files_impl,
    doc = "A list of the sources of the deps and of all below them, NAME.txt, with the sources as runfiles.",
    attrs = {"deps": attr.label_list(aspects = [_collect])},
)
