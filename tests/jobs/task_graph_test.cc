// The order of tasks in a graph: dependencies, children, cancelled, external and idempotent tasks.
#include "src/jobs/task_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/jobs/graph_fixture.h"

namespace nowait {
namespace {

// The letters of the tasks that are ready, in their order.
std::string ReadyOrder(GraphFixture& tasks) {
  std::string before = tasks.alphabet.written();
  tasks.RunAll();
  return tasks.alphabet.written().substr(before.size());
}

TEST_CASE("the blog's example: tasks first, dependencies and children afterwards") {
  GraphFixture tasks;
  const TaskId animation = tasks.Add('a');
  const TaskId scene_graph = tasks.Add('s');
  tasks.DependsOn(scene_graph, animation);
  const TaskId gui = tasks.Add('g');
  const TaskId gui_scene = tasks.AddEmpty();
  tasks.AddChild(gui_scene, scene_graph);
  tasks.AddChild(gui_scene, gui);
  const TaskId render = tasks.Add('r');
  tasks.DependsOn(render, gui_scene);
  const TaskId sound = tasks.Add('S');
  const TaskId done = tasks.AddEmpty();
  tasks.AddChild(done, render);
  tasks.AddChild(done, sound);
  REQUIRE(tasks.queue.empty());  // all are held
  tasks.Wait(done);
  const std::string& order = tasks.alphabet.written();
  REQUIRE(order.size() == 5);
  REQUIRE(order.find('a') < order.find('s'));
  REQUIRE(order.find('s') < order.find('r'));
  REQUIRE(order.find('g') < order.find('r'));
  REQUIRE(order.find('S') != std::string::npos);
  REQUIRE(tasks.graph.IsComplete(gui_scene));
}

TEST_CASE("a task is complete when its work and its children are") {
  GraphFixture tasks;
  const TaskId parent = tasks.Add('p');
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent});
  tasks.Submit(parent);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "p");
  REQUIRE_FALSE(tasks.graph.IsComplete(parent));
  tasks.Submit(child);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "pc");
  REQUIRE(tasks.graph.IsComplete(parent));
}

TEST_CASE("a child may run before its parent does") {
  GraphFixture tasks;
  const TaskId parent = tasks.Add('p');
  tasks.Submit(tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent}));
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "c");
  REQUIRE_FALSE(tasks.graph.IsComplete(parent));
}

TEST_CASE("a dependency that is complete is met, also when its slot is another's") {
  GraphFixture tasks;
  const TaskId first = tasks.Add('1');
  tasks.Submit(first);
  tasks.RunAll();
  const TaskId second = tasks.Add('2');
  REQUIRE(second.slot() == first.slot());
  const TaskId third = tasks.Add('3');
  tasks.DependsOn(third, first);
  tasks.Submit(third);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "13");
}

TEST_CASE("empty tasks in a row are complete at once, however many") {
  constexpr int kTasks = 1000;
  GraphFixture tasks(kTasks);
  const TaskId first = tasks.Add('1');
  TaskId last = first;
  for (int i = 1; i < kTasks; ++i) last = tasks.Add({.dependency = last});
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  REQUIRE_FALSE(tasks.graph.IsComplete(last));
  tasks.RunAll();
  REQUIRE(tasks.graph.IsComplete(last));
}

TEST_CASE("priority and affinity come to the queue as they were given") {
  GraphFixture tasks;
  const TaskId task =
      tasks.Add({.work = tasks.alphabet.Write('x'), .priority = 7, .affinity = 255});
  tasks.Submit(task);
  const ReadyTask ready = tasks.queue.Pop();
  REQUIRE(ready.id == task);
  REQUIRE(ready.priority == 7);
  REQUIRE(ready.affinity == 255);
  REQUIRE_FALSE(ready.kind == TaskKind::kExternal);
}

TEST_CASE("cancelling before the start counts, afterwards it does not") {
  GraphFixture tasks;
  const TaskId first = tasks.Add('1'), second = tasks.Add('2'), third = tasks.Add('3');
  tasks.DependsOn(second, first);
  tasks.DependsOn(third, second);
  REQUIRE(*tasks.graph.Cancel(tasks.main, second, tasks.queue));
  REQUIRE_FALSE(*tasks.graph.Cancel(tasks.main, second, tasks.queue));
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  REQUIRE_FALSE(tasks.graph.IsComplete(second));  // it keeps its place in the order
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "13");
  const TaskId ready = tasks.Add('r');
  tasks.Submit(ready);
  REQUIRE(*tasks.graph.Cancel(tasks.other, ready, tasks.queue));
  REQUIRE(tasks.graph.IsComplete(ready));
  REQUIRE_FALSE(tasks.graph.TryStart(tasks.queue.Pop().id));  // its entry has become stale
  const TaskId running = tasks.Add('x');
  tasks.Submit(running);
  REQUIRE(tasks.graph.TryStart(running));
  REQUIRE_FALSE(*tasks.graph.Cancel(tasks.main, running, tasks.queue));
}

TEST_CASE("external work is complete when the device says so, once") {
  GraphFixture tasks;
  const TaskId read = tasks.Add({.kind = TaskKind::kExternal});
  const TaskId parse = tasks.Add({.work = tasks.alphabet.Write('p'), .dependency = read});
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, parse, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  const ReadyTask ready = tasks.queue.Pop();
  REQUIRE(ready.kind == TaskKind::kExternal);
  REQUIRE_FALSE(tasks.graph.FindHelp(tasks.main, parse, 0));  // nobody else can do it
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, read, tasks.queue)) ==
          ErrorCode::kWrongPhase);
  REQUIRE(tasks.graph.TryStart(ready.id));
  REQUIRE(tasks.queue.empty());
  REQUIRE(tasks.graph.CompleteExternal(tasks.other, read, tasks.queue));
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.other, read, tasks.queue)) ==
          ErrorCode::kStaleId);
  tasks.RunAll();
  REQUIRE(tasks.alphabet.written() == "p");
}

TEST_CASE("of two runs of an idempotent task the first to be done counts, the last frees") {
  GraphFixture tasks;
  const TaskId twice =
      tasks.Add({.work = tasks.alphabet.Write('t'), .kind = TaskKind::kIdempotent});
  REQUIRE_FALSE(tasks.graph.TryStartAgain(twice));
  tasks.Submit(twice);
  REQUIRE(tasks.graph.TryStart(twice));
  REQUIRE(tasks.graph.TryStartAgain(twice));
  REQUIRE_FALSE(tasks.graph.TryStartAgain(twice));
  const auto outer = tasks.graph.Enter(tasks.main, twice);
  const auto other_outer = tasks.graph.Enter(tasks.other, twice);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {}, tasks.queue)) == ErrorCode::kWrongPhase);
  REQUIRE(tasks.graph.TryCommit(tasks.other));
  REQUIRE_FALSE(tasks.graph.TryCommit(tasks.main));
  REQUIRE_FALSE(tasks.graph.Finish(tasks.other, other_outer, tasks.queue, true));
  REQUIRE(tasks.graph.IsComplete(twice));
  // One run is still in there.
  REQUIRE(tasks.graph.Create(tasks.other, {}, tasks.queue)->slot() != twice.slot());
  REQUIRE(tasks.graph.Finish(tasks.main, outer, tasks.queue, false));
  REQUIRE(tasks.Add('o').slot() == twice.slot());
}

TEST_CASE("a task keeps one cache line") {
  WARN("bytes of an open task: " << Graph::BytesPerTask());
  REQUIRE(sizeof(TaskSlot<StdSync>) == 64);
}

TEST_CASE("held tasks are submitted oldest first, also when one of them went before the others") {
  for (int early = -1; early < 4; ++early) {
    CAPTURE(early);
    GraphFixture tasks;
    std::string expected = "abcd";
    std::vector<TaskId> held;
    for (const char letter : expected) held.push_back(tasks.Add(letter));
    if (early >= 0) {
      tasks.Submit(held[static_cast<std::size_t>(early)]);
      expected.erase(static_cast<std::size_t>(early), 1);
      expected.insert(expected.begin(), static_cast<char>('a' + early));
    }
    CHECK(tasks.main.holds());
    tasks.graph.SubmitAll(tasks.main, tasks.queue);
    CHECK_FALSE(tasks.main.holds());
    CHECK(ReadyOrder(tasks) == expected);
  }
}

TEST_CASE("a thread knows whether it holds a task, and whether it holds another one than this") {
  GraphFixture tasks;
  CHECK_FALSE(tasks.main.holds());
  const TaskId first = tasks.Add('1');
  CHECK(tasks.main.holds());
  CHECK_FALSE(tasks.main.HoldsOther(first));
  const TaskId second = tasks.Add('2');
  CHECK(tasks.main.HoldsOther(first));
  CHECK(tasks.main.HoldsOther(second));
  tasks.Submit(first);
  CHECK_FALSE(tasks.main.HoldsOther(second));
  CHECK(tasks.main.HoldsOther(first));
  tasks.Submit(second);
  CHECK_FALSE(tasks.main.HoldsOther(second));
  CHECK_FALSE(tasks.other.holds());
}

TEST_CASE("the tasks that a task holds are submitted when its work is done") {
  GraphFixture tasks;
  const TaskId worker = tasks.Add('w');
  tasks.Submit(worker);
  TaskId held;
  Within(tasks, worker, [&] {
    held = tasks.Add('h');
    CHECK_FALSE(tasks.graph.MayStart(held));
  });
  CHECK(tasks.graph.MayStart(held));
  CHECK_FALSE(tasks.main.current().IsTask());
}

TEST_CASE("cancelled tasks of the caller do no work, those of others do") {
  GraphFixture tasks;
  const TaskId mine = tasks.Add('m'), more = tasks.Add('n');
  const auto theirs =
      tasks.graph.Create(tasks.other, {.work = tasks.alphabet.Write('t')}, tasks.queue);
  REQUIRE(theirs);
  tasks.graph.CancelHeld(tasks.main);
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  CHECK(tasks.graph.IsComplete(mine));
  CHECK(tasks.graph.IsComplete(more));
  tasks.graph.SubmitAll(tasks.other, tasks.queue);
  CHECK(ReadyOrder(tasks) == "t");
}

TEST_CASE("all dependents of a task start after it, and a cancelled one completes its own") {
  GraphFixture tasks;
  const TaskId first = tasks.Add('f');
  std::vector<TaskId> dependents;
  for (const char letter : {'a', 'b', 'c'}) {
    dependents.push_back(tasks.Add({.work = tasks.alphabet.Write(letter), .dependency = first}));
  }
  const TaskId after = tasks.Add({.work = tasks.alphabet.Write('z'), .dependency = dependents[1]});
  REQUIRE(*tasks.graph.Cancel(tasks.main, dependents[1], tasks.queue));
  tasks.graph.SubmitAll(tasks.main, tasks.queue);
  std::string order = ReadyOrder(tasks);
  REQUIRE(order.size() == 4);
  CHECK(order[0] == 'f');
  std::sort(order.begin(), order.end());
  CHECK(order == "acfz");
  CHECK(tasks.graph.IsComplete(after));
}

TEST_CASE("a parent is complete after its grandchildren, and so is what depends on it") {
  GraphFixture tasks;
  const TaskId top = tasks.AddEmpty();
  const TaskId middle = tasks.Add({.parent = top});
  const TaskId leaf = tasks.Add({.work = tasks.alphabet.Write('l'), .parent = middle});
  const TaskId after = tasks.Add({.work = tasks.alphabet.Write('a'), .dependency = top});
  for (const TaskId task : {after, top, middle}) tasks.Submit(task);
  CHECK(ReadyOrder(tasks).empty());
  CHECK_FALSE(tasks.graph.IsComplete(top));
  tasks.Submit(leaf);
  CHECK(ReadyOrder(tasks) == "la");
  CHECK(tasks.graph.IsComplete(top));
}

TEST_CASE("a graph completes for a user's device what is out, and nothing else") {
  GraphFixture tasks;
  const auto started = [&](TaskKind kind) {
    const TaskId task = tasks.Add({.kind = kind});
    tasks.Submit(task);
    REQUIRE(tasks.graph.TryStart(task));
    return task;
  };
  const TaskId out = started(TaskKind::kExternal), also_out = started(TaskKind::kExternal);
  const TaskId in_hand_over = started(TaskKind::kExternal);
  const TaskId answered = started(TaskKind::kExternal);
  const TaskId waiting = tasks.Add({.kind = TaskKind::kExternal});
  tasks.Submit(waiting);
  for (const TaskId task : {out, also_out, answered}) tasks.graph.MarkInFlight(task);
  REQUIRE(tasks.graph.CompleteExternal(tasks.main, answered, tasks.queue));
  CHECK(tasks.graph.CompleteInFlight(tasks.main, tasks.queue) == 2);
  CHECK(tasks.graph.IsComplete(out));
  CHECK(tasks.graph.IsComplete(also_out));
  CHECK_FALSE(tasks.graph.IsComplete(in_hand_over));
  CHECK_FALSE(tasks.graph.IsComplete(waiting));
  CHECK(tasks.graph.CompleteInFlight(tasks.main, tasks.queue) == 0);
  CHECK(CodeOf(tasks.graph.CompleteExternal(tasks.main, out, tasks.queue)) == ErrorCode::kStaleId);
}

TEST_CASE("a failed hand-over is completed once, unless its device has answered") {
  GraphFixture tasks;
  TaskId failed[2], answered;
  for (TaskId* task : {&failed[0], &failed[1], &answered}) {
    *task = tasks.Add({.kind = TaskKind::kExternal});
    tasks.Submit(*task);
    REQUIRE(tasks.graph.TryStart(*task));
  }
  REQUIRE(tasks.graph.CompleteExternal(tasks.other, answered, tasks.queue));
  CHECK_FALSE(tasks.graph.TryFail(tasks.main, answered));
  CHECK_FALSE(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  for (const TaskId task : failed) {
    CHECK(tasks.graph.TryFail(tasks.main, task));
    CHECK_FALSE(tasks.graph.TryFail(tasks.main, task));
  }
  CHECK_FALSE(tasks.graph.IsComplete(failed[0]));
  CHECK(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  CHECK(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  CHECK_FALSE(tasks.graph.CompleteFailed(tasks.main, tasks.queue));
  for (const TaskId task : failed) CHECK(tasks.graph.IsComplete(task));
}

}  // namespace
}  // namespace nowait
