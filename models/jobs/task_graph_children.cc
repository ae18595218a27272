// Model of src/jobs/task_graph.h: a parent is complete after its children, and each slot
// has one owner at a time.
#include <cstdint>
#include <optional>

#include "models/jobs/task_graph_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// A parent with two children, which two threads run; a task depends on the parent.
struct FanIn : TwoThreads {
  FanIn() : TwoThreads(4) {
    const TaskId parent = workers[0].Create(TaskDef{});
    for (int i = 0; i < 2; ++i) {
      children[i] = workers[0].Create({.work = {&RunWork, &work[i]}, .parent = parent});
    }
    const TaskId then = workers[0].Create(last);
    for (int i = 0; i < 2; ++i) last.before[i] = &work[i];
    workers[0].DependsOn(then, parent);
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (workers[t].TryStart(children[t])) workers[t].Run(children[t]);
    workers[t].RunReady();
  }
  void After() {
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1 && last.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work last, work[2];
  TaskId children[2];
};
const Scenario<FanIn> fan_in({
    .name = "fan_in",
    .promise = "a parent is complete after both children, and releases its dependent once",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Three children of one parent, on which a task depends, and one of another. Thread 0 runs two of
// the three and then the one; thread 1 runs the third. Both keep the items of parents back.
struct KeptItems : TwoThreads {
  KeptItems() : TwoThreads(6) {
    const TaskId parent = workers[0].Create(TaskDef{});
    for (int i = 0; i < 3; ++i) {
      children[i] = workers[0].Create({.work = {&RunWork, &work[i]}, .parent = parent});
    }
    const TaskId other = workers[0].Create(TaskDef{});
    children[3] = workers[0].Create({.work = {&RunWork, &work[3]}, .parent = other});
    const TaskId then = workers[0].Create(last);
    last.before[0] = &work[0];
    last.before[1] = &work[2];
    workers[0].DependsOn(then, parent);
    workers[0].SubmitAll();
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    for (const int i : {0, 1, 3}) Take(t, t == 0 ? i : 2);
    workers[t].Settle();
    workers[t].RunReady();
  }
  void Take(int t, int child) {
    if (workers[t].TryStart(children[child])) workers[t].RunAndKeep(children[child]);
  }
  void After() {
    for (const Work& done : work) Check(done.mark.get() == 1, kOnce);
    Check(last.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work last, work[4];
  TaskId children[4];
};
const Scenario<KeptItems> kept_items({
    .name = "kept_items",
    .promise = "a parent is complete when the items that threads keep back have been taken off",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A held parent gets a second child while its first one, which is submitted, completes.
struct SecondChild : TwoThreads {
  SecondChild() : TwoThreads(4) {
    parent = workers[0].Create(TaskDef{});
    child = workers[0].Create({.work = {&RunWork, &work[0]}, .parent = parent});
    workers[0].Submit(child);
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].Create({.work = {&RunWork, &work[1]}, .parent = parent});
      workers[0].SubmitAll();
      workers[0].RunReady();
    } else {
      Check(workers[1].TryStart(child), "a ready task starts");
      workers[1].Run(child);
    }
  }
  void After() {
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    Check(graph.IsComplete(parent), "a parent is complete after its children");
    CheckSlots(*this);
  }

  Work work[2];
  TaskId parent, child;
};
const Scenario<SecondChild> second_child({
    .name = "second_child",
    .promise = "a held parent gets a child while another completes, and counts both",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads give one task a child each.
struct TwoAdders : TwoThreads {
  TwoAdders() : TwoThreads(3) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    for (int t = 0; t < 2; ++t) child[t] = workers[t].Create(work[t]);
  }
  void Thread(int t) { Check(workers[t].AddChild(top, child[t]), "an open task takes a child"); }
  void After() {
    for (Worker& worker : workers) {
      worker.SubmitAll();
      worker.RunReady();
    }
    workers[0].CompleteExternal(top);
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work[2];
  TaskId top, child[2];
};
const Scenario<TwoAdders> two_adders({
    .name = "two_adders",
    .promise = "children that are added at the same time are all linked",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Slots go from one thread's store to the other's in chains of two. Each thread writes the work of
// the slots that it owns.
struct Chains {
  static constexpr int kThreads = 2;
  using Slots = TaskSlots<ModelSync, 4>;
  using Slot = std::uint16_t;

  Chains() {
    for (Slot& slot : kept) slot = Take(0);
    // With the first four the store is full; the fifth returns a chain.
    for (int i = 0; i < 6; ++i) slots.Give(stores[0], kept[i]);
  }
  Slot Take(int t) {
    const Call call("Take");
    const Slot slot = slots.Take(stores[t]);
    if (slot != Slots::kNone) slots[slot].work.set({});
    return slot;
  }
  void Thread(int t) {
    if (t == 0) {
      // Returns another chain.
      const Call call("Give");
      for (int i = 6; i < 8; ++i) slots.Give(stores[0], kept[i]);
    } else {
      // For the third one there may be no chain yet.
      for (Slot& slot : taken) slot = Take(1);
    }
  }
  void After() {
    for (const Slot slot : taken) {
      if (slot != Slots::kNone) slots.Give(stores[1], slot);
    }
    for (auto& store : stores) slots.GiveAll(store);
    std::uint32_t had = 0;
    Slots::Store store;
    for (Slot slot = slots.Take(store); slot != Slots::kNone; slot = slots.Take(store)) {
      had |= 1u << slot;
    }
    Check(had == (1u << slots.size()) - 1, "every slot is given back once");
  }

  Slots slots{0, kThreads};
  Slots::Store stores[kThreads];
  Slot kept[8] = {}, taken[3] = {};
};
const Scenario<Chains> chains({
    .name = "chains",
    .promise = "slots that go in chains have one owner at a time",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two runs of an idempotent task: its dependent comes after the run that counts, and is run once.
// The task's slot is given back once.
struct RunTwice : TwoThreads {
  RunTwice() {
    twice = workers[0].Create({.work = {&RunWork, &ignored}, .kind = TaskKind::kIdempotent});
    workers[0].Create({.work = {&RunWork, &after}, .dependency = twice});
    after.before[0] = &result;
    workers[0].SubmitAll();
    Check(workers[0].TryStart(twice), "a ready task starts");
  }
  void Thread(int t) {
    if (t == 0 || workers[1].TryStartAgain(twice))
      last[t] = workers[t].RunIdempotent(twice, result);
    workers[t].RunReady();
  }
  void After() {
    Check(result.mark.get() == 1 && after.mark.get() == 1, kOnce);
    Check(last[0] != last[1], "one run is the last");
    CheckSlots(*this);
  }

  Work ignored, result, after;
  TaskId twice;
  bool last[2] = {};
};
const Scenario<RunTwice> run_twice({
    .name = "run_twice",
    .promise = "of two runs the first counts, and the last gives the slot back",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
