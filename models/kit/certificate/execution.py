"""Events one after the other: what each knows, as counts of the events of each thread."""

import collections

from certificate_text import ACQUIRES, ELSEWHERE, INITIAL, READERS, RELEASES, Graph
from outcomes import outcome

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
