"""All executions of a program, made one by one."""

import itertools

from axioms import Axioms
from certificate_text import END, INITIAL, READERS, Bad, Step
from execution import Event, Execution
from outcomes import goes_on, outcome, repeats, variants


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
