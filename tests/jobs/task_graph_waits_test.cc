// The tasks that a waiting thread may help with, and the search for them.
#include <catch2/catch.hpp>
#include <string>

#include "src/jobs/task_graph.h"
#include "tests/jobs/graph_fixture.h"

namespace nowait {
namespace {

TEST_CASE("a task waits only for tasks that it created, and not for those that wait for it") {
  GraphFixture tasks;
  const TaskId stranger = tasks.Add('s'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, stranger, tasks.queue)) ==
            ErrorCode::kNotOwner);
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, worker, tasks.queue)) == ErrorCode::kNotOwner);
    const TaskId later = tasks.Add({.work = tasks.alphabet.Write('l'), .dependency = worker});
    REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, later, tasks.queue)) == ErrorCode::kCycle);
    REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, worker, later, tasks.queue)) ==
            ErrorCode::kCycle);
    // A child is needed by the worker: it cannot come after it.
    REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = worker, .dependency = worker},
                                      tasks.queue)) == ErrorCode::kCycle);
  });
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "sl");
}

TEST_CASE("a waiting thread helps with the tasks that it waits for, and with nothing else") {
  GraphFixture tasks;
  const TaskId stranger = tasks.Add('s'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    const TaskId top = tasks.AddEmpty();
    const TaskId first = tasks.Add('1');
    const TaskId second = tasks.Add({.work = tasks.alphabet.Write('2'), .dependency = first});
    tasks.AddChild(top, second);                              // first is needed by its child only
    REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, top, 0));  // held
    REQUIRE(tasks.graph.BeginWait(tasks.main, top, tasks.queue));
    REQUIRE(tasks.graph.IsNeeded(tasks.main, top, first));
    REQUIRE_FALSE(tasks.graph.IsNeeded(tasks.main, top, stranger));
    REQUIRE_FALSE(tasks.graph.IsNeeded(tasks.main, first, top));
    for (const TaskId expected : {first, second}) {
      const auto found = tasks.graph.FindHelp(tasks.main, top, 0);
      REQUIRE(found == expected);
      RunStarted(tasks.graph, tasks.main, *found, tasks.queue);
    }
    REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, top, 0));
    REQUIRE(tasks.graph.IsComplete(top));
    tasks.graph.EndWait(tasks.main);
  });
  REQUIRE(tasks.alphabet.written() == "12");
}

TEST_CASE("a dependency that is complete does not hide the next task in its slot") {
  GraphFixture tasks;
  const TaskId top = tasks.AddEmpty();
  // The child that a walk comes to first is added last: it is open, and keeps the dependency's id.
  const TaskId first = tasks.Add('d');
  const TaskId maker = tasks.Add({.work = tasks.alphabet.Write('g'), .dependency = first});
  const TaskId keeper = tasks.Add({.work = tasks.alphabet.Write('t'), .dependency = first});
  tasks.AddChild(top, maker);
  tasks.AddChild(top, keeper);
  for (const TaskId task : {first, maker, keeper, top}) tasks.Submit(task);
  REQUIRE(tasks.queue.RunOne(tasks.graph, tasks.other));
  REQUIRE(tasks.graph.IsComplete(first));
  REQUIRE(tasks.graph.TryStart(maker));
  REQUIRE(tasks.graph.TryStart(keeper));
  const auto outer = tasks.graph.Enter(tasks.other, maker);
  const auto group = tasks.graph.Create(tasks.other, {.parent = maker}, tasks.queue);
  REQUIRE(group);
  REQUIRE(group->slot() == first.slot());
  const auto leaf = tasks.graph.Create(
      tasks.other, {.work = tasks.alphabet.Write('f'), .parent = *group}, tasks.queue);
  REQUIRE(leaf);
  REQUIRE(tasks.graph.BeginWait(tasks.other, *group, tasks.queue));
  REQUIRE(tasks.graph.FindHelp(tasks.main, top, 0) == *leaf);
  RunStarted(tasks.graph, tasks.main, *leaf, tasks.queue);
  REQUIRE(tasks.graph.IsComplete(*group));
  tasks.graph.EndWait(tasks.other);
  tasks.graph.Finish(tasks.other, outer, tasks.queue);
  RunStarted(tasks.graph, tasks.main, keeper, tasks.queue);
  REQUIRE(tasks.graph.IsComplete(top));
  REQUIRE(tasks.alphabet.written() == "dft");
}

TEST_CASE("a waiting thread helps only with tasks that its affinity allows") {
  GraphFixture tasks;
  const TaskId task = tasks.Add({.work = tasks.alphabet.Write('a'), .affinity = 2});
  tasks.Submit(task);
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, task, 0));
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, task, 1));
  REQUIRE(tasks.graph.FindHelp(tasks.main, task, 2) == task);
}

TEST_CASE("a dependency of a task that a running one needs is set before it needs it") {
  GraphFixture tasks;
  const TaskId other = tasks.Add('o'), worker = tasks.Add('w');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  Within(tasks, worker, [&] {
    const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = worker});
    REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, child, other)) == ErrorCode::kWrongPhase);
    // A brother is needed by the same parent already.
    const TaskId brother = tasks.Add({.work = tasks.alphabet.Write('b'), .parent = worker});
    tasks.DependsOn(child, brother);
    tasks.Add({.work = tasks.alphabet.Write('d'), .parent = worker, .dependency = other});
  });
  tasks.RunAll();
  const std::string& order = tasks.alphabet.written();
  REQUIRE(order.size() == 4);
  REQUIRE(order.find('b') < order.find('c'));
  REQUIRE(order.find('o') < order.find('d'));
}

// Two ways lead from each of the tasks to the next: 2^24 in all.
TEST_CASE("a search meets each task once, however many ways lead there") {
  constexpr int kLayers = 24;
  GraphFixture tasks(3 * kLayers + 4);
  const TaskId bottom = tasks.Add('b'), stranger = tasks.Add('s');
  TaskId below = bottom;
  for (int i = 0; i < kLayers; ++i) {
    const TaskId layer = tasks.AddEmpty();
    for (int way = 0; way < 2; ++way) tasks.Add({.parent = layer, .dependency = below});
    below = layer;
  }
  CHECK(CodeOf(tasks.graph.SetDependency(tasks.main, bottom, below)) == ErrorCode::kCycle);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.IsNeeded(tasks.main, below, bottom));
  CHECK_FALSE(tasks.graph.IsNeeded(tasks.main, below, stranger));
  CHECK(tasks.graph.FindHelp(tasks.main, below, 0) == bottom);
  CHECK_FALSE(tasks.graph.FindHelp(tasks.main, below, 0));  // it is started, and alone needed
}

TEST_CASE("of the tasks that one needs the nearest is found first, and itself before all") {
  GraphFixture tasks;
  const TaskId far = tasks.Add('f');
  const TaskId near = tasks.AddEmpty();
  tasks.Add({.work = tasks.alphabet.Write('x'), .parent = near, .dependency = far});
  const TaskId top = tasks.AddEmpty();
  tasks.AddChild(top, near);
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = top});
  const TaskId ready = tasks.Add('r');
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.FindHelp(tasks.main, top, 0) == child);
  CHECK(tasks.graph.FindHelp(tasks.main, top, 0) == far);
  CHECK(tasks.graph.FindHelp(tasks.main, ready, 0) == ready);
}

TEST_CASE("only started idempotent tasks are found for a second run, below the awaited one") {
  GraphFixture tasks;
  const TaskId twice =
      tasks.Add({.work = tasks.alphabet.Write('t'), .kind = TaskKind::kIdempotent});
  const TaskId plain = tasks.Add('p');
  const TaskId top = tasks.AddEmpty();
  tasks.AddChild(top, twice);
  tasks.AddChild(top, plain);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
  REQUIRE(tasks.graph.TryStart(plain));
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
  REQUIRE(tasks.graph.TryStart(twice));
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, plain));
  CHECK(tasks.graph.FindToRunAgain(tasks.main, top) == twice);
  CHECK_FALSE(tasks.graph.FindToRunAgain(tasks.main, top));
}

}  // namespace
}  // namespace nowait
