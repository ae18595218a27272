"""The meaning of a PASS, in a few lines: the top of the report."""

MEANING = [
    """A scenario is a few threads with a few operations each, on the very source that the engine runs.
    Its promise is checked in every execution that is tried, and so are data races, leaks, deadlocks and
    livelocks.""",
    """All N executions examined: every execution of the scenario that C++20's memory model allows, but
    for what the line names and for the caveats at the end (of those that differ only in which of threads that are alike did what, one);
    there are N, and not one of them breaks the promise. One that was to be
    examined so and was not finished has failed.""",
    """Bounded: there are too many executions for that. Relacy's searches tried as many as it says.
    Exhausted: every one that this search can produce. Not exhausted: there were more.""",
    """So a PASS is a statement about these scenarios. A defect that needs one more thread or operation is
    not excluded; nor, where a scenario is bounded, one that needs a switch more or what no search here
    produces.""",
    """Whether the scenarios would notice a defect is tested too: mutants of the source must be killed, or
    it is written why they live. No counterexample exists in the scenarios: every execution of all of them
    was examined with the mutation. Equivalent: no execution shows the difference. Performance: right, but
    slower. Unverified: this checker cannot see the difference, and nothing here says that the source
    is right there. No effect: the mutation changed nothing in these scenarios.""",
    """The Spin models are copies of the protocols by hand, sequentially consistent: they tell what comes
    to an end, and nothing of memory orders.""",
]
