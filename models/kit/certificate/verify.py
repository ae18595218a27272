#!/usr/bin/python3
"""Judges a certificate of the exhaustive checker: is each graph an execution, and is there no other one?

    verify.py FILE...

Written without a look at the checker, and in another way. README.md beside this file has the argument.
  1. Each graph is judged by the axioms of C++20, as relations over all its events (class Axioms).
  2. The program is recovered from the graphs: what a thread does next, by what it has observed (class Program).
  3. All executions of that program are enumerated, without revisits and without reductions (class Enumeration).
     They must be the graphs of the file. A step that no graph has shows that one is missing.
Exit code: 0 for a good certificate, 1 for a bad one, 2 for another kind of file.
"""

import collections
import itertools
import sys

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
ACQUIRES = {"consume", "acquire", "acq_rel", "seq_cst"}
RELEASES = {"release", "acq_rel", "seq_cst"}
INITIAL = None  # the source of a read that reads the first value
END = ("end",)

# A step: the request, and what came of it. source: (thread, index) or INITIAL; read, written: numbers or None.
Step = collections.namedtuple("Step", "request source read written variant")


class Bad(Exception):
    """The certificate is wrong."""


class NoCertificate(Exception):
    """The file is no certificate."""


# --- The file.

class Graph:
    def __init__(self, line):
        self.line = line  # where it begins
        self.initial = {}  # by object
        self.threads = []  # lists of steps
        self.order = {}    # of each object: its writes as (thread, index), the first one first

    def key(self):
        """Two graphs with the same key are the same execution."""
        threads = tuple(tuple((step.source, step.read, step.variant) for step in steps) for steps in self.threads)
        return threads, tuple(sorted((at, tuple(writes)) for at, writes in self.order.items() if writes))


# Of each request: what the words behind its name are.
SHAPES = {
    "load": ("object", "order"), "store": ("object", "order", "number"), "update": ("object", "order"),
    "wait": ("object", "order", "number"), "lock": ("object", "order", "number"),
    "try_lock": ("object", "order", "number"), "fence": ("order",), "choose": ("number",), "yield": ("number",),
    "strong": ("object", "order", "order", "number", "number"),
    "weak": ("object", "order", "order", "number", "number"),
    "retry": ("object", "order", "order", "number", "number"),
}
ELSEWHERE = {"fence", "choose", "yield"}  # at no object
READERS = {"load", "update", "wait", "lock", "try_lock", "strong", "weak", "retry"}


def parse(path):
    """The scenario's name and its graphs."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    at = 0

    def wrong(words="not understood"):
        return NoCertificate(f"{path}:{at + 1}: {words}")

    def number(word):
        if not (word.isascii() and word.isdecimal()):
            raise wrong(f"'{word[:20]}' is no number")
        if len(word) > 20 or int(word) >= 1 << 64:
            raise wrong(f"'{word[:20]}' begins a number of more than 64 bits")
        return int(word)

    def event(word):
        if word == "initial":
            return INITIAL
        thread, dot, index = word.partition(".")
        if not dot:
            raise wrong(f"'{word[:20]}' is no event")
        return number(thread), number(index)

    def request(words):
        shape = SHAPES.get(words[0]) if words else None
        if shape is None or len(words) != len(shape) + 1:
            raise wrong()
        parsed = [words[0]]
        for kind, word in zip(shape, words[1:]):
            if kind == "order" and word not in ORDERS:
                raise wrong(f"'{word[:20]}' is no memory order")
            parsed.append(word if kind == "order" else number(word))
        return tuple(parsed)

    def step(words):
        if "=" not in words:
            raise wrong()
        middle = words.index("=")
        asked, came = request(words[:middle]), words[middle + 1:]
        source = read = written = None
        variant = 0
        if asked[0] in READERS:
            if len(came) < 2:
                raise wrong()
            source, read, came = event(came[0]), number(came[1]), came[2:]
        if came[:1] == ["writes"] and len(came) > 1:
            written, came = number(came[1]), came[2:]
        if came[:1] == ["variant"] and len(came) > 1:
            variant, came = number(came[1]), came[2:]
        if came:
            raise wrong()
        return Step(asked, source, read, written, variant)

    if not lines or lines[0] != "nowait certificate 1":
        raise wrong("no certificate of version 1")
    name, threads, graphs, ended = None, None, [], False
    for at, line in enumerate(lines[1:], 1):
        words = line.split(" ")
        if line == "" and at == len(lines) - 1:
            break
        if ended:
            raise wrong("something follows the end")
        if words[0] == "scenario" and name is None and len(words) > 1:
            name = line[len("scenario "):]
            if not name.isprintable():
                raise wrong("the name has a character that cannot be printed")
        elif words[0] == "threads" and name is not None and threads is None and len(words) == 2:
            threads = number(words[1])
            if not 1 <= threads <= 64:
                raise wrong()
        elif line == "graph" and threads is not None:
            graphs.append(Graph(at + 1))
            graphs[-1].threads = [[] for _ in range(threads)]
        elif words[0] == "end" and len(words) == 2:
            if number(words[1]) != len(graphs):
                raise wrong(f"{len(graphs)} graphs stand before it")
            ended = True
        elif not graphs:
            raise wrong()
        elif words[0] == "at" and len(words) == 3:
            if number(words[1]) in graphs[-1].initial:
                raise wrong(f"object {words[1]} begins twice")
            graphs[-1].initial[number(words[1])] = number(words[2])
        elif words[0] == "order" and len(words) > 1:
            if number(words[1]) not in graphs[-1].initial or number(words[1]) in graphs[-1].order:
                raise wrong(f"object {words[1]} has no first value or two orders")
            graphs[-1].order[number(words[1])] = [event(word) for word in words[2:]]
        else:
            if number(words[0]) >= threads:
                raise wrong(f"there is no thread {words[0]}")
            graphs[-1].threads[int(words[0])].append(step(words[1:]))
    if not ended:
        at = len(lines) - 1
        raise wrong("the end is missing")
    return name, graphs


# --- What comes of a request, by the standard's text.

def outcome(request, read, variant, update):
    """The order of the access and the value that it writes, or None. update: of the request `update`."""
    verb = request[0]
    if verb in ("load", "wait"):
        return request[2], None
    if verb == "store":
        return request[2], request[3]
    if verb == "update":
        return request[2], update
    if verb in ("strong", "weak", "retry"):
        succeeds = read == request[4] and variant == 0
        return (request[2], request[5]) if succeeds else (request[3], None)
    if verb in ("lock", "try_lock"):
        succeeds = read == 0 and variant == 0
        return (request[2], request[3]) if succeeds else ("relaxed", None)
    return (request[1], None) if verb == "fence" else ("relaxed", None)


def goes_on(request, read):
    """Whether a thread that reads this goes on: it waits for another value otherwise."""
    if request[0] == "wait":
        return read != request[3]
    if request[0] == "lock":
        return read == 0
    return request[0] != "retry" or read == request[4]


def variants(request, read, before):
    """How many outcomes are open. before: the thread's steps. It fails spuriously once for each kind."""
    if request[0] == "choose":
        return request[1]
    suffers = request[0] == "weak" and read == request[4] or request[0] == "try_lock" and read == 0
    kind = {"weak": ("weak", "strong"), "try_lock": ("try_lock",)}.get(request[0], ())
    if suffers and not any(step.variant and step.request[0] in kind for step in before):
        return 2
    return 1


def repeats(steps, asked):
    """Whether a thread that yields here has done the same as before its last yield here, and has changed nothing."""
    yields = [n for n, step in enumerate(steps) if step.request[0] == "yield"]
    if not yields or steps[yields[-1]].request != asked:
        return False
    real = [step for step in steps if step.request[0] != "yield"]
    size = len(steps) - 1 - yields[-1]
    last, before = real[len(real) - size:], real[max(0, len(real) - 2 * size):len(real) - size]
    alike = [(step.request, step.read, step.variant) for step in last] == [
        (step.request, step.read, step.variant) for step in before]
    return size > 0 and alike and all(step.written in (None, step.read) for step in last)


# --- The axioms: relations are lists of bit sets, row a has bit b if a is related to b.

def closed(rows):
    """The transitive closure."""
    rows = list(rows)
    for k, _ in enumerate(rows):
        bit = 1 << k
        for a, row in enumerate(rows):
            if row & bit:
                rows[a] = row | rows[k]
    return rows


def members(bits):
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def then(first, second):
    """The composition of two relations."""
    out = []
    for row in first:
        reached = 0
        for b in members(row):
            reached |= second[b]
        out.append(reached)
    return out


def irreflexive(rows):
    return not any(row >> a & 1 for a, row in enumerate(rows))


class Axioms:
    """Is this graph an execution of C++20? Event 0 .. are the first values of the objects, before all threads."""

    def __init__(self, graph):
        self.graph = graph
        self.objects = sorted(graph.initial)
        self.names = [("initial", at) for at in self.objects]
        self.names += [(t, i) for t, steps in enumerate(graph.threads) for i in range(len(steps))]
        self.number = {name: n for n, name in enumerate(self.names)}
        self.count = len(self.names)
        self.steps = [None] * len(self.objects)
        self.steps += [step for steps in graph.threads for step in steps]
        self.judge_values()
        self.relate()

    def event(self, name, at):
        """The event of that name, which writes object `at`."""
        n = self.number.get(("initial", at) if name is INITIAL else name)
        if n is None:
            raise Bad(f"reads from {name}, which is no event")
        return n

    def value(self, n, at):
        return self.graph.initial[at] if self.steps[n] is None else self.steps[n].written

    def object_of(self, n):
        if self.steps[n] is None:
            return self.names[n][1]
        request = self.steps[n].request
        return None if request[0] in ELSEWHERE else request[1]

    def judge_values(self):
        self.order_of = []
        self.writes = []
        self.reads = []
        for n, step in enumerate(self.steps):
            if step is None:
                self.order_of.append("relaxed")
                self.writes.append(True)
                self.reads.append(False)
                continue
            at = self.object_of(n)
            if at is not None and at not in self.graph.initial:
                raise Bad(f"event {self.names[n]} is at an object without a first value")
            order, written = outcome(step.request, step.read, step.variant, step.written)
            if written != step.written:
                raise Bad(f"event {self.names[n]} writes {step.written}, and it should be {written}")
            if step.request[0] == "update" and written is None:
                raise Bad(f"event {self.names[n]} is an update that writes nothing")
            before = self.graph.threads[self.names[n][0]][:self.names[n][1]]
            if step.variant >= variants(step.request, step.read, before):
                raise Bad(f"event {self.names[n]} has no variant {step.variant}")
            self.order_of.append(order)
            self.writes.append(written is not None)
            self.reads.append(step.request[0] in READERS)
        for n, step in enumerate(self.steps):
            if step is None or not self.reads[n]:
                continue
            if not goes_on(step.request, step.read):
                raise Bad(f"event {self.names[n]} waits for another value")
            at = self.object_of(n)
            source = self.event(step.source, at)
            if not self.writes[source] or self.object_of(source) != at or self.value(source, at) != step.read:
                raise Bad(f"event {self.names[n]} reads {step.read}, which {step.source or 'the first value'} is not")

    def relate(self):
        none = [0] * self.count
        thread = [name[0] for name in self.names]
        self.po = list(none)
        for a in range(self.count):
            for b in range(a + 1, self.count):
                if thread[a] == thread[b] != "initial":
                    self.po[a] |= 1 << b
        self.source = [None] * self.count
        for n in range(self.count):
            if self.reads[n]:
                self.source[n] = self.event(self.steps[n].source, self.object_of(n))
        porf = list(self.po)
        for n, source in enumerate(self.source):
            if source is not None:
                porf[source] |= 1 << n
        if not irreflexive(closed(porf)):
            raise Bad("program order and reads-from have a cycle")
        self.rank = {}
        for at in self.objects:
            writes = [self.number[("initial", at)]]
            for name in self.graph.order.get(at, ()):
                writes.append(self.event(name, at))
            for n in writes:
                if not self.writes[n] or self.object_of(n) != at or n in self.rank:
                    raise Bad(f"the order of object {at} has {self.names[n]}, which does not belong there")
                self.rank[n] = len(self.rank)
        if len(self.rank) != sum(self.writes):
            raise Bad("a write is in no modification order")

        # Coherence-ordered before, one step of it: [atomics.order] 3.
        self.step = list(none)
        for a in range(self.count):
            for b in range(self.count):
                at = self.object_of(a)
                if a == b or at is None or self.object_of(b) != at:
                    continue
                if self.source[b] == a:
                    self.step[a] |= 1 << b
                if self.writes[b] and self.writes[a] and self.rank[a] < self.rank[b]:
                    self.step[a] |= 1 << b
                if self.writes[b] and self.reads[a] and self.rank[self.source[a]] < self.rank[b]:
                    self.step[a] |= 1 << b
        self.coherence = closed(self.step)

        # Synchronises-with: [intro.races] 5, [atomics.order] 2, [atomics.fences] 2 to 4.
        fences = [n for n in range(self.count) if self.steps[n] and self.steps[n].request[0] == "fence"]
        self.sw = list(none)
        for r in range(self.count):
            if not self.reads[r]:
                continue
            to = [f for f in fences if self.po[r] >> f & 1 and self.order_of[f] in ACQUIRES]
            if self.order_of[r] in ACQUIRES:
                to.append(r)
            head = self.source[r]
            while head is not None:  # the release sequence backwards, through read-modify-writes
                out = [f for f in fences if self.po[f] >> head & 1 and self.order_of[f] in RELEASES]
                if self.order_of[head] in RELEASES:
                    out.append(head)
                for a in out:
                    for b in to:
                        if thread[a] != thread[b]:
                            self.sw[a] |= 1 << b
                head = self.source[head]
        first = [sum(1 << b for b in range(self.count) if thread[b] != "initial") if thread[a] == "initial" else 0
                 for a in range(self.count)]
        self.hb = closed([po | sw | before for po, sw, before in zip(self.po, self.sw, first)])

    def judge(self):
        if not irreflexive(self.hb):
            raise Bad("happens-before has a cycle")
        if not irreflexive(self.coherence) or not irreflexive(then(self.hb, self.coherence)):
            raise Bad("it is not coherent")  # [intro.races] 15 to 18
        for n in range(self.count):  # [atomics.order] 10
            if self.reads[n] and self.writes[n] and self.rank[n] != self.rank[self.source[n]] + 1:
                raise Bad(f"event {self.names[n]} does not read the write right before its own")
        if not self.has_total_order():
            raise Bad("its seq_cst operations have no total order")

    def has_total_order(self):
        """[atomics.order] 4, without what LWG 3941 disputes (README.md)."""
        fence = [bool(step and step.request[0] == "fence") for step in self.steps]
        seq_cst = [order == "seq_cst" for order in self.order_of]
        if sum(seq_cst) < 2:
            return True
        before = [0] * self.count
        strongly = [po | far for po, far in zip(self.po, then(then(self.po, self.hb), self.po))]
        for a in range(self.count):
            for b in members(self.sw[a]):
                if seq_cst[a] and seq_cst[b]:
                    strongly[a] |= 1 << b
        all_of_s = sum(1 << n for n in range(self.count) if seq_cst[n])
        strongly = closed(strongly)
        for a in members(all_of_s):
            before[a] |= strongly[a] & all_of_s
        to_update = [0] * self.count
        for n, source in enumerate(self.source):
            if source is not None and self.source[source] is not None:
                to_update[source] |= 1 << n
        asked = [step | update | (coherence & hb) for step, update, coherence, hb in
                 zip(self.step, then(self.coherence, to_update), self.coherence, self.hb)]
        all_fences = [n for n in range(self.count) if fence[n] and seq_cst[n]]
        for a in range(self.count):
            fences_a = [f for f in all_fences if self.hb[f] >> a & 1]
            for b in members(self.coherence[a] | asked[a]):
                fences_b = sum(1 << f for f in all_fences if self.hb[b] >> f & 1)
                for f in fences_a:
                    before[f] |= fences_b
                if asked[a] >> b & 1:
                    if seq_cst[a]:
                        before[a] |= fences_b | (1 << b if seq_cst[b] else 0)
                    if seq_cst[b]:
                        for f in fences_a:
                            before[f] |= 1 << b
        return irreflexive(closed(before))


# --- Events one after the other: what each knows, as counts of the events of each thread.

Event = collections.namedtuple("Event", "thread index step order at known released acquirable fenced observed")


def join(a, b):
    return tuple(map(max, a, b))


class Observations:
    """Names for all that an event has observed, so that equal observations have equal names."""

    def __init__(self):
        self.names = {}

    def name(self, what):
        return self.names.setdefault(what, len(self.names))


class Execution:
    """A part of an execution, closed under program order and reads-from."""

    def __init__(self, threads, initial):
        self.threads = [[] for _ in range(threads)]
        self.initial = initial
        self.order = collections.defaultdict(list)  # of each object, (thread, index)

    def copy(self):
        copy = Execution(0, self.initial)
        copy.threads = [list(events) for events in self.threads]
        copy.order = collections.defaultdict(list, {at: list(writes) for at, writes in self.order.items()})
        return copy

    def event(self, name):
        return self.threads[name[0]][name[1]]

    def place(self, name, at):
        return -1 if name is INITIAL else self.order[at].index(name)

    def value(self, name, at):
        return self.initial.get(at) if name is INITIAL else self.event(name).step.written

    def is_update(self, name):
        return self.event(name).step.request[0] in READERS

    def floor(self, thread, at):
        """The earliest place that the thread's next access of this object may have: coherence."""
        events = self.threads[thread]
        known = events[-1].known if events else (0,) * len(self.threads)
        floor = -1
        for other, count in enumerate(known):
            for event in self.threads[other][:count]:
                if event.at != at:
                    continue
                if event.step.written is not None:
                    floor = max(floor, self.place((event.thread, event.index), at))
                else:
                    floor = max(floor, self.place(event.step.source, at))
        return floor

    def add(self, thread, step, place, observations):
        """place: of a write among the writes of its object."""
        request = step.request
        verb = request[0]
        at = None if verb in ELSEWHERE else request[1]
        order, _ = outcome(request, step.read, step.variant, step.written)
        events = self.threads[thread]
        nothing = (0,) * len(self.threads)
        before = events[-1] if events else Event(thread, -1, None, None, None, nothing, nothing, nothing, nothing, None)
        index = len(events)
        known = before.known[:thread] + (index + 1,) + before.known[thread + 1:]
        released, acquirable, fenced = nothing, before.acquirable, before.fenced
        source = self.event(step.source) if verb in READERS and step.source is not INITIAL else None
        if source:
            acquirable = join(acquirable, source.released)
            if order in ACQUIRES:
                known = join(known, source.released)
        if step.written is not None:
            released = known if order in RELEASES else fenced
            if source:
                released = join(released, source.released)
        if verb == "fence":
            if order in ACQUIRES:
                known = join(known, acquirable)
            if order in RELEASES:
                fenced = known
        past = tuple(self.threads[other][count - 1].observed if count and other != thread else None
                     for other, count in enumerate(known))
        observed = observations.name((thread, before.observed, step.read, step.variant, past))
        events.append(Event(thread, index, step, order, at, known, released, acquirable, fenced, observed))
        if step.written is not None:
            self.order[at].insert(place, (thread, index))

    def as_graph(self):
        graph = Graph(0)
        graph.threads = [[event.step for event in events] for events in self.threads]
        graph.order = self.order
        graph.initial = {at: self.initial[at] for at in set(self.order) | {
            event.at for events in self.threads for event in events if event.at is not None}}
        for at in graph.initial:
            graph.order.setdefault(at, [])
        return graph

    def last_observed(self, thread):
        events = self.threads[thread]
        return ("first", thread) if not events else (thread, events[-1].observed)


# --- The program, as the graphs show it.

class Program:
    def __init__(self):
        self.next = {}     # by what a thread has observed: its next request, or END
        self.updates = {}  # by what an update has observed: what it writes
        self.initial = {}

    def learn(self, table, observed, what, graph):
        if table.setdefault(observed, what) != what:
            raise Bad(f"the program does not repeat itself: {' '.join(map(str, table[observed]))}, and then "
                      f"{' '.join(map(str, what))} where a thread has observed the same")

    def add(self, graph, observations):
        """Adds the graph's events in an order in which each source comes before its reads."""
        for at, value in graph.initial.items():
            if self.initial.setdefault(at, value) != value:
                raise Bad(f"object {at} begins with {value}, and elsewhere with {self.initial[at]}")
        execution = Execution(len(graph.threads), self.initial)
        left = sum(map(len, graph.threads))
        while left:
            stuck = True
            for thread, steps in enumerate(graph.threads):
                while len(execution.threads[thread]) < len(steps):
                    step = steps[len(execution.threads[thread])]
                    if step.source is not INITIAL and step.source[1] >= len(execution.threads[step.source[0]]):
                        break
                    self.learn(self.next, execution.last_observed(thread), step.request, graph)
                    # The places do not matter here: knowledge comes from reads-from alone.
                    execution.add(thread, step, 0, observations)
                    if step.request[0] == "update":
                        self.learn(self.updates, execution.last_observed(thread), (step.written,), graph)
                    stuck = False
                    left -= 1
            if stuck:
                raise Bad("program order and reads-from have a cycle")
        for thread in range(len(graph.threads)):
            self.learn(self.next, execution.last_observed(thread), END, graph)


# --- All executions of the program.

class Enumeration:
    """Each execution once.

    Among the threads that do not read next, the lowest one goes on: its step comes in every execution, and no other
    step can come to depend on it too early. Otherwise a thread reads one of the writes that are there, or it is left
    to read one that is not there yet. So every execution is made in one way only. The ways on which a thread waits
    for a write that does not come are given up.
    """

    def __init__(self, program, threads, observations):
        self.program = program
        self.threads = threads
        self.observations = observations
        self.given_up = 0

    def all(self):
        start = Execution(self.threads, self.program.initial)
        # Each with the writes that a thread will not read, where it waits. Made one by one: a choice may have many.
        stack = [iter([(start, [None] * self.threads)])]
        while stack:
            execution, refused = next(stack[-1], (None, None))
            if execution is None:
                stack.pop()
                continue
            asks = [self.request(execution, thread) for thread in range(self.threads)]
            ready = [t for t, asked in enumerate(asks) if asked != END and asked[0] not in READERS]
            if ready:
                stack.append(self.steps(execution, ready[0], asks[ready[0]], refused))
                continue
            if all(asked == END for asked in asks):
                yield execution.as_graph()
                continue
            thread, new = self.reader(execution, asks, refused)
            if thread is None:
                self.given_up += 1
                continue
            waits = list(refused)
            waits[thread] = frozenset(execution.order[asks[thread][1]]) | {INITIAL}
            stack.append(itertools.chain([(execution, waits)], self.reads(execution, thread, asks[thread], new, refused)))

    def request(self, execution, thread):
        asked = self.program.next.get(execution.last_observed(thread))
        if asked is None:
            # In no execution does a thread go on after the same round again. It is taken to yield again (README.md).
            steps = [event.step for event in execution.threads[thread]]
            asked = next((step.request for step in reversed(steps) if step.request[0] == "yield"), None)
            if asked and repeats(steps, asked):
                return asked
            raise Bad("an execution is missing: no graph has what thread " + f"{thread} does after\n"
                      + describe(execution))
        return asked

    def reader(self, execution, asks, refused):
        for thread, asked in enumerate(asks):
            if asked == END:
                continue
            writes = [INITIAL] + execution.order[asked[1]]
            new = [write for write in writes if refused[thread] is None or write not in refused[thread]]
            if new:
                return thread, new
        return None, None

    def steps(self, execution, thread, asked, refused):
        """Of a step that reads nothing: for each place or choice."""
        if asked[0] == "store":
            floor = execution.floor(thread, asked[1])
            writes = execution.order[asked[1]]
            for place in range(floor + 1, len(writes) + 1):
                if place == len(writes) or not execution.is_update(writes[place]):
                    yield from self.added(execution, thread, Step(asked, None, None, asked[3], 0), place, refused)
        elif asked[0] == "yield" and repeats([event.step for event in execution.threads[thread]], asked):
            self.given_up += 1
        else:
            for variant in range(variants(asked, None, ())):
                yield from self.added(execution, thread, Step(asked, None, None, None, variant), None, refused)

    def reads(self, execution, thread, asked, sources, refused):
        at = asked[1]
        floor = execution.floor(thread, at)
        before = [event.step for event in execution.threads[thread]]
        writes = execution.order[at]
        for source in sources:
            place = execution.place(source, at)
            value = execution.value(source, at)
            if place < floor or not goes_on(asked, value):
                continue
            for variant in range(variants(asked, value, before)):
                _, written = outcome(asked, value, variant, "update")
                if written is not None and place + 1 < len(writes) and execution.is_update(writes[place + 1]):
                    continue  # that one has it
                step = Step(asked, source, value, written, variant)
                yield from self.added(execution, thread, step, place + 1, refused)

    def added(self, execution, thread, step, place, refused):
        more = execution.copy()
        more.add(thread, step, place, self.observations)
        if step.written == "update":
            event = more.threads[thread][-1]
            written = self.program.updates.get((thread, event.observed))
            if written is None:
                raise Bad("an execution is missing: no graph has this update\n" + describe(more))
            more.threads[thread][-1] = event._replace(step=step._replace(written=written[0]))
        if sum(event.order == "seq_cst" for events in more.threads for event in events) > 1:
            if not Axioms(more.as_graph()).has_total_order():
                return
        left = list(refused)
        left[thread] = None
        yield more, left


def describe(graph):
    """A graph in the notation of the file, for messages."""
    threads = [[event.step if isinstance(event, Event) else event for event in events] for events in graph.threads]
    lines = []
    for thread, steps in enumerate(threads):
        for step in steps:
            line = f"  {thread} {' '.join(map(str, step.request))}"
            if step.request[0] in READERS:
                line += f" reads {step.read} of {'.'.join(map(str, step.source)) if step.source else 'the beginning'}"
            lines.append(line)
    return "\n".join(lines)


def verify(path):
    """Returns the words for a good certificate."""
    name, graphs = parse(path)
    listed = {}
    observations = Observations()
    program = Program()
    for graph in graphs:
        try:
            Axioms(graph).judge()
            program.add(graph, observations)
            key = graph.key()
            if key in listed:
                raise Bad(f"it is the graph of line {listed[key].line} again")
            listed[key] = graph
        except Bad as bad:
            raise Bad(f"{path}:{graph.line}: {bad}") from None
    if not graphs:
        raise Bad(f"{path}: no graph: every program has an execution")
    enumeration = Enumeration(program, len(graphs[0].threads), observations)
    found = set()
    try:
        for graph in enumeration.all():
            key = graph.key()
            if key not in listed:
                raise Bad("an execution is missing:\n" + describe(graph))
            found.add(key)
    except Bad as bad:
        raise Bad(f"{path}: {bad}") from None
    if len(found) != len(listed):
        raise Bad(f"{path}: {len(listed) - len(found)} of {len(listed)} graphs are no executions of the program")
    return f"{name}: {len(found):,} executions, each consistent and different from the others, and no other one"


def main(paths):
    if not paths:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    failed = 0
    for path in paths:
        try:
            print(verify(path), flush=True)
        except Bad as bad:
            print(bad, file=sys.stderr)
            failed += 1
        except (NoCertificate, OSError) as error:
            print(error, file=sys.stderr)
            return 2
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
