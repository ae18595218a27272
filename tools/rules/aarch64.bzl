"""aarch64_test: unit tests as AArch64 programs under qemu.

They test the code that g++ makes for that processor: sizes and alignments, NEON, and the atomic operations, for which
g++ calls functions that either loop over exclusive accesses or use the instructions of ARMv8.1 (-moutline-atomics). Each
program runs on a processor of either kind. They say nothing about memory orders: qemu runs threads on this machine,
whose memory is stronger than an AArch64 processor's. models/arm judges the orders.
"""

load("//tools/rules:cc_headers.bzl", "cc_headers")
load("//tools/rules:third.bzl", "third")

# Highway takes NEON to include the cryptographic instructions, which both processors have.
_COMPILER = " ".join([
    "aarch64-linux-gnu-g++-12 -march=armv8-a+crypto -std=c++2b -O1 -I.",
    "-Wall -Wextra -Werror -ffp-contract=off",
])

def catch2_main(name):
    """Catch2's main as an object file, NAME.o: no package has it for AArch64."""
    native.genrule(
        name = name,
        testonly = True,
        outs = [name + ".o"],
        cmd = _COMPILER + " -DCATCH_CONFIG_MAIN -include catch2/catch.hpp -x c++ -c /dev/null -o $@",
        tags = ["manual"],
    )

def aarch64_test(name, srcs, deps, left_out = None):
    """One program of these Catch2 tests, on a processor without the atomics of ARMv8.1 and on one with them.

    Args:
      name: of the test.
      srcs: sources of unit tests, which share no name outside their anonymous namespaces.
      deps: as of those tests; libraries of headers alone.
      left_out: the name of a test case that means nothing under qemu, as Catch2 takes it: without a comma, * for the rest.
    """
    tags = ["aarch64", third(name)]
    cc_headers(
        name = name + "_headers",
        testonly = True,
        deps = deps + ["//tests/support:print"],
    )
    native.genrule(
        name = name + "_program",
        testonly = True,
        srcs = srcs + [":catch2_main", ":%s_headers" % name],
        outs = [name + ".aarch64"],
        # The header of Catch2 takes longer than most tests: once for all of them.
        cmd = """pre=$$(mktemp -d) && echo '#include <catch2/catch.hpp>' > $$pre/all.h &&
            {compiler} -x c++-header $$pre/all.h && {compiler} -static -Winvalid-pch -include $$pre/all.h \\
                -include tests/support/print.h {sources} $(location :catch2_main) -o $@; status=$$?
            rm -r $$pre; exit $$status""".format(
            compiler = _COMPILER,
            sources = " ".join(["$(location %s)" % source for source in srcs]),
        ),
        tags = tags,
    )
    native.sh_test(
        name = name,
        srcs = ["on_both_processors.sh"],
        args = ["$(location :%s_program)" % name] + (["'~%s'" % left_out] if left_out else []),
        data = [":%s_program" % name],
        tags = tags,
    )
