"""@exercise where no exercise is being graded: no files."""

def _no_exercise_impl(repository_ctx):
    repository_ctx.file("WORKSPACE")
    repository_ctx.file("all.h")
    repository_ctx.file("BUILD", """
cc_library(
    name = "files",
    textual_hdrs = ["all.h"],
    visibility = ["//visibility:public"],
)
""")

no_exercise = repository_rule(
    implementation = _no_exercise_impl,
    doc = "A repository with the one target that ./nowait exercise gives @exercise, and nothing in it.",
)
