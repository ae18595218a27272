"""fuzz_test: a parser against bytes that a fuzzer makes up."""

def fuzz_test(name, srcs, corpus, deps, **kwargs):
    """A program with LLVMFuzzerTestOneInput, and the folder of inputs that it begins with.

    In the configuration asan it is linked with libFuzzer: it replays the corpus, then goes on from it
    with inputs of its own for NOWAIT_FUZZ_SECONDS, some seconds unless that is set (libfuzzer_options.cc).
    In the others it replays the corpus.

    Args:
      name: as for cc_test; NAME_programs, as for random_programs_test.
      srcs: as for cc_test.
      corpus: a folder below tests/fuzz/corpus. What a fuzzer found goes there with the repair.
      deps: as for cc_test.
      **kwargs: as for cc_test.
    """
    native.cc_test(
        name = name,
        size = "medium",
        srcs = srcs + select({
            "//tests/fuzz:libfuzzer": ["//tests/fuzz:libfuzzer_options.cc"],
            "//conditions:default": ["//tests/fuzz:replay_main.cc"],
        }),
        args = ["tests/fuzz/corpus/" + corpus],
        copts = ["-O1"],
        data = native.glob(["corpus/%s/**" % corpus]),
        linkopts = select({
            "//tests/fuzz:libfuzzer": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        tags = ["one_thread", "random_programs"],
        deps = deps,
        **kwargs
    )
