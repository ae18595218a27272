"""Random programs over a source with a defect: as put_back.py makes them in a copy of the checkout, for one file.

A patch of a header would have everything that includes it compiled again, which takes minutes. These are of a
source file alone: one file is compiled, and the programs are linked.
"""

load("//models:model.bzl", "patched")

def program_with_defect(name, source, library):
    """The controlled programs of the kind that begins the name, with the defect that is its name.

    Args:
      name: KIND_...: a defect of defects.toml.
      source: what its patch changes, as the label of an exported file.
      library: the target that has the source. All that the source defines is taken from the patched copy.
    """
    kind = name.partition("_")[0]
    native.cc_library(
        name = name + "_object",
        testonly = True,
        srcs = patched(name + "_source", [source], ["patches/%s.patch" % name], root = name + "_root"),
        alwayslink = True,
        tags = [
            "controlled",
            "manual",
        ],
        deps = [library],
    )
    native.cc_binary(
        name = name,
        testonly = True,
        srcs = ["//tests/whole/%s:%s_controlled_programs.cc" % (kind, kind)],
        linkstatic = True,
        tags = [
            "controlled",
            "manual",
        ],
        deps = [
            ":%s_object" % name,
            "//tests/whole/%s:programs" % kind,
            "//tests/whole/scheduler:explore_programs",
            "//tests/whole/scheduler:failing_allocation",
            "//tests/whole:fuzz_budget",
            "@catch2//:main",
        ],
    )
