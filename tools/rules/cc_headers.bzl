"""cc_headers: the headers of libraries as files, for a rule that calls a compiler of its own."""

def _cc_headers_impl(ctx):
    headers = depset(transitive = [dep[CcInfo].compilation_context.headers for dep in ctx.attr.deps])
    return [DefaultInfo(files = headers)]

cc_headers = rule(
    implementation = _cc_headers_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo], doc = "The libraries.")},
    doc = "All headers that the libraries and what they depend on offer.",
)
