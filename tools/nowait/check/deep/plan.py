"""The plan of a deep run: which searches, in how many shards, and which machine has which of them.

Beyond what every check does:

- of a bounded scenario, every execution (`graphs`), however long that takes
- of a search that stops after a minute in a check: `full` to its end, and of `bound:N` more switches, as
  many as ten minutes allow by estimate, but one more at least
- of `random:N`: a thousand times as many executions, from other seeds

A goal is one such search of one scenario. The cost of a shard is an estimate, until a run has
measured it (--costs): of `graphs` by the random probes of --estimate, of the others by how much of their
parts of the tree the first executions of some shards are. Both say the same on every machine that has the
same build, and so does all that follows from them: machines that are given part I of N agree on the parts
without asking each other. That is why the rates below are constants, though machines differ: only the
balance of the parts depends on them.
"""

import dataclasses
import hashlib
import heapq
import json
import math
import re
import statistics
import tempfile

from nowait import errors, processes

SHARD_SECONDS = 120  # long enough for its start not to matter, short enough to be dealt out
MOST_SHARDS = 500
RATES = {"graphs": 50_000, "relacy": 200_000}  # executions a second, roughly, when a machine is small
PROBES, PROBE_EXECUTIONS = 8, 2000
DEEP_SECONDS = 600
MOST_SWITCHES = 3  # more than in a check
MORE_SEEDS = 1000

ESTIMATE = re.compile(r"(\S+) (\S+): about (\S+) executions, ")
SCENARIO = re.compile(r"(\S+) (\S+) \(\d threads\): ")


class Unplanned(errors.Usage):
    """Why there is no plan, in one line."""

    verb = "check --deep: "


@dataclasses.dataclass(frozen=True, order=True)
class Shard:
    """What one process does; its identity, the same on every machine."""

    structure: str
    scenario: str
    search: str
    seed: int  # the first one, of a random search; otherwise 1
    index: int  # from 1
    count: int

    @property
    def goal(self):
        """All shards of one goal have the same."""
        return self.structure, self.scenario, re.sub(r"^random:\d+", "random", self.search)

    @property
    def name(self):
        return f"{self.structure} {self.scenario} {self.search} {self.index}/{self.count}"

    @property
    def file(self):
        """As a file's name."""
        words = (self.structure, self.scenario, self.search, str(self.index), str(self.count))
        return re.sub(r"[^a-z0-9_+.]", "-", ".".join(words))

    def arguments(self):
        own = ["--scenario", self.scenario, "--search", self.search, "--seed", str(self.seed)]
        return own if self.search.startswith("random") else own + ["--shard", f"{self.index}/{self.count}"]

    def executions(self):
        """How many there are to be, where that is known beforehand."""
        match = re.match(r"random:(\d+)", self.search)
        return int(match[1]) if match else None


@dataclasses.dataclass
class Scenario:
    structure: str
    name: str
    searches: list
    bounded: bool


def ask(program, *arguments):
    """What a model's program prints."""
    done = processes.run([program, *arguments], stdout=processes.PIPE, stderr=processes.DEVNULL, text=True)
    if done.status != 0:
        raise Unplanned(f"{program} {' '.join(arguments)} ended with status {done.status}")
    return done.output


def scenarios_of(program):
    found = []
    for line in ask(program, "--list").splitlines():
        if match := SCENARIO.match(line):
            found.append(Scenario(match[1], match[2], [], False))
        elif line.startswith("  bounded: "):
            found[-1].bounded = True
        elif line.startswith("  "):
            found[-1].searches.append(line.strip())
    return found


def deeper(program, scenario, search):
    """What a deep run does in place of a scenario's own search, and how many executions that has by estimate."""
    kind, plus, options = search.partition("+")
    name, _, number = kind.partition(":")
    if name != "bound":
        return search, estimate_by_shards(program, scenario, search)
    best = None
    for bound in range(int(number) + 1, int(number) + 1 + MOST_SWITCHES):
        deeper_one = f"bound:{bound}{plus}{options}"
        executions = estimate_by_shards(program, scenario, deeper_one)
        if best and executions > DEEP_SECONDS * RATES["relacy"]:
            break
        best = deeper_one, executions
    return best


def estimate_graphs(program, scenario):
    match = ESTIMATE.match(ask(program, "--estimate", "--scenario", scenario.name))
    if not match:
        raise Unplanned(f"{program} --estimate --scenario {scenario.name} says nothing that can be read")
    return float(match[3])


def estimate_by_shards(program, scenario, search):
    """From how much of their part of the tree the first executions of every other shard of 16 are.

    Without the largest: the first branches of a tree are the deepest, and a shard that begins with them seems
    millions of times as large as it is. Of searches that were run to their end this is within a factor of 5.
    """
    shards = 2 * PROBES
    with tempfile.TemporaryDirectory() as folder:
        whole = []
        for index in range(1, shards, 2):
            # A failure here comes again in the run, which reports it.
            processes.run([program, "--scenario", scenario.name, "--search", search, "--shard", f"{index}/{shards}",
                           "--executions", str(PROBE_EXECUTIONS), "--save", f"{folder}/saved", "--json",
                           f"{folder}/json", "--counterexamples", folder],
                          stdout=processes.DEVNULL, stderr=processes.DEVNULL)
            try:
                with open(f"{folder}/json", encoding="utf-8") as file:
                    found = json.load(file)["scenarios"][0]["searches"][0]
            except (OSError, ValueError, LookupError):
                raise Unplanned(f"{program} --scenario {scenario.name} --search {search} left no result") from None
            whole.append(found["executions"] / max(1.0 if found["exhausted"] else found["fraction"], 1e-9))
        return shards * statistics.mean(sorted(whole)[:-1])


def shards_of(scenario, search, executions):
    """Shards for a search with so many executions: [(Shard, seconds by estimate)]."""
    seconds = executions / RATES["graphs" if search == "graphs" else "relacy"]
    count = min(MOST_SHARDS, max(1, math.ceil(seconds / SHARD_SECONDS)))
    return [(Shard(scenario.structure, scenario.name, search, 1, index, count), seconds / count)
            for index in range(1, count + 1)]


def random_shards_of(scenario, search):
    """The executions after those of a check: number k of them depends on k alone."""
    kind, plus, options = search.partition("+")
    own = int(kind.partition(":")[2])
    wanted = own * MORE_SEEDS
    count = max(1, math.ceil(wanted / RATES["relacy"] / SHARD_SECONDS))
    each = math.ceil(wanted / count)
    return [(Shard(scenario.structure, scenario.name, f"random:{each}{plus}{options}", own + 1 + i * each, i + 1,
                   count), each / RATES["relacy"]) for i in range(count)]


def plan(programs, told):
    """programs: by structure. told(words): what is going on. {Shard: seconds by estimate}."""
    costs = {}
    for structure, program in sorted(programs.items()):
        told(f"planning: {structure}")
        for scenario in scenarios_of(program):
            if scenario.bounded:
                costs.update(shards_of(scenario, "graphs", estimate_graphs(program, scenario)))
            for search in scenario.searches:
                if search.startswith("random:"):
                    costs.update(random_shards_of(scenario, search))
                elif search != "graphs":  # which a check has finished, or has failed
                    costs.update(shards_of(scenario, *deeper(program, scenario, search)))
    if not costs:
        raise Unplanned("no model has anything to search")
    return costs


def pack(costs, bins):
    """Longest processing time first: each to the bin that has least. [[Shard]], and the seconds of each.

    Graham, "Bounds on multiprocessing timing anomalies" (1969): at most 4/3 of the best there is.
    """
    packed = [[] for _ in range(bins)]
    heap = [(0.0, index) for index in range(bins)]
    for shard in sorted(costs, key=lambda shard: (-costs[shard], shard)):
        load, index = heapq.heappop(heap)
        packed[index].append(shard)
        heapq.heappush(heap, (load + costs[shard], index))
    return packed, [load for load, _ in sorted(heap, key=lambda entry: entry[1])]


def in_order(costs, shards):
    """Cheap goals first: the more of them are finished, whenever the run is stopped."""
    of_goal = {}
    for shard in costs:
        of_goal[shard.goal] = of_goal.get(shard.goal, 0) + costs[shard]
    return sorted(shards, key=lambda shard: (of_goal[shard.goal], shard))


def identity(part_of, parts, builds):
    """One for two machines if they have the same plan of the same programs."""
    shards = sorted((dataclasses.astuple(shard), part) for shard, part in part_of)
    words = json.dumps([sorted(builds.items()), parts, shards])
    return hashlib.sha256(words.encode()).hexdigest()[:16]
