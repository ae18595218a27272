"""The tests of which CI runs a third, another one each day: ./nowait test --a-third. All of them take its machine too long.

Two kinds of tests have their turns. Those that check the checks: mutants, the runs of a model that weaken its
operations, the oracle, the exercises' starters and solutions, the figures of the course, Bazel's remote machines. And
the Catch2 tests of the engine, outside the configuration that sees most of them: with threads that is tsan, with one
thread asan. A structure's model itself always runs.
"""

def third(name, config = "opt", later = 0):
    """The tag by which a test is chosen in a configuration, on one day of three.

    Args:
      name: of the test in this package.
      config: the configuration.
      later: by how many days its day comes after that of later = 0.
    """
    return "%s_third_%d" % (config, (hash("%s:%s" % (native.package_name(), name)) + later) % 3)

def turns(name, threads):
    """The tags of a Catch2 test. A test with threads has one turn of three in each of opt, asan and clang19, each on
    another day; a test with one thread has one in opt."""
    if not threads:
        return [third(name)]
    return [third(name), third(name, "asan", 1), third(name, "clang19", 2)]
