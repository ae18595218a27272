// Each call that a graph refuses: the kind of error, the edge or the thing that it is about, the
// task that it names, and the reason in words. A refusal changes nothing.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/base/result.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_graph.h"
#include "src/sync/policy.h"
#include "tests/jobs/ready_queue.h"

namespace nowait {
namespace {

using Graph = TaskGraph<StdSync, 2>;

struct Scene {
  TaskId Add(const TaskDef& def = {.work = {[](void*) {}, nullptr}}) {
    return graph.Create(main, def, queue).value();
  }
  TaskId AddSubmitted(const TaskDef& def = {.work = {[](void*) {}, nullptr}}) {
    const TaskId task = Add(def);
    REQUIRE(graph.Submit(main, task, queue));
    return task;
  }
  void RunAll() {
    while (queue.RunOne(graph, main)) {
    }
  }
  TaskId AddCompleted() {
    const TaskId task = AddSubmitted();
    RunAll();
    REQUIRE(graph.IsComplete(task));
    return task;
  }
  Result<void> Depend(TaskId task, TaskId dependency) {
    return graph.SetDependency(main, task, dependency);
  }
  Result<void> Child(TaskId parent, TaskId child) {
    return graph.AddChild(main, parent, child, queue);
  }
  Result<void> Wait(TaskId task) { return graph.BeginWait(main, task, queue); }
  Result<void> Answer(TaskId task, bool by_device = false) {
    return graph.CompleteExternal(main, task, queue, by_device);
  }

  Graph graph{{16, 2, 5}};
  Graph::Thread main{graph, 0};
  Graph::Thread other{graph, 1};
  ReadyQueue queue;
};

template <class T>
void CheckError(const Result<T>& result, ErrorCode code, const char* subject, TaskId task,
                const char* detail) {
  CAPTURE(subject, detail);
  REQUIRE_FALSE(result);
  CHECK(result.error() == Error{code, subject, static_cast<std::int64_t>(task.bits()), detail});
}

TEST_CASE("a refused dependency names the edge and the task that was to have it") {
  Scene scene;
  const TaskId a = scene.Add(), b = scene.Add(), c = scene.Add();
  CheckError(scene.Depend(a, a), ErrorCode::kCycle, "dependency", a, "a task on itself");
  REQUIRE(scene.Depend(b, a));
  CheckError(scene.Depend(a, b), ErrorCode::kCycle, "dependency", a,
             "it waits for the task already");
  CheckError(scene.Depend(b, c), ErrorCode::kInvalidArgument, "dependency", b,
             "a task has only one");
  const TaskId parent = scene.AddSubmitted(), stranger = scene.AddSubmitted();
  REQUIRE(scene.Child(parent, c));
  CheckError(scene.Depend(c, stranger), ErrorCode::kWrongPhase, "dependency", c,
             "a submitted task needs this one: AddChild comes after SetDependency");
}

TEST_CASE("a refused child names the edge, and the child or the parent that is at fault") {
  Scene scene;
  const TaskId a = scene.Add(), b = scene.Add(), c = scene.Add();
  CheckError(scene.Child(a, a), ErrorCode::kCycle, "parent", a, "a task is not its own parent");
  REQUIRE(scene.Depend(b, a));
  CheckError(scene.Child(a, b), ErrorCode::kCycle, "child", b, "it waits for its parent already");
  REQUIRE(scene.Child(a, c));
  CheckError(scene.Child(b, c), ErrorCode::kInvalidArgument, "parent", c, "a task has only one");
  const TaskId gone = scene.AddCompleted();
  const TaskId d = scene.Add();
  CheckError(scene.Child(gone, d), ErrorCode::kStaleId, "parent", gone, "it is complete");
  // The child is as it was: another parent takes it.
  REQUIRE(scene.Child(b, d));
}

TEST_CASE("a task that is not the caller's to change is named, whichever argument it is") {
  Scene scene;
  const TaskId mine = scene.Add();
  const TaskId theirs = scene.graph.Create(scene.other, {}, scene.queue).value();
  const TaskId submitted = scene.AddSubmitted();
  const char* const held = "its creator holds it";
  CheckError(scene.Depend(theirs, mine), ErrorCode::kNotOwner, "task", theirs, held);
  CheckError(scene.Depend(mine, theirs), ErrorCode::kNotOwner, "task", theirs, held);
  CheckError(scene.Child(theirs, mine), ErrorCode::kNotOwner, "task", theirs, held);
  CheckError(scene.Child(mine, theirs), ErrorCode::kNotOwner, "task", theirs, held);
  CheckError(scene.Answer(theirs), ErrorCode::kNotOwner, "task", theirs, held);
  const char* const late = "it has been submitted";
  CheckError(scene.Depend(submitted, mine), ErrorCode::kWrongPhase, "task", submitted, late);
  CheckError(scene.Child(mine, submitted), ErrorCode::kWrongPhase, "task", submitted, late);
  CheckError(scene.graph.Submit(scene.main, submitted, scene.queue), ErrorCode::kWrongPhase, "task",
             submitted, late);
  scene.RunAll();
  const TaskId next = scene.Add();
  REQUIRE(next.slot() == submitted.slot());
  CheckError(scene.Depend(submitted, mine), ErrorCode::kStaleId, "task", submitted, "");
}

TEST_CASE("ids of another graph, beyond the slots, or empty are told apart from stale ones") {
  Scene scene;
  const TaskId mine = scene.Add();
  const TaskId foreign(6, mine.slot(), mine.generation());
  const TaskId beyond(5, 0xfff0, 1);
  for (const TaskId id : {foreign, beyond, TaskId()}) {
    const char* const why = id.IsTask() ? "of another graph" : "no task";
    CheckError(scene.Depend(mine, id), ErrorCode::kInvalidArgument, "task", id, why);
    CheckError(scene.Depend(id, mine), ErrorCode::kInvalidArgument, "task", id, why);
    CheckError(scene.Child(id, mine), ErrorCode::kInvalidArgument, "task", id, why);
    CheckError(scene.Wait(id), ErrorCode::kInvalidArgument, "task", id, why);
    CheckError(scene.Answer(id), ErrorCode::kInvalidArgument, "task", id, why);
    CheckError(scene.graph.Cancel(scene.main, id, scene.queue), ErrorCode::kInvalidArgument, "task",
               id, why);
    CHECK_FALSE(scene.graph.TryStart(id));
    CHECK_FALSE(scene.graph.MayStart(id));
    CHECK_FALSE(scene.graph.FindHelp(scene.main, id, 0));
  }
}

TEST_CASE("a refused wait names the task that was to be waited for") {
  Scene scene;
  const TaskId stranger = scene.AddSubmitted(), worker = scene.AddSubmitted();
  REQUIRE(scene.graph.TryStart(worker));
  const auto outer = scene.graph.Enter(scene.main, worker);
  CheckError(scene.Wait(stranger), ErrorCode::kNotOwner, "wait", stranger,
             "a task waits for what it created");
  const TaskId later = scene.Add({.dependency = worker});
  CheckError(scene.Wait(later), ErrorCode::kCycle, "wait", later, "it waits for the waiting task");
  // A refused child is taken back, and its room with it.
  const auto child =
      scene.graph.Create(scene.main, {.parent = worker, .dependency = worker}, scene.queue);
  REQUIRE_FALSE(child);
  CHECK(child.error().code == ErrorCode::kCycle);
  CHECK(child.error().subject == std::string("child"));
  CHECK(child.error().detail == std::string("its parent is needed by its dependency"));
  scene.graph.Finish(scene.main, outer, scene.queue);
  scene.RunAll();
  CHECK(scene.graph.IsComplete(worker));
  CHECK(scene.graph.IsComplete(later));
}

TEST_CASE("a task that has waited may wait for the next one, and be waited for by others") {
  Scene scene;
  const TaskId worker = scene.AddSubmitted();
  REQUIRE(scene.graph.TryStart(worker));
  const auto outer = scene.graph.Enter(scene.main, worker);
  const TaskId first = scene.Add(), second = scene.Add();
  REQUIRE(scene.Wait(first));
  CHECK(scene.graph.IsNeeded(scene.main, worker, first));
  CHECK_FALSE(scene.graph.IsNeeded(scene.main, worker, second));
  scene.graph.EndWait(scene.main);
  CHECK_FALSE(scene.graph.IsNeeded(scene.main, worker, first));
  REQUIRE(scene.Wait(second));
  CHECK(scene.graph.IsNeeded(scene.main, worker, second));
  scene.graph.EndWait(scene.main);
  scene.graph.Finish(scene.main, outer, scene.queue);
}

TEST_CASE("neither an idempotent task nor a list's job makes a task or waits, and each says so") {
  for (const bool list : {false, true}) {
    CAPTURE(list);
    Scene scene;
    const TaskId done = scene.AddCompleted();
    const TaskId open = scene.AddSubmitted({.kind = TaskKind::kExternal});
    const TaskId leaf =
        scene.AddSubmitted({.kind = list ? TaskKind::kList : TaskKind::kIdempotent});
    REQUIRE(scene.graph.TryStart(leaf));
    const auto outer =
        list ? scene.graph.EnterList(scene.main, leaf) : scene.graph.Enter(scene.main, leaf);
    CheckError(scene.graph.Create(scene.main, {}, scene.queue), ErrorCode::kWrongPhase, "task",
               TaskId(), "an idempotent task or a list creates no tasks");
    CheckError(scene.Wait(open), ErrorCode::kWrongPhase, "wait", open,
               "an idempotent task or a list does not wait");
    CHECK(scene.Wait(done));  // complete: nothing is waited for
    scene.graph.LeaveList(scene.main, outer);
  }
}

TEST_CASE("only a started external task of no device, not yet answered, takes an answer") {
  Scene scene;
  const TaskId plain = scene.AddSubmitted();
  CheckError(scene.Answer(plain), ErrorCode::kInvalidArgument, "task", plain,
             "its work is not external");
  const TaskId read = scene.AddSubmitted({.kind = TaskKind::kExternal});
  CheckError(scene.Answer(read), ErrorCode::kWrongPhase, "completion", read,
             "no thread has started the task");
  REQUIRE(scene.graph.TryStart(read));
  REQUIRE(scene.Answer(read));
  CheckError(scene.Answer(read), ErrorCode::kStaleId, "task", read, "");
  const TaskId request = scene.AddSubmitted({.kind = TaskKind::kRequest});
  REQUIRE(scene.graph.TryStart(request));
  CheckError(scene.Answer(request), ErrorCode::kNotOwner, "request", request,
             "its device answers it");
  CHECK_FALSE(scene.graph.IsComplete(request));
  REQUIRE(scene.Answer(request, true));
  CHECK(scene.graph.IsComplete(request));
}

}  // namespace
}  // namespace nowait
