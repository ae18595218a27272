"""check --update-orders: the tables of minimal orders, written anew beside every model."""

from nowait import bazel, processes
from nowait.check.models import Models, path_of
from nowait.errors import FAILED, note
from nowait.test.results import Counts, one


def update() -> int:
    models = Models.prepared()
    models.build()
    counts = Counts()
    for label in models.labels:
        path = path_of(label)
        good = processes.run([bazel.program(label), "--minimise", "--update", "--notes", f"{path}.toml", "--table",
                              f"{path}_orders.md"]).status == 0
        counts += one(good)
        if not good:
            note(f"{path}_orders.md: see above")
    print(counts)
    return FAILED if counts.failed else 0
