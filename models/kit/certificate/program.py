"""The program, as the graphs show it."""

from certificate_text import END, INITIAL, Bad
from execution import Execution


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
