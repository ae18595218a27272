"""The text of a certificate: its graphs, as README.md beside this file defines them."""

import collections

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
