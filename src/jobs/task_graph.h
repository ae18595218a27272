// TaskGraph: open tasks and what they wait for, without threads or queues. A ready task is passed
// to a callback, and the thread that runs it reports that.
//
//   auto walk = graph.Create(me, {.work = {&Animate, world}}, ready);
//   auto draw = graph.Create(me, {.work = {&Draw, world}}, ready);
//   auto done = graph.Create(me, {}, ready);                  // empty: complete with its children
//   if (!walk || !draw || !done) ...                          // the graph is full
//   auto linked = graph.SetDependency(me, *draw, *walk);
//   if (linked) linked = graph.AddChild(me, *done, *draw, ready);
//   if (!linked) ...                                          // it would close a cycle
//   graph.SubmitAll(me, ready);                               // ready({walk, ...}), then draw
//
// A task starts when its dependency is complete. It is complete when its work is done and all its
// children are complete.
//
// Thread safety: each thread with its Thread, any time; create these before and destroy them after.
// Ready callbacks run inside the calls that are given one, on the same thread.
// Progress: lock-free. The cost of a step does not depend on how many tasks are open, but for
// completions (in proportion to what they complete) and walks (task_links.h, FindHelp).
// Errors: kCapacity (open tasks), kStaleId (an id of a completed task where an open one is needed),
// kCycle (subject: the edge), kNotOwner (held or created by another), kWrongPhase (already
// submitted, or too late for this), kInvalidArgument (another graph's id, a second parent).
//
// Source: [bitsquid2010], the tasks. Leapfrogging [wagner1993] also helps only with the awaited
// task. Model: models/jobs/task_graph. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_GRAPH_H_
#define NOWAIT_SRC_JOBS_TASK_GRAPH_H_

#include <cstdint>

#include "src/jobs/task_waits.h"
#include "src/sync/policy.h"

namespace nowait {

// The layers, from below, each in terms of the ones before it:
//
//   open_tasks.h   the slots, each thread's place, and the questions about one task
//   task_ends.h    items are taken off, tasks are completed, slots are given back
//   held_tasks.h   SubmitAll, Submit, Cancel
//   task_links.h   Create, SetDependency, AddChild; why cycles are found
//   task_runs.h    Enter and Finish; the answers of devices
//   task_waits.h   BeginWait, FindHelp; why nothing is deadlocked
template <class Sync = EngineSync, std::uint32_t kStore = 32>
class TaskGraph : public TaskWaits<Sync, kStore> {
  using Lower = TaskWaits<Sync, kStore>;

 public:
  using Lower::Lower;
};

// Promise: each submitted task is passed to ready once, when nothing holds it (an empty or
// cancelled one is completed instead). It is started or cancelled by exactly one call, and is
// complete when its work and children are; an IsComplete after that has everything that they did
// before it. The calls that would close a cycle are refused. So every task is completed if threads
// take the ready tasks, and a waiting one takes what FindHelp gives (task_waits.h).

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_GRAPH_H_
