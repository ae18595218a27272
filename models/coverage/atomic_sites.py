"""The atomic operations in C++ source: the place, kind and orders of each.

Two rules of CONTRIBUTING.md make this exact: an atomic comes from the policy
(`typename Sync::template atomic<T>`), and its operations have their orders written out. A use of atomics
in a form that is not known here is a complaint, never passed over.

    x.store(1, std::memory_order::release)   an operation, and a site
    x.store(1, order)                        the same; a parameter `std::memory_order order` of the
                                             function around it: its callers name the order
    x.load(order, site)                      with a parameter of type Site: not a site itself; each
                                             call of the function around it is one

A site's place is the opening parenthesis of its call, which g++ puts into a
std::source_location.
"""

import dataclasses
import re
from typing import NamedTuple, Optional

from functions import after_angles, find_functions
from tokens import CannotRead, partners, tokenise

# They define the atomics and the sleeping; only their own declarations are looked at.
POLICY = ("src/sync/policy.h", "src/sync/std_threads.h")

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")

# By name: the operation's name in a model's report, and the numbers of its values and orders.
_OPERATIONS = {
    "load": ("load", 0, 1),
    "store": ("store", 1, 1),
    "exchange": ("exchange", 1, 1),
    "compare_exchange_retry": ("compare-exchange", 2, 2),
    "compare_exchange_weak": ("compare-exchange", 2, 2),
    "compare_exchange_strong": ("compare-exchange", 2, 2),
    "fetch_add": ("fetch_add", 1, 1),
    "fetch_sub": ("fetch_sub", 1, 1),
    "fetch_and": ("fetch_and", 1, 1),
    "fetch_or": ("fetch_or", 1, 1),
    "wait": ("wait", 1, 1),
    "notify_one": ("notify", 0, 0),
    "notify_all": ("notify", 0, 0),
}
# Other names that only atomics have.
_FOREIGN = re.compile(
    r"atomic_\w+|_Atomic|__atomic_\w+|__sync_\w+|memory_order_\w+|fetch_(max|min|xor)|test_and_set|volatile"
)


class Site(NamedTuple):
    file: str
    line: int
    column: int
    kind: str
    order: str  # of a compare-exchange: on success; of a notify: relaxed, as in a model's report
    failure: Optional[str]  # compare-exchange only

    def __str__(self):
        orders = self.order if self.failure is None else f"{self.order} / {self.failure}"
        return f"{self.file}:{self.line}:{self.column}: {self.kind} {orders}"


@dataclasses.dataclass
class Call:
    """An operation, or a call of a carrier. An order is one of ORDERS, or "?" and a parameter's name."""

    file: str
    line: int
    column: int
    name: str
    function: str  # around it
    orders: list
    passes_site: bool = False


@dataclasses.dataclass
class Carrier:
    """A function whose callers name orders, or whose callers' places are the sites."""

    name: str
    file: str
    orders: list  # the names of its parameters of type std::memory_order
    sites: list  # and of type Site


class SourceFile:
    def __init__(self, file, text, complaints):
        self.file = file
        self._complaints = complaints
        self._tokens = tokenise(text)
        self._partner = partners(self._tokens)
        self._functions = find_functions(self._tokens, self._partner)
        self._accounted_for = set()  # indices of `memory_order`

    def _complain(self, i, words):
        token = self._tokens[i]
        self._complaints.append(f"{self.file}:{token.line}:{token.column}: {words}")

    def _text(self, i):
        return self._tokens[i].text if 0 <= i < len(self._tokens) else ""

    def _function_around(self, i):
        for function in self._functions:
            if function.parenthesis <= i <= function.end:
                return function.name
        return ""

    def _arguments(self, parenthesis):
        """The arguments of a call, or the parameters of a function, as lists of indices."""
        arguments, current = [], []
        i, end = parenthesis + 1, self._partner[parenthesis]
        while i < end:
            if self._text(i) == ",":
                arguments.append(current)
                current = []
            else:
                stop = self._partner[i] if self._text(i) in ("(", "[", "{") else i
                current.extend(range(i, stop + 1))
                i = stop
            i += 1
        return arguments + [current] if current else arguments

    def _texts(self, indices):
        return [self._text(i) for i in indices]

    def carriers(self):
        found = []
        for function in self._functions:
            orders, sites = [], []
            for parameter in self._arguments(function.parenthesis):
                texts = self._texts(parameter)
                if texts[:3] == ["std", "::", "memory_order"] and len(texts) == 4:
                    orders.append(texts[3])
                    self._accounted_for.add(parameter[2])
                if "Site" in texts:
                    declared = texts[: texts.index("=")] if "=" in texts else texts
                    sites.append(declared[-1])
            if orders or sites:
                found.append(Carrier(function.name, self.file, orders, sites))
        return found

    def objects(self):
        """The names of the std::atomics that are declared here."""
        found = []
        for i, token in enumerate(self._tokens):
            if token.text != "atomic" or self._text(i - 1) != "::" or self._text(i - 2) != "std":
                continue
            after = after_angles(self._tokens, self._partner, i + 1)
            if self._tokens[after].kind == "name":
                found.append(self._text(after))
            elif self._text(after) != "::":  # std::atomic<bool>::is_always_lock_free is no object
                self._complain(i, "a std::atomic without a name")
        return found

    def conditions(self):
        """The names of the condition variables that are declared here: they wait and notify, too."""
        return {
            self._text(i + 1)
            for i, token in enumerate(self._tokens)
            if token.text == "condition_variable" and i + 1 < len(self._tokens) and self._tokens[i + 1].kind == "name"
        }

    def calls(self, carriers, excepted):
        """The operations, and the calls of carriers. excepted: objects whose operations are not."""
        definitions = {function.parenthesis for function in self._functions}
        operations, calls = [], []
        for i, token in enumerate(self._tokens):
            if token.kind == "directive":
                self._check_directive(i, token)
            if token.kind != "name":
                continue
            parenthesis = i + 1
            if token.text in carriers and self._text(parenthesis) == "<":
                parenthesis = after_angles(self._tokens, self._partner, parenthesis)
            is_call = self._text(parenthesis) == "(" and parenthesis not in definitions
            if _FOREIGN.fullmatch(token.text):
                self._complain(i, f"{token.text} is not of the policy")
            elif token.text == "atomic":
                self._check_atomic(i)
            elif token.text in _OPERATIONS and self._text(i - 1) == "::" and self._text(i - 2) != "std":
                self._complain(i, f"{token.text} is not called on an object here")
            elif token.text in _OPERATIONS and self._text(i - 1) in (".", "->") and is_call:
                if self._text(i - 2) in excepted:
                    self._account_for(parenthesis)
                else:
                    operations += self._operation(i, parenthesis)
            elif token.text in carriers and is_call:
                calls += self._carrier_call(carriers[token.text], i, parenthesis)
        self._check_orders()
        return operations, calls

    def _check_directive(self, i, token):
        if re.match(r"#\s*include\b", token.text):
            return
        words = re.findall(r"\w+", token.text)
        if any(w in ("atomic", "memory_order") or _FOREIGN.fullmatch(w) for w in words):
            self._complain(i, "a macro hides where its atomic operations are")

    def _check_atomic(self, i):
        before = [self._text(i - 3), self._text(i - 2), self._text(i - 1)]
        if before != ["Sync", "::", "template"] and before[1:] != ["std", "::"]:
            self._complain(i, "an atomic of another policy than the template's: no model sees it")

    def _order(self, indices):
        """The meaning of an argument: an order, a parameter's name after "?", or nothing known."""
        texts = self._texts(indices)
        if len(texts) == 5 and texts[:4] == ["std", "::", "memory_order", "::"] and texts[4] in ORDERS:
            self._accounted_for.add(indices[2])
            return texts[4]
        if len(texts) == 1 and self._tokens[indices[0]].kind == "name":
            return "?" + texts[0]
        return None

    def _account_for(self, parenthesis):
        for argument in self._arguments(parenthesis):
            self._order(argument)

    def _call(self, i, parenthesis, name, orders, passes_site):
        token = self._tokens[parenthesis]
        return Call(
            self.file, token.line, token.column, name, self._function_around(i), orders, passes_site
        )

    def _operation(self, i, parenthesis):
        name = self._text(i)
        kind, values, count = _OPERATIONS[name]
        arguments = self._arguments(parenthesis)
        orders = [self._order(argument) for argument in arguments[values : values + count]]
        rest = arguments[values + count :]
        if len(orders) != count or None in orders or len(rest) > 1:
            self._complain(i, f"{name} takes {values} values and {count} orders, all written out")
            return []
        return [self._call(i, parenthesis, kind, orders, len(rest) == 1)]

    def _carrier_call(self, carrier, i, parenthesis):
        arguments = self._arguments(parenthesis)
        orders = [order for order in map(self._order, arguments) if order in ORDERS]
        if len(orders) != len(carrier.orders):
            self._complain(i, f"{carrier.name} takes {len(carrier.orders)} orders, all written out")
            return []
        return [self._call(i, parenthesis, carrier.name, orders, False)]

    def _check_orders(self):
        for i, token in enumerate(self._tokens):
            if token.text == "memory_order" and i not in self._accounted_for:
                self._complain(i, "a memory order that belongs to no operation known here")


class Scan:
    """All files: their sites, and the complaints."""

    def __init__(self, texts, excepted):
        """texts: by file. excepted: (file, name) of atomics that no model has to visit."""
        self.complaints = []
        self.objects = set()  # (file, name) of every std::atomic
        files = []
        for file, text in sorted(texts.items()):
            try:
                source = SourceFile(file, text, self.complaints if file not in POLICY else [])
                self.objects |= {(file, name) for name in source.objects()}
            except CannotRead as reason:
                self.complaints.append(f"{file}:{reason}")
                continue
            if file not in POLICY:
                files.append(source)
        carriers = self._carriers(files)
        operations, calls = [], []
        for source in files:
            names = {name for file, name in excepted if file == source.file}
            # A source uses the condition variables of its header.
            header = source.file.removesuffix(".cc") + ".h"
            names |= {name for file in files if file.file in (source.file, header) for name in file.conditions()}
            found = source.calls(carriers, names)
            operations += found[0]
            calls += found[1]
        self.sites = self._sites(operations, calls, carriers)

    def _carriers(self, files):
        carriers = {}
        for source in files:
            for carrier in source.carriers():
                known = carriers.setdefault(carrier.name, carrier)
                if known is not carrier:
                    self.complaints.append(
                        f"{carrier.file}: {carrier.name} takes orders or a Site, and so does another "
                        f"function of that name in {known.file}: whose they are is not known here"
                    )
        return carriers

    def _sites(self, operations, calls, carriers):
        sites = {}  # with the functions that they are in
        for operation in operations:
            sites.update(self._sites_of(operation, calls, carriers.get(operation.function)))
        for call in calls:
            if call.passes_site or any(order not in ORDERS for order in call.orders):
                self.complaints.append(f"{call.file}:{call.line}: {call.name} is not called directly")
        return sites

    def _sites_of(self, operation, calls, carrier):
        place = f"{operation.file}:{operation.line}:{operation.column}"
        borrowed = [order[1:] for order in operation.orders if order[0] == "?"]
        if not borrowed and not operation.passes_site:
            return {self._site(operation, operation, operation.orders): operation.function}
        if carrier is None or any(name not in carrier.orders for name in borrowed):
            self.complaints.append(f"{place}: {operation.name} whose order or Site is no parameter")
            return {}
        its_calls = [call for call in calls if call.name == carrier.name]
        if not its_calls:
            self.complaints.append(f"{place}: {operation.name} in {carrier.name}, which has no caller")
        sites = {}
        for call in its_calls:
            named = dict(zip(carrier.orders, call.orders))
            orders = [named[order[1:]] if order[0] == "?" else order for order in operation.orders]
            at = call if operation.passes_site else operation
            sites[self._site(operation, at, orders)] = at.function
        return sites

    @staticmethod
    def _site(operation, at, orders):
        first = orders[0] if orders else "relaxed"
        failure = orders[1] if len(orders) > 1 else None
        return Site(at.file, at.line, at.column, operation.name, first, failure)
