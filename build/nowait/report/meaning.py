"""What a PASS means, in five lines: what stands at the top of the report."""

MEANING = [
    """A scenario is a few threads with a few operations each, on the very source that the engine runs.
    Its promise is checked in every execution that is tried, and so are data races, leaks, deadlocks and
    livelocks.""",
    """Exhausted: every execution that this search can produce was tried. Not exhausted: so many were
    tried, and there were more.""",
    """So a PASS is a statement about these scenarios and these searches. A defect that needs one more
    thread, operation or switch is not excluded, nor one that needs what no search here produces: the
    caveats, at the end.""",
    """Whether the scenarios would notice a defect is tested too: mutants of the source must be killed, or
    it is written why they live. Equivalent: no execution tells the difference. Performance: right, but
    slower. Unverified: this checker cannot see the difference, and nothing here says that the source
    is right there. No effect: the mutation changed nothing in these scenarios.""",
    """The Spin models are copies of the protocols by hand, sequentially consistent: they tell what comes
    to an end, and nothing of memory orders.""",
]
