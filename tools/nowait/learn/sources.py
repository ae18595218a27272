"""The repository's files that a text names, as pages with a number and an anchor at each line."""

from nowait.learn import highlight


def lines(root, path):
    return highlight.numbered((root / path).read_text(errors="replace").rstrip("\n"), path.rsplit("/", 1)[-1])
