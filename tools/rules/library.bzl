"""cc_library, which a BUILD file of ours means by that name (tools/build_rules/prelude_bazel).

Under clang, in the configurations asan, tsan and clang19, each source of a library finds the standard library's
headers and fmt's precompiled: reading them took a third of the time of its compilation. Under g++ it does not: a
source that forgets an include fails there, in opt, and only there. For another workspace that uses this one it is
native.cc_library.
"""

load("//tools/rules:precompiled.bzl", "include_precompiled", "precompiled")

_PRECOMPILED = "//tools/rules:library_headers"
_PRECOMPILED_WATCHED = "//tools/rules:watched_library_headers"

# .bazelrc's --per_file_copt once more, because a precompiled header wants its reader's flags. In asan libFuzzer
# watches the branches of these and of models, which clang19 does not optimise.
_WATCHED = ["src/animation", "src/events", "src/resource"]

# Some sources of these names are not optimised.
_WITH_FLAGS = ["client.cc", "main.cc", "options.cc", "server.cc"]

# The flag of what libFuzzer watches, where it does.
WATCHED_COPTS = select({
    "//tools/rules:clang_watched": ["-fsanitize=fuzzer-no-link"],
    "//conditions:default": [],
})

# The headers that the sources of src include most often.
STANDARD_INCLUDES = [
    "<algorithm>",
    "<array>",
    "<atomic>",
    "<chrono>",
    "<cmath>",
    "<cstring>",
    "<deque>",
    "<expected>",
    "<filesystem>",
    "<functional>",
    "<limits>",
    "<map>",
    "<memory>",
    "<mutex>",
    "<numeric>",
    "<optional>",
    "<set>",
    "<span>",
    "<string>",
    "<string_view>",
    "<thread>",
    "<utility>",
    "<variant>",
    "<vector>",
    "<fmt/format.h>",
]

def library_headers():
    """The headers that each library's source begins with under clang: //tools/rules' targets for them."""
    for label in [_PRECOMPILED, _PRECOMPILED_WATCHED]:
        precompiled(
            name = label.split(":")[1],
            copts = WATCHED_COPTS if label == _PRECOMPILED_WATCHED else [],
            includes = STANDARD_INCLUDES,
            visibility = ["//visibility:public"],
        )

def _precompiled_for(package, srcs, copts):
    """The labels of what a library's sources begin with: under clang, and in asan."""
    if not srcs or copts or [source for source in srcs if source in _WITH_FLAGS]:
        return [], []
    folders = package.split("/")

    # .bazelrc's names are those of files, not of what is made.
    made = [source for source in srcs if ":" in source or not native.glob([source])]
    if folders[0] == "models":
        return [], [] if made else [_PRECOMPILED_WATCHED]
    if "/".join(folders[:2]) in _WATCHED and not made:
        return [_PRECOMPILED], [_PRECOMPILED_WATCHED]
    return [_PRECOMPILED], [_PRECOMPILED]

def _flags(labels):
    return include_precompiled(labels[0], of_system = True) if labels else []

def cc_library(name, srcs = [], deps = [], copts = [], **kwargs):
    """native.cc_library with the standard library's headers precompiled.

    Args:
      name: as for native.cc_library.
      srcs: as for native.cc_library.
      deps: as for native.cc_library.
      copts: as for native.cc_library. A library with flags of its own cannot take what was compiled with others.
      **kwargs: as for native.cc_library.
    """
    if native.repository_name() != "@":
        # The workspace that uses this one has a .bazelrc of its own.
        native.cc_library(name = name, srcs = srcs, deps = deps, copts = copts, **kwargs)
        return
    clang, asan = _precompiled_for(native.package_name(), srcs, copts)
    native.cc_library(
        name = name,
        srcs = srcs,
        copts = copts + select({
            "//tools/rules:clang_watched": _flags(asan),
            "//tools/rules:clang": _flags(clang),
            "//conditions:default": [],
        }),
        deps = deps + select({
            "//tools/rules:clang_watched": asan,
            "//tools/rules:clang": clang,
            "//conditions:default": [],
        }),
        **kwargs
    )
