// Calls of a graph that are refused; and the slots of its tasks, which stay or come back.
#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "src/jobs/task_graph.h"
#include "tests/jobs/graph_fixture.h"
#include "tests/jobs/ready_queue.h"

namespace nowait {
namespace {

TEST_CASE("a cycle is refused, whichever edge would close it") {
  GraphFixture tasks;
  const TaskId a = tasks.Add('a'), b = tasks.Add('b'), c = tasks.AddEmpty();
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, a)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, a, tasks.queue)) == ErrorCode::kCycle);
  tasks.DependsOn(b, a);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, b)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, b, tasks.queue)) == ErrorCode::kCycle);
  tasks.AddChild(c, b);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, a, c)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, b, c, tasks.queue)) == ErrorCode::kCycle);
  tasks.Wait(c);
  REQUIRE(tasks.alphabet.written() == "ab");
}

TEST_CASE("a refused edge leaves nothing behind") {
  GraphFixture tasks;
  const TaskId parent = tasks.Add('p'), child = tasks.Add('c');
  tasks.DependsOn(child, parent);
  REQUIRE_FALSE(tasks.graph.AddChild(tasks.main, parent, child, tasks.queue));
  tasks.Wait(parent);
  REQUIRE(tasks.alphabet.written() == "p");
  tasks.Wait(child);
}

TEST_CASE("one dependency, one parent") {
  GraphFixture tasks;
  const TaskId a = tasks.Add('a'), b = tasks.Add('b'), c = tasks.Add('c');
  tasks.DependsOn(c, a);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, c, b)) == ErrorCode::kInvalidArgument);
  tasks.AddChild(b, c);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, a, c, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
}

TEST_CASE("a task that another thread holds is refused; one that it has submitted is not") {
  GraphFixture tasks;
  const TaskId theirs = *tasks.graph.Create(tasks.other, {}, tasks.queue);
  const TaskId mine = tasks.Add('m');
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, theirs, mine)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, mine, theirs)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, theirs, mine, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, mine, theirs, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, theirs, tasks.queue)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Cancel(tasks.main, theirs, tasks.queue)) == ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = theirs}, tasks.queue)) ==
          ErrorCode::kNotOwner);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.dependency = theirs}, tasks.queue)) ==
          ErrorCode::kNotOwner);
  tasks.Submit(mine);
  REQUIRE(tasks.graph.SetDependency(tasks.other, theirs, mine));
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, mine, theirs)) == ErrorCode::kWrongPhase);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, mine, tasks.queue)) == ErrorCode::kWrongPhase);
}

TEST_CASE("an id of a completed task is stale where an open one is needed") {
  GraphFixture tasks;
  const TaskId gone = tasks.Add('g');
  tasks.Wait(gone);
  const TaskId task = tasks.Add('t');
  REQUIRE(CodeOf(tasks.graph.AddChild(tasks.main, gone, task, tasks.queue)) == ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.SetDependency(tasks.main, gone, task)) == ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = gone}, tasks.queue)) ==
          ErrorCode::kStaleId);
  REQUIRE(CodeOf(tasks.graph.CompleteExternal(tasks.main, gone, tasks.queue)) ==
          ErrorCode::kStaleId);
  REQUIRE(*tasks.graph.Cancel(tasks.main, gone, tasks.queue) == false);
  REQUIRE(tasks.graph.BeginWait(tasks.main, gone, tasks.queue));
}

TEST_CASE("another graph's task, and none") {
  GraphFixture tasks;
  Graph graph({4, 1, 6});
  Graph::Thread thread(graph, 0);
  const TaskId foreign = *graph.Create(thread, {}, tasks.queue);
  const TaskId mine = tasks.Add('m');
  const auto refused = tasks.graph.SetDependency(tasks.main, mine, foreign);
  REQUIRE(CodeOf(refused) == ErrorCode::kInvalidArgument);
  REQUIRE(ToString(refused.error()) == "invalid task: of another graph");
  REQUIRE(CodeOf(tasks.graph.BeginWait(tasks.main, foreign, tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.graph.Submit(tasks.main, TaskId(), tasks.queue)) ==
          ErrorCode::kInvalidArgument);
  REQUIRE_FALSE(tasks.graph.TryStart(foreign));
}

TEST_CASE("a full graph refuses, and has room again when tasks complete") {
  Graph graph({3, 1, 0});
  Graph::Thread thread(graph, 0);
  ReadyQueue queue;
  std::vector<TaskId> open;
  auto task = graph.Create(thread, {}, queue);
  for (; task; task = graph.Create(thread, {}, queue)) open.push_back(*task);
  REQUIRE(open.size() >= 3);
  REQUIRE(ToString(task.error()) == "capacity of open tasks reached (3)");
  graph.SubmitAll(thread, queue);
  for (std::size_t i = 0; i < open.size(); ++i) REQUIRE(graph.Create(thread, {}, queue));
}

TEST_CASE("a completed child keeps its slot until its parent is complete") {
  GraphFixture tasks(4);
  const TaskId parent = tasks.AddEmpty();
  const TaskId child = tasks.Add({.work = tasks.alphabet.Write('c'), .parent = parent});
  tasks.Submit(child);
  tasks.RunAll();
  REQUIRE(tasks.graph.IsComplete(child));
  const TaskId other = tasks.Add('o');
  CHECK(other.slot() != child.slot());
  tasks.Submit(parent);
  REQUIRE(tasks.graph.IsComplete(parent));
  const TaskId next = tasks.Add('n'), last = tasks.Add('l');
  CHECK((next.slot() == child.slot() || last.slot() == child.slot()));
}

TEST_CASE("what another thread keeps for itself takes no room from the capacity") {
  GraphFixture tasks(4);
  CHECK(tasks.graph.capacity() == 4);
  CHECK(tasks.graph.most_open() == 4 + 2 * 2);  // two slots for each of two threads
  // The other thread makes tasks, and keeps as many free slots as it may.
  std::vector<TaskId> theirs;
  for (int i = 0; i < 4; ++i) {
    theirs.push_back(*tasks.graph.Create(tasks.other, {}, tasks.queue));
  }
  tasks.graph.SubmitAll(tasks.other, tasks.queue);
  for (const TaskId task : theirs) REQUIRE(tasks.graph.IsComplete(task));
  for (int i = 0; i < 4; ++i) tasks.AddEmpty();
}

TEST_CASE("a thread that ends gives back the slots that it kept") {
  Graph graph({2, 1, 5});
  ReadyQueue queue;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    Graph::Thread thread(graph, 0);
    for (int i = 0; i < 2; ++i) REQUIRE(graph.Create(thread, {}, queue));
    graph.SubmitAll(thread, queue);
  }
}

TEST_CASE("a child of a completed task is refused however often, and takes no room") {
  GraphFixture tasks(4);
  const TaskId gone = tasks.Add('g');
  tasks.Wait(gone);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(CodeOf(tasks.graph.Create(tasks.main, {.parent = gone}, tasks.queue)) ==
            ErrorCode::kStaleId);
  }
  for (int i = 0; i < 4; ++i) tasks.AddEmpty();
}

TEST_CASE("a task that has been started may never start again, also when its slot is another's") {
  GraphFixture tasks;
  const TaskId first = tasks.Add('1');
  tasks.Submit(first);
  REQUIRE(tasks.graph.MayStart(first));
  tasks.Wait(first);
  REQUIRE_FALSE(tasks.graph.MayStart(first));
  const TaskId second = tasks.Add('2');
  REQUIRE(second.slot() == first.slot());
  REQUIRE_FALSE(tasks.graph.MayStart(second));  // held
  tasks.Submit(second);
  REQUIRE(tasks.graph.MayStart(second));
  REQUIRE_FALSE(tasks.graph.MayStart(first));
}

}  // namespace
}  // namespace nowait
