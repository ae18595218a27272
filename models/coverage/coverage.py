"""Whether each atomic operation of src is visited by the model that answers for its file.

A model's notes (models/<layer>/<model>.toml) name the files that it answers for. Two sets of sites are
compared: those of src (atomic_sites.py) and those that the model's report lists as executed. They are compared both
ways: an executed site that is not known from the source means that the scanner is wrong, and then its silence
about other sites is worth nothing.
"""

import dataclasses

from atomic_sites import Scan, Site


@dataclasses.dataclass
class Model:
    name: str
    sources: list  # the files that it answers for
    visited: set  # of Site


def visited_sites(report):
    """The sites in a model's report (its --json) that are in src."""
    sites = set()
    for site in report["sites"]:
        file = site["file"].removeprefix("./")
        if file.startswith("src/"):
            place = (file, site["line"], site["column"])
            sites.add(Site(*place, site["kind"], site["order"], site.get("failure_order")))
    return sites


# The complaints that a primitive may cause: by the atomics that it reads, and by its assembly.
_OF_A_PRIMITIVE = ("an atomic of another policy than the template's: no model sees it", "volatile is not of the policy")


def complaints(texts, models, exceptions, primitives=()):
    """The complaints, a line each; and the sites that are visited.

    texts: of the files of src, by their paths. exceptions, primitives: as in exceptions.toml.
    """
    excepted = {(entry["file"], entry["atomic"]) for entry in exceptions}
    scan = Scan(texts, excepted)
    found = _without_primitives(scan.complaints, primitives)
    found += _about_exceptions(scan, exceptions, excepted)
    found += _about_sources(scan, models)
    found += _about_sites(scan, models)
    return found, len(scan.sites)


def _without_primitives(found, primitives):
    for entry in primitives:
        file = entry["file"]
        of_it = [line for line in found if line.startswith(f"{file}:") and line.endswith(_OF_A_PRIMITIVE)]
        found = [line for line in found if line not in of_it]
        if not any(line.endswith(_OF_A_PRIMITIVE[1]) for line in of_it):
            found.append(f"exceptions.toml: {file} has no assembly any more")
        if not entry["reason"].strip():
            found.append(f"exceptions.toml: {file} has no reason")
    return list(found)


def _about_exceptions(scan, exceptions, excepted):
    for file, name in sorted(scan.objects - excepted):
        yield f"{file}: {name} is a std::atomic outside the policy, and not in exceptions.toml"
    for file, name in sorted(excepted - scan.objects):
        yield f"exceptions.toml: {file} has no std::atomic called {name} any more"
    for entry in exceptions:
        if not entry["reason"].strip():
            yield f"exceptions.toml: {entry['atomic']} of {entry['file']} has no reason"


def _about_sources(scan, models):
    with_sites = {site.file for site in scan.sites}
    owners = {}
    for model in models:
        for file in model.sources:
            owners.setdefault(file, []).append(model.name)
            if file not in with_sites:
                yield f"{model.name}: {file} is one of its sources, and has no atomic operation"
    for file in sorted(with_sites - set(owners)):
        yield f"{file}: has atomic operations, and no model names it as one of its sources"
    for file, names in sorted(owners.items()):
        if len(names) > 1:
            yield f"{file}: {' and '.join(names)} both answer for it"


def _about_sites(scan, models):
    for model in models:
        own = {site for site in scan.sites if site.file in model.sources}
        for site in sorted(own - model.visited):
            function = scan.sites[site]
            yield f"{site}, in {function}: never visited by {model.name}{_instead(site, model)}"
    for model in models:
        for site in sorted(model.visited - set(scan.sites)):
            yield f"{site}: visited by {model.name}, and not known from the source"


def _instead(site, model):
    """The operations that the model visited at the same place."""
    others = [other for other in model.visited if other[:3] == site[:3]]
    return f" (which saw {'; '.join(map(str, sorted(others)))})" if others else ""
