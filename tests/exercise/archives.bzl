"""The archives of a library, as files: for a Bazel of a test's own, which then need not compile it."""

def _archives_impl(ctx):
    files = []
    flags = []
    for dep in ctx.attr.deps:
        for part in dep[CcInfo].linking_context.linker_inputs.to_list():
            flags += part.user_link_flags
            for library in part.libraries:
                archive = library.static_library or library.pic_static_library
                if archive and archive not in files:
                    files.append(archive)
    listing = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(listing, "".join(["%s\n" % file.short_path for file in files] + ["flag %s\n" % flag for flag in flags]))
    return [DefaultInfo(files = depset([listing]), runfiles = ctx.runfiles(files = files + [listing]))]

archives = rule(
    implementation = _archives_impl,
    doc = "NAME.txt: the static libraries of deps and of what they depend on, in the order for a linker, and its flags.",
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)
