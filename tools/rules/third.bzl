"""The tests of which CI runs a third, another one each day: ./nowait test --a-third.

They check the checks: mutants, the runs of a model that weaken its operations, the oracle, the exercises' starters and
solutions, the figures of the course, Bazel's remote machines. All of them take CI's machine too long. A test that looks
at the engine itself, or at a structure's model, is never among them.
"""

def third(name):
    """The tag by which they are chosen.

    Args:
      name: of the test in this package.
    """
    return "third_%d" % (hash("%s:%s" % (native.package_name(), name)) % 3)
