"""The models' programs and their tests, as Bazel lists them: the repository's, and a student's own (check --new)."""

import dataclasses
import pathlib
import xml.etree.ElementTree
from typing import Sequence

from nowait import bazel
from nowait.errors import Failure, Usage
from nowait.machine import require_cpu
from nowait.packages import require


# Scenarios that are no test: they run by this name alone.
LARGER = "//models/larger:larger"


def _packages() -> str:
    """The packages for the queries."""
    own = any(pathlib.Path("own").rglob("BUILD"))
    return "(//models/... + //own/...)" if own else "//models/..."


def name_of(label: str) -> str:
    """A model is called as its structure is."""
    return label.rpartition(":")[2]


def path_of(label: str) -> str:
    """Where what stands beside the model begins: models/sync/quota."""
    return label.removeprefix("//").replace(":", "/")


@dataclasses.dataclass(frozen=True)
class Models:
    """Programs, one for each structure."""

    labels: tuple[str, ...]

    @classmethod
    def listed(cls) -> "Models":
        """All models."""
        packages = _packages()
        labels = bazel.query(rf"attr('tags', '\bmodel\b', {packages}) "
                             rf"except attr('tags', '\b(mutant|run|spin)\b', {packages}) "
                             f"except //models/kit/... except filter('_test$', {packages})")
        if not labels:
            raise Failure(f"the models cannot be listed; does bazel query '{packages}' work?")
        return cls(tuple(labels))

    @classmethod
    def prepared(cls) -> "Models":
        """All models, on a machine that can build them."""
        require_cpu()
        require("build", "check")
        return cls.listed()

    @property
    def names(self) -> list[str]:
        return [name_of(label) for label in self.labels]

    def only(self, name: str) -> "Models":
        """The one of this name; also a mutant, since the report of a mutant's failure says `./nowait check NAME`."""
        labels = (*self.labels, LARGER)
        if name not in map(name_of, labels) and any(name.startswith(f"{known}_") for known in self.names):
            labels = tuple(bazel.query(rf"attr('tags', '\bmutant\b', {_packages()})"))
        if name not in map(name_of, labels):
            self.require_known(name)
        return Models(tuple(label for label in labels if name_of(label) == name))

    def require_known(self, name: str) -> None:
        if name not in self.names:
            raise Usage(f'check: unknown structure "{name}"; there are: {" ".join(self.names)}')

    def build(self) -> None:
        bazel.build(*self.labels, otherwise="the models do not build")

    def beside(self, arguments: Sequence[str]) -> list[str]:
        """Of one model: the files that stand beside it and that its mutations need, where they are not given."""
        label, = self.labels
        flags = {argument.partition("=")[0] for argument in arguments}
        files = []
        if flags & {"--mutate", "--mutation", "--minimise"} and "--notes" not in flags:
            files += ["--notes", f"{path_of(label)}.toml"]
        if "--minimise" in flags and "--table" not in flags:
            files += ["--table", f"{path_of(label)}_orders.md"]
        # Where models/model.bzl has patched a mutant's headers: a report shows the lines that were compiled.
        package, name = path_of(label).rsplit("/", 1)
        patched = pathlib.Path(".bazel/bin", package, "mutants", name)
        if "--sources" not in flags and patched.is_dir():
            files += ["--sources", str(patched)]
        return files


def tests(into: pathlib.Path) -> list[str]:
    """The labels of the tests that `check` runs. into: a file for all that Bazel's query says of them, as XML."""
    packages = _packages()
    if not bazel.query_to(into, rf"attr('tags', '\bmodel\b', tests({packages})) "
                                rf"except attr('tags', '\bchecker_mutant\b', tests({packages}))"):
        raise Failure("the models cannot be listed; Bazel has said why")
    return [rule.get("name") for rule in xml.etree.ElementTree.parse(into).getroot().iter("rule")]
