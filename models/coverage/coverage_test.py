#!/usr/bin/env python3
"""Each atomic operation of src is visited by its model, and coverage.py notices when one is not.

Arguments: the models' programs. Each is run with a quick search, for the sites that it visits.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
from atomic_sites import Site  # noqa: E402
from coverage import Model, complaints, visited_sites  # noqa: E402

# Enough for each reachable site in a scenario of a few dozen steps. Executions are numbered:
# the same ones are tried each time.
SEARCH = "random:2000+deferred+stale+deep"
PROGRAMS = []


def run(program):
    """A model's program as a Model."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run(
            [program, "--search", SEARCH, "--json", report], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{done.stdout}{done.stderr}")
        visited = visited_sites(json.loads(report.read_text(encoding="utf-8")))
    notes = tomllib.loads((ROOT / f"{program}.toml").read_text(encoding="utf-8"))
    return Model(pathlib.Path(program).name, notes["sources"], visited)


class Sources(unittest.TestCase):
    maxDiff = None

    def test_every_site_is_visited(self):
        paths = [path for pattern in ("src/**/*.h", "src/**/*.cc") for path in ROOT.glob(pattern)]
        # One character a byte: g++ counts columns in bytes.
        texts = {path.relative_to(ROOT).as_posix(): path.read_text("latin-1") for path in paths}
        told = tomllib.loads((HERE / "exceptions.toml").read_text(encoding="utf-8"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            models = list(pool.map(run, PROGRAMS))
        found, sites = complaints(texts, models, told["exception"], told["primitive"])
        self.assertEqual([], found)
        print(f"{sites} sites in src, each visited by one of {len(models)} models")

    def test_every_model_is_asked(self):
        suffix = "_orders.md"  # each has such a table
        # Structures of others have no site in src.
        tables = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("models/*/*" + suffix)
                  if path.parent.name != "foreign"]
        self.assertEqual({table.removesuffix(suffix) for table in tables}, set(PROGRAMS))


def unsupported(notes, litmus_rows, root):
    """The references of a model's notes to things that do not exist."""
    found = []
    for survivor in notes.get("survivor", []):
        row, test = survivor.get("litmus"), survivor.get("shown_by")
        if row and row not in litmus_rows:
            found.append(f"{row} is no row of the litmus table")
        if test and not (root / test).is_file():
            found.append(f"{test} is no file")
    return found


class Notes(unittest.TestCase):
    """The notes beside the models rest on litmus rows and tests that exist."""

    def test_what_they_refer_to_is_there(self):
        table = (ROOT / "models/kit/litmus/table.txt").read_text(encoding="utf-8")
        # Only a row with a gap shows that an outcome is beyond this checker, or beyond Relacy's
        # searches, where a scenario is bounded. (Without a bounded one, --mutate itself refuses the latter.)
        gaps = {line.split()[0] for line in table.splitlines()
                if line.endswith(("never produced", "only by graphs"))}
        for path in sorted(ROOT.glob("models/*/*.toml")):
            with self.subTest(path=path.relative_to(ROOT)):
                notes = tomllib.loads(path.read_text(encoding="utf-8"))
                self.assertEqual([], unsupported(notes, gaps, ROOT))

    def test_what_is_not_there_is_named(self):
        notes = {"survivor": [{"litmus": "XY"}, {"shown_by": "no/such_test.cc"}, {"because": "b"}]}
        self.assertEqual(
            ["XY is no row of the litmus table", "no/such_test.cc is no file"],
            unsupported(notes, {"SB"}, ROOT),
        )


COUNTER = """
template <class Sync = StdSync>
class Counter {
 public:
  explicit Counter(int start) : value_{start} {}
  int Next() { return value_.fetch_add(1, std::memory_order::relaxed); }

 private:
  typename Sync::template atomic<int> value_;
};
"""
NEXT = Site("src/a/counter.h", 6, 39, "fetch_add", "relaxed", None)


class Complaints(unittest.TestCase):
    """A small src, with one thing wrong at a time."""

    def complaints(self, text, visited=(NEXT,), sources=("src/a/counter.h",), exceptions=(), primitives=(), **more):
        texts = {"src/a/counter.h": text} | {f"src/a/{name}.h": other for name, other in more.items()}
        return complaints(texts, [Model("counter", list(sources), set(visited))], exceptions, primitives)[0]

    def assert_complaint(self, found, *words):
        self.assertEqual(1, len(found), found)
        for word in words:
            self.assertIn(word, found[0])

    def inside(self, statement):
        """COUNTER with this statement in Next, on line 7."""
        return COUNTER.replace("int Next() { ", f"int Next() {{\n{statement}\n")

    def moved(self, *others):
        """The visited sites when Next's own operation stands on line 8."""
        return (Site("src/a/counter.h", 8, 24, "fetch_add", "relaxed", None), *others)

    def test_nothing_wrong(self):
        self.assertEqual([], self.complaints(COUNTER))

    def test_a_condition_variable_is_no_atomic(self):
        sleeper = """
template <class Sync = StdSync>
class Sleeper {
  void Sleep() { changed_.wait(mutex_); }
  void Wake() { changed_.notify_all(); }
  typename Sync::mutex mutex_;
  typename Sync::condition_variable changed_;
};
"""
        self.assertEqual([], self.complaints(COUNTER, sleeper=sleeper))
        self.assertNotEqual([], self.complaints(COUNTER, sleeper=sleeper.replace("condition_variable", "event")))

    def test_a_source_uses_the_condition_variables_of_its_header(self):
        header = "class Bell { void Await(); Sync::condition_variable rung_; };"
        source = "void Bell::Await() { rung_.wait(mutex_); }"
        texts = {"src/a/counter.h": COUNTER, "src/a/bell.h": header, "src/a/bell.cc": source}
        models = [Model("counter", ["src/a/counter.h"], {NEXT})]
        self.assertEqual([], complaints(texts, models, ())[0])
        other = {**texts, "src/a/ring.h": header.replace("rung_", "rang_")}
        other["src/a/ring.cc"] = source
        self.assertNotEqual([], complaints(other, models, ())[0])

    def test_a_site_that_is_not_visited(self):
        self.assert_complaint(
            self.complaints(COUNTER, visited=()),
            "src/a/counter.h:6:39: fetch_add relaxed, in Next: never visited by counter",
        )

    def test_a_site_that_another_model_visits(self):
        found, _ = complaints(
            {"src/a/counter.h": COUNTER},
            [Model("counter", ["src/a/counter.h"], set()), Model("user", [], {NEXT})],
            (),
        )
        self.assert_complaint(found, "never visited by counter")

    def test_another_kind(self):
        found = self.complaints(COUNTER.replace("fetch_add", "fetch_sub"))
        self.assertEqual(2, len(found), found)
        self.assertIn("fetch_sub relaxed, in Next: never visited by counter (which saw", found[0])
        self.assertIn("fetch_add relaxed: visited by counter, and not known", found[1])

    def test_another_order(self):
        found = self.complaints(COUNTER.replace("relaxed", "acq_rel"))
        self.assertIn("fetch_add acq_rel, in Next: never visited", found[0])

    def test_another_column(self):
        self.assertEqual(2, len(self.complaints(COUNTER.replace("return value_", "return  value_"))))

    def test_another_line(self):
        self.assertEqual(2, len(self.complaints("\n" + COUNTER)))

    def test_comments_and_literals_do_not_count(self):
        for text in (
            "// value_.load(std::memory_order::seq_cst); \\\n   std::atomic<int> x;",
            "/* std::atomic<int> x{0};\n x.store(1, std::memory_order::release); */ int i = 0;",
            'const char* s = "std::atomic<int> x; // x.load(std::memory_order::relaxed)";',
            'const char* r = R"x(std::atomic<int> "y)x";',
            "const char c = '\"'; const int n = 1'000;",
        ):
            with self.subTest(text):
                self.assertEqual([], self.complaints(COUNTER + text))

    def test_comments_and_literals_move_columns(self):
        text = COUNTER.replace("return value_", "/* \xe9\xe9 */ return value_")
        visited = NEXT._replace(column=NEXT.column + 9)
        self.assertEqual([], self.complaints(text, visited=(visited,)))

    def test_two_operations_on_one_line(self):
        text = self.inside("value_.store(value_.load(std::memory_order::acquire), std::memory_order::release);")
        visited = self.moved(
            Site("src/a/counter.h", 7, 13, "store", "release", None),
            Site("src/a/counter.h", 7, 25, "load", "acquire", None),
        )
        self.assertEqual([], self.complaints(text, visited))
        self.assert_complaint(self.complaints(text, visited[:-1]), "7:25: load acquire")

    def test_an_operation_over_several_lines(self):
        text = COUNTER.replace(
            "value_.fetch_add(1, std",
            "value_\n    .compare_exchange_weak(\n        old, f(1, g<2>(3)),\n        "
            "std::memory_order::acq_rel, std",
        )
        visited = {Site("src/a/counter.h", 7, 27, "compare-exchange", "acq_rel", "relaxed")}
        self.assertEqual([], self.complaints(text, visited))

    def test_the_function_around(self):
        text = self.inside("auto f = [&] { if (g()) { value_.notify_all(); } };")
        self.assert_complaint(self.complaints(text, self.moved()), "7:44: notify relaxed, in Next")

    HELPER = """
template <class Sync>
int Read(const typename Sync::template atomic<int>& x, std::memory_order order) {
  return x.load(order);
}
int Twice() { return Read(a, std::memory_order::relaxed) + Read<S>(b, std::memory_order::acquire); }
"""
    HELPER_SITES = (
        Site("src/a/helper.h", 4, 16, "load", "acquire", None),
        Site("src/a/helper.h", 4, 16, "load", "relaxed", None),
    )

    def test_orders_that_callers_name(self):
        sources = ("src/a/counter.h", "src/a/helper.h")
        visited = (NEXT, *self.HELPER_SITES)
        self.assertEqual([], self.complaints(COUNTER, visited, sources, helper=self.HELPER))
        self.assert_complaint(
            self.complaints(COUNTER, visited[:-1], sources, helper=self.HELPER),
            "4:16: load relaxed, in Read: never visited",
        )

    def test_sites_that_callers_are(self):
        helper = self.HELPER.replace("order)", "order, typename Sync::Site site = Sync::Site::current())", 1)
        helper = helper.replace("load(order)", "load(order, site)")
        sources = ("src/a/counter.h", "src/a/helper.h")
        visited = (
            NEXT,
            Site("src/a/helper.h", 6, 26, "load", "relaxed", None),
            Site("src/a/helper.h", 6, 67, "load", "acquire", None),
        )
        self.assertEqual([], self.complaints(COUNTER, visited, sources, helper=helper))
        self.assert_complaint(
            self.complaints(COUNTER, visited[:-1], sources, helper=helper), "6:67: load acquire, in Twice: never visited"
        )

    def test_a_helper_that_nobody_calls(self):
        helper = self.HELPER[: self.HELPER.index("int Twice")]
        found = self.complaints(COUNTER, helper=helper)
        self.assert_complaint(found, "load in Read, which has no caller")

    def test_a_helper_without_a_written_order(self):
        helper = self.HELPER + "int Pass(std::memory_order given) { return Read(a, given); }\n"
        found = self.complaints(COUNTER, (NEXT, *self.HELPER_SITES), ("src/a/counter.h", "src/a/helper.h"), helper=helper)
        self.assert_complaint(found, "Read takes 1 orders, all written out")

    def test_what_is_not_known(self):
        for statement, words in (
            ("value_.load();", "load takes 0 values and 1 orders"),
            ("value_.store(1);", "store takes 1 values and 1 orders"),
            ("value_.load(kOrder);", "whose order or Site is no parameter"),
            ("value_.load(std::memory_order::relaxed, here);", "whose order or Site is no parameter"),
            ("value_.load(kFast ? std::memory_order::relaxed : std::memory_order::acquire);", "load takes"),
            ("value_.load(std::memory_order_relaxed);", "memory_order_relaxed is not of the policy"),
            ("Read(std::memory_order::relaxed);", "a memory order that belongs to no operation"),
            ("using enum std::memory_order;", "a memory order that belongs to no operation"),
            ("std::atomic_thread_fence(std::memory_order::acquire);", "atomic_thread_fence is not of the policy"),
            ("value_.fetch_xor(1, std::memory_order::relaxed);", "fetch_xor is not of the policy"),
            ("auto f = &Atomic::load;", "load is not called on an object"),
            ("StdSync::atomic<int> mine;", "an atomic of another policy"),
            ("Integers::atomic<int> mine;", "an atomic of another policy"),
            ("int volatile flag;", "volatile is not of the policy"),
            ("__atomic_load_n(&flag, 0);", "__atomic_load_n is not of the policy"),
            ("#define LOAD(x) x.load(std::memory_order::relaxed)", "a macro hides"),
            ("std::vector<std::atomic<int>> several;", "without a name"),
        ):
            with self.subTest(statement):
                found = self.complaints(self.inside(statement), self.moved())
                self.assertTrue(found)
                self.assertTrue(all("src/a/counter.h:7:" in line for line in found), found)
                self.assertTrue(any(words in line for line in found), found)

    def test_what_cannot_be_read(self):
        for text in ("int f() {", "int g() { return 1; }}", 'const char* s = "', "int i = 1 \x01 2;"):
            with self.subTest(text):
                found = self.complaints(COUNTER, more=text)
                self.assert_complaint(found, "src/a/more.h:1:")

    def test_a_std_atomic_outside_the_policy(self):
        flag = "std::atomic<bool> flag{false};\nvoid Raise() { flag.store(true, std::memory_order::relaxed); }\n"
        exception = {"file": "src/a/flag.h", "atomic": "flag", "reason": "a signal handler's"}
        found = self.complaints(COUNTER, flag=flag)
        self.assertIn("src/a/flag.h: flag is a std::atomic outside the policy", "\n".join(found))
        self.assertEqual([], self.complaints(COUNTER, flag=flag, exceptions=[exception]))
        self.assert_complaint(self.complaints(COUNTER, exceptions=[exception]), "no std::atomic called flag any more")
        found = self.complaints(COUNTER, flag=flag, exceptions=[exception | {"reason": " "}])
        self.assert_complaint(found, "flag of src/a/flag.h has no reason")
        found = self.complaints(COUNTER, flag=flag + "std::atomic<int> more;", exceptions=[exception])
        self.assert_complaint(found, "more is a std::atomic outside the policy")

    def test_a_primitive(self):
        row = "int Load(StdSync::atomic<int>& from) { int n; __asm__ volatile(\"\" : \"=r\"(n)); return n; }\n"
        entry = {"file": "src/a/row.h", "reason": "one access"}
        self.assertEqual(2, len(self.complaints(COUNTER, row=row)))
        self.assertEqual([], self.complaints(COUNTER, row=row, primitives=[entry]))
        self.assertEqual(2, len(self.complaints(COUNTER, other=row, row=row, primitives=[entry])))
        self.assert_complaint(self.complaints(COUNTER, primitives=[entry]), "src/a/row.h has no assembly any more")
        found = self.complaints(COUNTER, row=row, primitives=[entry | {"reason": " "}])
        self.assert_complaint(found, "src/a/row.h has no reason")
        found = self.complaints(COUNTER, row=row + "void F() { a.load(); }\n", primitives=[entry])
        self.assert_complaint(found, "load takes 0 values")

    def test_a_file_that_nobody_answers_for(self):
        found = self.complaints(COUNTER, sources=())
        self.assert_complaint(found, "src/a/counter.h: has atomic operations, and no model names it")

    def test_a_source_without_operations(self):
        found = self.complaints(COUNTER, sources=("src/a/counter.h", "src/a/gone.h"))
        self.assert_complaint(found, "counter: src/a/gone.h is one of its sources, and has no atomic")

    def test_a_file_that_two_answer_for(self):
        models = [Model(name, ["src/a/counter.h"], {NEXT}) for name in ("one", "two")]
        found, _ = complaints({"src/a/counter.h": COUNTER}, models, ())
        self.assert_complaint(found, "one and two both answer for it")


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
