"""What BUILD files declare, by running them: the part of Starlark that they use is Python too."""

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Mutant:
    test: str  # its name, beside the model's
    model: str  # label
    files: tuple  # headers that it patches, from the root
    reason: str
    arguments: tuple


def path_of(label, package=""):
    """//src/sync:quota.h, or :quota.h in a package, as src/sync/quota.h."""
    if label.startswith("//"):
        return label[2:].replace(":", "/")
    return f"{package}/{label.removeprefix(':')}"


def calls(path):
    """Every call of a rule or macro in a BUILD file, as (its name, its arguments by name)."""
    found = []

    class Names(dict):
        def __missing__(self, rule):
            if rule in __builtins__:
                raise KeyError(rule)  # range, len: Python's own

            def record(*_, **arguments):
                found.append((rule, arguments))
                return []

            return record

    names = Names(load=lambda *_, **__: None, glob=lambda *_, **__: [], package=lambda **_: None)
    exec(compile(pathlib.Path(path).read_text(encoding="utf-8"), str(path), "exec"), names)
    return found


def patch_of(root, package, test):
    """The patch of a mutant, from the root: the one that its call names, otherwise the one of its name."""
    build = pathlib.Path(root) / package / "BUILD"
    for rule, arguments in calls(build) if build.is_file() else ():
        if rule == "mutant" and "patch" in arguments and f"{arguments['model']}_{arguments['name']}" == test:
            return f"{package}/{arguments['patch']}"
    return f"{package}/mutants/{test}.patch"


def _search(by):
    """The arguments of a model's program for `by`, as models/model.bzl has them."""
    if not by:
        return ()
    return (f"--with={by}",) if by in ("exhaustive", "relacy") else ("--search", by)


def _declared(arguments):
    """The (name, scenario, failure, by) of each mutant in a call of mutant() or mutants()."""
    if "expected" not in arguments:
        yield arguments["name"], arguments.get("scenario"), arguments["expect"], arguments.get("by")
        return
    for name, declared in arguments["expected"].items():
        scenario, failure, *own = declared if isinstance(declared, tuple) else (None, declared)
        yield name, scenario, failure, own[0] if own else arguments.get("by")


def mutants(root):
    """Every mutant of models/, by the label of its test."""
    found = {}
    for build in sorted(pathlib.Path(root).glob("models/*/BUILD")):
        package = build.parent.relative_to(root).as_posix()
        for rule, arguments in calls(build):
            if rule not in ("mutant", "mutants"):
                continue
            model = arguments["model"]
            headers = arguments.get("headers", [f"//src/{build.parent.name}:{model}.h"])
            for name, scenario, failure, by in _declared(arguments):
                only = ("--scenario", scenario) if scenario else ()
                found[f"//{package}:{model}_{name}"] = Mutant(
                    f"{model}_{name}", f"//{package}:{model}", tuple(path_of(one) for one in headers),
                    failure, (*only, *_search(by), *arguments.get("args", ())))
    return found
