// Model of a view that is held across a physics update and the end of a world: a task queries,
// while the game updates the tree, closes its tasks, and destroys the world that they have read.
//
// The tree with its readers and their epochs, and the scheduler with its workers, are the source of
// src; the order of the calls is that of World and TaskPool. A WorldView is a pin of the tree's
// storage, and queries under it.
//
// Promise checked: a view finds each body that stays, once, whatever update runs beside it. A
// thread that has closed the tasks and released its own views may destroy the world: every read of
// a task's view happens before that, whether a worker or the closing thread ran the task, and no
// pin is left.
#include <cstdint>
#include <optional>
#include <utility>

#include "models/broadphase/tree_scenario.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {
namespace {

using model::Call;
using Scheduler = TaskScheduler<ModelSync, GlobalQueue<ModelSync>, 1>;

constexpr Box kFar = At(40, 41);

struct SmallWorld {
  SmallWorld() {
    const Tree::Entry entries[] = {{kA, kBoxA}, {kB, kBoxB}};
    tree.Finalise(*tree.Prepare(entries));
    Update();
    // Leaves something for the update to do.
    static_cast<void>(tree.Move(kA, kFar));
  }
  // The work of a physics update on the tree.
  void Update() {
    Check(tree.Rebuild().has_value(), "there is a node for every rebuilt one");
    tree.Swap();
    storage.Reclaim();
  }
  // Called by a thread that holds a pin.
  void Query() const {
    int a = 0;
    int b = 0;
    tree.QueryBox(At(0, 41), [&](ProxyId found) {
      a += found == kA ? 1 : 0;
      b += found == kB ? 1 : 0;
      return true;
    });
    Check(a == 1 && b == 1, "a view finds each body that stays, once");
  }

  Tree::Storage storage{4, kTreeBodies};
  Tree tree{storage};
};

// Thread 0 is a worker, and thread 1 the game. The task is submitted before the update begins.
// Tasks that are to be cancelled have no concurrent update, which would more than double the
// executions. kKeeps: the task leaves its view to the game, which releases it after the tasks were
// closed.
template <TaskShutdown kHow, bool kKeeps>
struct ViewAndClose {
  static constexpr int kThreads = 2;

  ViewAndClose() : world(ModelSync::New<SmallWorld>()) {
    const auto task = scheduler.Add(game, {.work = {&Look, this}});
    Check(task && scheduler.Submit(game, *task), "there is room for a task");
  }
  void Thread(int t) {
    if (t == 0) {
      const Call call("Work");
      scheduler.Work(worker, [] {});
      return;
    }
    if constexpr (kHow == TaskShutdown::kFinish) {
      const Call call("Update");
      world->Update();
    }
    {
      const Call call("Close");
      Check(scheduler.Close(game, kHow).has_value(), "they are closed once");
    }
    if constexpr (kKeeps) {
      const Call call("Query");
      world->Query();
      kept.reset();
    }
    const Call call("~World");
    ModelSync::Delete(world);
  }
  static void Look(void* data) {
    auto& of = *static_cast<ViewAndClose*>(data);
    const Call call("Query");
    Tree::Storage::Pin view = of.world->storage.PinReader();
    of.world->Query();
    if constexpr (kKeeps) of.kept.emplace(std::move(view));
  }

  SmallWorld* world;
  std::optional<Tree::Storage::Pin> kept;
  Scheduler scheduler{{.graph = {.capacity = 1, .threads = kThreads, .tag = 1}, .workers = 1}};
  Scheduler::Thread worker{scheduler, 0, 0};
  Scheduler::Thread game{scheduler, 1, 0};
};
const Scenario<ViewAndClose<TaskShutdown::kFinish, false>> finish({
    .name = "finish",
    .promise = "a thread that has finished the tasks may destroy the world that they had views of",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<ViewAndClose<TaskShutdown::kCancel, false>> cancel({
    .name = "cancel",
    .promise = "a thread that has cancelled them may do the same, also while one runs",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<ViewAndClose<TaskShutdown::kFinish, true>> kept({
    .name = "kept",
    .promise = "a view that a task leaves behind is good after an update and the close, until it "
               "is let go",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
