"""Where the recordings and the records are."""

RUNS = "docs/runs"
DECLARED = f"{RUNS}/recordings.toml"
OUTSIDE = "docs/outside.json"


def record_of(name: str) -> str:
    return f"{RUNS}/{name}.json"
