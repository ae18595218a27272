"""The axioms of C++20. Relations are lists of bit sets: row a has bit b if a is related to b."""

from certificate_text import ACQUIRES, ELSEWHERE, INITIAL, READERS, RELEASES, Bad
from outcomes import goes_on, outcome, variants


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
