#!/usr/bin/env python3
"""The checkout keeps the rules of layout.py, and layout.py notices when it does not."""

import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import layout  # noqa: E402

GOOD_HEADER = """// Something: what it is for.
#ifndef NOWAIT_SRC_{0}_H_
#define NOWAIT_SRC_{0}_H_
{1}
#endif
"""


class Checkout(unittest.TestCase):
    maxDiff = None

    def test_layers(self):
        self.assertEqual([], list(layout.check_layers(ROOT)))

    def test_headers(self):
        self.assertEqual([], list(layout.check_headers(ROOT)))

    def test_own_headers(self):
        self.assertEqual([], list(layout.check_own_headers(ROOT)))

    def test_policy(self):
        self.assertEqual([], list(layout.check_policy(ROOT)))

    def test_machines(self):
        self.assertEqual([], list(layout.check_machines(ROOT)))

    def test_documents(self):
        self.assertEqual([], list(layout.check_documents(ROOT)))

    def test_examples(self):
        self.assertEqual([], list(layout.check_examples(ROOT)))

    def test_sample(self):
        self.assertEqual([], list(layout.check_sample(ROOT)))

    def test_visibility_goes_down_only(self):
        order, layer = layout.layers(ROOT)
        for rank, name in enumerate(order):
            visible = layer(name)
            for other_rank, other in enumerate(order):
                self.assertEqual(other_rank >= rank, f"//src/{other}:__subpackages__" in visible)
            self.assertNotIn("//visibility:public", visible)


class Complaints(unittest.TestCase):
    """A small checkout of two layers, with one thing wrong at a time."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "tools/rules").mkdir(parents=True)
        shutil.copy(ROOT / "tools/rules/layers.bzl", self.root / "tools/rules")
        self.write("src/base/BUILD", self.build("base", "a", '"b.h"', ""))
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", ""))
        self.write("src/jobs/BUILD", self.build("jobs", "j", '"j.h"', '"//src/base:a"'))
        self.write("src/jobs/j.h", GOOD_HEADER.format("JOBS_J", '#include "src/base/b.h"'))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def build(self, layer, name, hdrs, deps):
        return (
            f'load("//tools/rules:layers.bzl", "layer")\npackage(default_visibility = layer("{layer}"))\n'
            f'cc_library(name = "{name}", hdrs = [{hdrs}], deps = [{deps}])\n'
        )

    def complaints(self):
        return [line for lines in layout.all_complaints(self.root).values() for line in lines]

    def assert_complaint(self, *words):
        complaints = self.complaints()
        self.assertEqual(1, len(complaints), complaints)
        for word in words:
            self.assertIn(word, complaints[0])

    def test_nothing_wrong(self):
        self.assertEqual([], self.complaints())

    def test_an_upward_dependency(self):
        self.write("src/base/BUILD", self.build("base", "a", '"b.h"', '"//src/jobs:j"'))
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", '#include "src/jobs/j.h"'))
        self.assert_complaint("src/base/b.h: includes src/jobs/j.h", "jobs is a layer below base")

    def test_an_undeclared_dependency(self):
        self.write("src/jobs/BUILD", self.build("jobs", "j", '"j.h"', ""))
        self.assert_complaint("src/jobs/j.h: includes src/base/b.h", "//src/jobs:j does not depend")

    def test_an_undeclared_library(self):
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", "#include <zlib.h>"))
        self.assert_complaint("src/base/b.h: includes <zlib.h>", "@zlib//:zlib")

    def test_a_file_in_no_target(self):
        self.write("src/base/c.cc", "")
        self.assert_complaint("src/base/c.cc: in no target")

    def test_src_that_includes_a_model(self):
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", '#include "models/kit/scenario/model.h"'))
        self.assert_complaint("src may not include models/kit/scenario/model.h")

    def test_another_layers_visibility(self):
        self.write("src/jobs/BUILD", self.build("base", "j", '"j.h"', '"//src/base:a"'))
        self.assert_complaint("src/jobs/BUILD: not package")

    def test_a_folder_that_is_no_layer(self):
        self.write("src/misc/BUILD", "")
        self.assert_complaint("misc is not a layer")

    def test_a_header_without_a_comment(self):
        text = (self.root / "src/base/b.h").read_text(encoding="utf-8")
        self.write("src/base/b.h", text.split("\n", 1)[1])
        self.assert_complaint("src/base/b.h: does not open with a comment")

    def test_a_guard_of_another_name(self):
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_C", ""))
        self.assert_complaint("src/base/b.h: has no include guard called NOWAIT_SRC_BASE_B_H_")

    def test_a_source_that_does_not_begin_with_its_header(self):
        self.write("src/jobs/BUILD", self.build("jobs", "j", '"j.h"], srcs = ["j.cc"', '"//src/base:a"'))
        self.write("src/jobs/j.cc", '#include "src/base/b.h"\n#include "src/jobs/j.h"\n')
        self.assert_complaint("src/jobs/j.cc: does not begin with src/jobs/j.h")

    def test_what_is_not_the_policys(self):
        for word in (
            "StdSync",
            "std::jthread",
            "std::thread",
            "std::mutex",
            "std::shared_mutex",
            "std::condition_variable",
            "std::atomic",
            "std::atomic_flag",
            "std::scoped_lock",
            "std::unique_lock",
            "std::barrier",
            "std::binary_semaphore",
            "std::stop_token",
            "std::chrono::steady_clock",
            "std::chrono::system_clock",
            "std::call_once",
            "thread_local",
            "std::this_thread",
            "std::async",
            "std::latch",
            "std::counting_semaphore",
            "std::execution",
            "std::time",
            "std::clock",
            "std::timespec_get",
            "usleep",
            "nanosleep",
            "clock_nanosleep",
            "clock_gettime",
            "gettimeofday",
            "timespec_get",
            "sched_yield",
            "pthread_create",
            "__atomic_load_n",
            "__sync_fetch_and_add",
        ):
            with self.subTest(word):
                self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", f"static {word} x;"))
                self.assert_complaint(f"src/base/b.h:4: {word} is not the policy's")

    def test_calls_that_are_not_the_policys(self):
        for call in ("sleep", "poll", "ppoll", "select", "pselect", "syscall", "time", "clock", "::sleep", "::poll"):
            for line in (f"  {call}(1);", f"  const int x = {call} (1);", f"  f({call}(1));"):
                with self.subTest(line):
                    self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", line))
                    self.assert_complaint(f"src/base/b.h:4: {call} is not the policy's")

    def test_what_only_looks_like_it(self):
        for line in (
            "// std::mutex",
            '#include "x"  /* std::mutex\n std::thread */',
            "const char* s = \"std::mutex\";",
            "pool.poll(1); pool->sleep(1); Device::select(1);",
            "int sleep = 0; float time; std::chrono::nanoseconds clock;",
            "int downtime(int); int asleep(int); std::timed_thing x;",
        ):
            with self.subTest(line):
                self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", line.replace('#include "x"', "")))
                self.assertEqual([], self.complaints())

    def test_an_exception_that_is_not_used(self):
        self.write("src/base/BUILD", self.build("base", "a", '"b.h", "row_load.h"', ""))
        self.write("src/broadphase/BUILD", self.build("broadphase", "r", '"row_load.h"', ""))
        text = GOOD_HEADER.format("BROADPHASE_ROW_LOAD", "using Atomic = StdSync::atomic<int>;")
        self.write("src/broadphase/row_load.h", text)
        self.assert_complaint("src/broadphase/row_load.h: no std::atomic there any more")

    def test_a_place_on_a_machine(self):
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", "// see /" + "home/somebody/notes"))
        self.assert_complaint("src/base/b.h:4: names a place")

    def test_a_dead_link(self):
        self.write("README.md", "[here](src/base/b.h) and [there](docs/no.svg)")
        self.assert_complaint("README.md: links to docs/no.svg")

    def test_a_path_that_is_gone(self):
        self.write("README.md", "`src/base/b.h`, `src/*/j.h`, `src/base` and `src/base/z.h`")
        self.assert_complaint("README.md: names src/base/z.h")

    def test_a_sample_that_no_program_has(self):
        self.write("tests/external_workspace/a.cc", "int main() {\n  Call();\n}\n")
        self.write("README.md", "```cpp\n  Call();\n```\n")
        self.assertEqual([], self.complaints())
        self.write("README.md", "```cpp\n  Call(1);\n```\n")
        self.assert_complaint("README.md: a sample that is no part of a program in tests/external_workspace")

    # Examples here may call the functions of this header.
    POOL = """
Result<std::unique_ptr<Pool>> Create(int def);
Result<TaskId> Add(int work);
Result<void> Wait(TaskId task);
"""

    def examples_complain(self, *lines):
        """The complaints about lines that are an example in a header. In a document they are the same."""
        header = GOOD_HEADER.format("BASE_B", self.POOL)
        comment = "".join(f"//   {line}\n" for line in lines)
        self.write("src/base/b.h", header.replace("\n#ifndef", f"\n//\n{comment}#ifndef", 1))
        said = [line.removeprefix("src/base/b.h:") for line in self.complaints()]
        self.write("src/base/b.h", header)
        self.write("docs/b.md", "one\n```cpp\n" + "\n".join(lines) + "\n```\n")
        self.assertEqual(said, [line.removeprefix("docs/b.md:") for line in self.complaints()])
        (self.root / "docs/b.md").unlink()
        return said

    def test_an_example_that_takes_a_value_unchecked(self):
        for lines, at, name in (
            (["auto pool = Pool::Create(1).value();"], 3, "Create(...)"),
            (["auto pool =", "    Pool::Create(Def(1))", "        .value();"], 4, "Create(...)"),
            (["Pool::Create(1).value()->Close();"], 3, "Create(...)"),
            (["TaskId task = *pool.Add(1);"], 3, "Add(...)"),
            (["TaskId task = *(*pool)->Add(1);"], 3, "Add(...)"),
            (["Pool<Queues>::Create(1)->Close();"], 3, "Create(...)"),
            (["auto pool = Pool::Create(1);", "(*pool)->Close();"], 4, "pool"),
            (["auto pool = Pool::Create(1);", "pool.value()->Close();"], 4, "pool"),
            (["const Result<TaskId> task = pool.Add(1);", "return task->slot();"], 4, "task"),
            (["auto a = pool.Add(1);", "use(*a);", "if (!a) return;"], 4, "a"),
            (["auto a = pool.Add(1);", "if (!a) return;", "use(*a);", "a = pool.Add(2);", "use(*a);"], 7, "a"),
            (["auto a = pool.Add(1);  // if (!a)", "use(*a);"], 4, "a"),
        ):
            with self.subTest(lines):
                said = self.examples_complain(*lines)
                self.assertEqual([f"{at}: an example takes the value of {name} unchecked"], said)

    def test_an_example_that_checks(self):
        for lines in (
            ["auto pool = Pool::Create(1);", "if (!pool) return pool.error();", "(*pool)->Close();"],
            ["auto a = pool.Add(1);", "REQUIRE(a.has_value());", "use(*a);"],
            ["if (auto a = pool.Add(1)) use(*a);", "if (auto b = pool.Add(1); b && *b) use(*b);"],
            ["auto a = pool.Add(1), b = pool.Add(2);", "if (!a || !b) return;", "return (*pool)->Wait(*a);"],
            ["Task* task = queue.Add(1);", "use(*task);", "int n = 2 * other(3);", "other.value();"],
        ):
            with self.subTest(lines):
                self.assertEqual([], self.examples_complain(*lines))

    def test_a_program_outside_that_takes_a_value_unchecked(self):
        self.write("src/base/b.h", GOOD_HEADER.format("BASE_B", self.POOL))
        self.write("tests/external_workspace/game.cc", "int main() {\n  Pool::Create(1).value();\n}\n")
        self.assert_complaint("tests/external_workspace/game.cc:2: an example takes the value of Create(...)")


unittest.main(argv=sys.argv[:1])
