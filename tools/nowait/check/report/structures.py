"""The structures and what was found out about each, put together from the results of its tests."""

import dataclasses
import math

from nowait.check.report.results import OF_THE_CHECKER, WITHOUT_RESULT

FATES = ["killed", "no effect", "equivalent", "performance", "unverified"]  # the others are failures


EVERY_EXECUTION = "graphs"  # the words of the search that examines every one


@dataclasses.dataclass
class Search:
    words: str
    executions: int
    exhausted: bool
    fraction: float
    seconds: float
    failure: str | None
    gaps: list = dataclasses.field(default_factory=list)  # C++20 allows them, the scenario could show them

    @property
    def result(self):
        """In words; an outcome that begins in capitals has not passed."""
        if self.failure:
            return f"FAILED: {self.failure}"
        if self.words != EVERY_EXECUTION:
            return "exhausted" if self.exhausted else "not exhausted"
        if self.exhausted:
            but_for = f" but for {', '.join(self.gaps)}" if self.gaps else ""
            return f"all {self.executions:,} executions examined{but_for}"
        return f"NOT FINISHED: {self.executions:,} executions, about {percent(self.fraction)}"

    @property
    def bad(self):
        return self.failure is not None or (self.words == EVERY_EXECUTION and not self.exhausted)


@dataclasses.dataclass
class Scenario:
    name: str
    promise: str
    threads: int
    passed: bool
    bounded: str | None  # why not every execution is examined, as the scenario says
    searches: list

    @property
    def examined(self):
        """Every execution, without a failure."""
        return any(search.words == EVERY_EXECUTION and not search.bad for search in self.searches)

    @property
    def coverage(self):
        for search in self.searches:
            if search.words == EVERY_EXECUTION:
                return search.result
        return f"bounded: {self.bounded}" if self.bounded else "bounded"


def percent(fraction):
    """All but the end is rounded down."""
    return f"{math.floor(fraction * 100)}%" if fraction >= 0.01 else "under 1%"


@dataclasses.dataclass
class Patch:
    """A mutant that is a patch of the source."""

    name: str
    killed: bool
    found: str  # the failure, and in which scenario; or why nothing is known


class Structure:
    def __init__(self, test):
        self.label = test.label
        self.name = test.name
        self.source = self.label.replace("//", "").replace(":", "/")
        self.scenarios = []
        self.gaps = {}  # words: (litmus rows, names of the scenarios that have the gap)
        self.has_atomics = True  # of its own
        self.has_mutations = "no_mutations" not in test.tags  # models/model.bzl: then orders alone are weakened
        self.mutants = None  # as the model's JSON has them; `None` if it is missing
        self.orders = None
        self.orders_exact = False  # whether every execution was examined with the weakest ones
        self.patches = []
        self.missing = []  # in words
        self.failures = []

    @property
    def result(self):
        if self.failures:
            return "FAILED"
        return "MISSING" if self.missing else "passed"

    @property
    def searches(self):
        return [search for scenario in self.scenarios for search in scenario.searches]

    @property
    def examined(self):
        """Of the scenarios of which every execution was to be: how many they are."""
        return sum(search.executions for search in self.searches if search.words == EVERY_EXECUTION)

    @property
    def searched(self):
        """By Relacy."""
        return sum(search.executions for search in self.searches if search.words != EVERY_EXECUTION)

    @property
    def sites(self):
        """The atomic operations of the source that the model answers for; `None` if not all are known."""
        if self.mutants is None or self.orders is None:
            return None
        # A relaxed load has no mutation, and a notification no order.
        mutated = {mutant["mutation"].rpartition(":")[0] for mutant in self.mutants}
        return sorted(mutated | {order["operation"].removesuffix(":failure") for order in self.orders})

    def count(self, fate):
        return sum(mutant["fate"] == fate for mutant in self.mutants or [])

    @property
    def unexplained(self):
        """Mutants that survive without a reason, or whose reason no longer holds."""
        return sum(mutant["fate"] not in FATES for mutant in self.mutants or [])

    @property
    def survivors(self):
        """Those that survive for the same reason, and the reason, together."""
        groups = {}
        for mutant in self.mutants or []:
            if mutant["fate"] in ("killed", "no effect"):
                continue
            why = {"fate": mutant["fate"], "because": mutant.get("because", "no reason is written"),
                   "litmus": mutant.get("litmus"), "shown_by": mutant.get("shown_by"),
                   "exact": bool(mutant.get("exact"))}
            group = groups.setdefault(tuple(why.values()), why | {"mutations": []})
            group["mutations"].append(mutant["mutation"])
        return list(groups.values())


@dataclasses.dataclass
class Everything:
    structures: list
    spin: list  # runs, as the JSON of check/spin/verb.py has them
    litmus: dict | None
    missing: list  # of what belongs to no structure, in words
    failures: list
    other_tests: list  # the checker's own


def kind_of(test):
    for tag in ("spin", "litmus"):
        if tag in test.tags:
            return tag
    if test.package.startswith(OF_THE_CHECKER) or WITHOUT_RESULT.intersection(test.tags):
        return "kit"
    if "mutant" in test.tags:
        return "mutant"
    if "--mutate" in test.args:
        return "mutations"
    return "orders" if "--minimise" in test.args else "scenarios"


def put_together(tests):
    structures = {}
    everything = Everything([], [], None, [], [], [])
    by_kind = {}
    for test in sorted(tests.values(), key=lambda test: test.label):
        by_kind.setdefault(kind_of(test), []).append(test)
    for test in by_kind.get("scenarios", []):
        structures[test.label] = Structure(test)
    everything.structures = list(structures.values())
    judged = [owner_of(test, structures) for kind in ("mutations", "orders") for test in by_kind.get(kind, [])]
    for structure in everything.structures:
        if structure not in judged:  # model() makes both tests or, with atomics = False, neither
            structure.has_atomics = structure.has_mutations = False
            structure.orders = []
        if not structure.has_mutations:
            structure.mutants = []

    readers = {"scenarios": read_scenarios, "mutations": read_mutants, "orders": read_orders,
               "mutant": read_patch}
    for kind, reader in readers.items():
        for test in by_kind.get(kind, []):
            owner = owner_of(test, structures)
            if owner is None:
                everything.failures.append(f"{test.label} belongs to no structure")
                continue
            attempt(test, lambda: reader(owner, test), owner.missing)
            if kind == "mutant" and not any(patch.name == patch_name(owner, test)
                                            for patch in owner.patches):
                owner.patches.append(Patch(patch_name(owner, test), False, "; ".join(test.problems)))
            if test.failed and not any(words.startswith(test.label + ":") for words in owner.failures):
                owner.failures.append(f"{test.label}: its log says why")
    for test in by_kind.get("spin", []):
        attempt(test, lambda: read_spin(everything, test), everything.missing)
    for test in by_kind.get("litmus", []):
        attempt(test, lambda: read_litmus(everything, test), everything.missing)
    everything.other_tests = by_kind.get("kit", [])
    for test in everything.other_tests:
        everything.missing += [f"{test.label} {problem}" for problem in test.problems]
    for kind in ("spin", "litmus", "kit"):
        everything.failures += [f"{test.label}: its log says why"
                                for test in by_kind.get(kind, []) if test.failed]
    return everything


def attempt(test, read, missing):
    """Reads a test's results; a missing or malformed result goes to `missing`, in words."""
    try:
        read()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        test.problems.append(f"left a damaged result: {error!r}")
    missing += [f"{test.label} {problem}" for problem in test.problems]


def owner_of(test, structures):
    """The structure with the longest name that the test's begins with."""
    owners = [structure for label, structure in structures.items()
              if test.label == label or test.label.startswith(label + "_")]
    return max(owners, key=lambda structure: len(structure.label), default=None)


def read_scenarios(structure, test):
    """Shards each ran a part of every search: their executions add up."""
    scenarios = {}
    for shard in test.jsons:
        for found in shard["scenarios"]:
            searches = [Search(search["search"], int(search["executions"]), bool(search["exhausted"]),
                               float(search["fraction"]), float(search["seconds"]), failure_words(search),
                               list(search.get("omitted", {}).get("gaps", [])))
                        for search in found["searches"]]
            scenario = Scenario(found["name"], found["promise"], int(found["threads"]),
                                bool(found["passed"]), found.get("bounded"), searches)
            if scenario.name not in scenarios:
                scenarios[scenario.name] = scenario
            else:
                add_shard(scenarios[scenario.name], scenario)
        for gap in shard["unsupported_behaviours"]:
            rows, of_scenarios = structure.gaps.setdefault(gap["words"], (list(gap["rows"]), []))
            of_scenarios += [name for name in gap["scenarios"] if name not in of_scenarios]
        if left_out := shard.get("left_out"):
            structure.failures.append(f"{test.label}: left out after a failure: {', '.join(left_out)}")
    structure.scenarios = list(scenarios.values())
    for scenario in structure.scenarios:
        if not scenario.passed:
            found = [search.failure or search.result for search in scenario.searches if search.bad]
            structure.failures.append(f"{test.label}: scenario {scenario.name}: {'; '.join(found)}")


def add_shard(scenario, other):
    scenario.passed = scenario.passed and other.passed
    for search, more in zip(scenario.searches, other.searches):
        search.executions += more.executions
        search.exhausted = search.exhausted and more.exhausted
        search.fraction = min(search.fraction, more.fraction)
        search.seconds += more.seconds
        search.failure = search.failure or more.failure
        search.gaps += [gap for gap in more.gaps if gap not in search.gaps]
    # A shard stops at its first failure.
    scenario.searches += other.searches[len(scenario.searches):]


def failure_words(search):
    failure = search.get("failure")
    if failure is None:
        return None
    kind, words = failure["kind"], failure["words"].partition("\n")[0]  # a history follows its headline
    return words if kind == "invariant" else f"{kind}: {words}"


def read_mutants(structure, test):
    mutants = [mutant for shard in test.jsons for mutant in shard["mutants"]]
    for mutant in mutants:
        if mutant["fate"] not in FATES:
            structure.failures.append(f"{test.label}: {mutant['mutation']}: {mutant['fate']}")
    if len(test.jsons) == test.shards and not test.problems:
        structure.mutants = mutants


def read_orders(structure, test):
    for shard in test.jsons:
        for order in shard["orders"]:
            order["operation"], order["in_source"], order["weakest"], order["forbidden_by"], order["because"]
        structure.orders, structure.orders_exact = shard["orders"], bool(shard["exact"])


def patch_name(structure, test):
    return test.name[len(structure.name) + 1:]


def read_patch(structure, test):
    if test.problems:
        return
    found = "NOT killed as declared"
    for shard in test.jsons:
        for scenario in shard["scenarios"]:
            for search in scenario["searches"]:
                if failure_words(search) is not None and test.passed:
                    found = (f"{failure_words(search)} (scenario {scenario['name']}, "
                             f"execution {search['executions']:,} of {search['search']})")
    structure.patches.append(Patch(patch_name(structure, test), test.passed, found))


def read_spin(everything, test):
    for shard in test.jsons:
        for run in shard["runs"]:
            run["model"], run["property"], run["defines"], run["expected"], run["outcome"]
            int(run["states"]), float(run["seconds"]), bool(run["passed"])
            everything.spin.append(run)


def read_litmus(everything, test):
    for shard in test.jsons:
        for row in shard["rows"]:
            row["name"], row["asked"], row["cxx20"], row["finding"], row["remark"]
            [(search["search"], search["produced"], search["exhausted"]) for search in row["searches"]]
        [(gap["words"], gap["rows"], gap["closed_by"]) for gap in shard["unsupported_behaviours"]]
        everything.litmus = {"searches": shard["searches"], "rows": shard["rows"], "unsupported_behaviours": shard["unsupported_behaviours"]}
