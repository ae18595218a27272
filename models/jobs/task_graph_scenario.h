// Shared by the scenarios of task_graph: tasks' work, and threads with their part of the graph,
// whose calls are checked and named.
//
// Promise checked: every submitted task is handed out once, when its dependency is complete, and
// sees the dependency's work (each task's work is plain data). A complete task's children are all
// complete. Help is found only among the tasks that the waiting task needs, also while that
// completes and its slots go on to other tasks. Of calls that together close a cycle at least one
// is refused, whichever threads make them.
//
// Examined: every execution of two threads, and of three where one thread's work is to be
// found. The words of a slot have models of their own (task_completion, task_state), with more
// threads.
#ifndef NOWAIT_MODELS_JOBS_TASK_GRAPH_SCENARIO_H_
#define NOWAIT_MODELS_JOBS_TASK_GRAPH_SCENARIO_H_

#include <cstdint>
#include <optional>

#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_graph.h"
#include "src/jobs/task_id.h"

namespace nowait {

using model::Call;
using model::Check;

using Graph = TaskGraph<ModelSync, 1>;

inline constexpr const char* kOnce = "each task is run exactly once";

// A task's work: it reads the marks of the works before it, and leaves a mark.
struct Work {
  void Run() {
    for (Work* work : before) {
      if (work != nullptr) Check(work->mark.get() == 1, "a dependency is done before");
    }
    mark.set(mark.get() + 1);
  }
  Work* before[2] = {};
  ModelSync::plain<int> mark{0};
};
inline void RunWork(void* data) { static_cast<Work*>(data)->Run(); }

// A thread with the tasks that have become ready on it.
class Worker {
 public:
  Worker(Graph& graph, std::uint16_t number) : graph_(graph), thread_(graph, number) {}

  TaskId Create(const TaskDef& def) {
    const Call call("Create");
    const auto task = graph_.Create(thread_, def, *this);
    Check(task.has_value(), "there is room for a task");
    return *task;
  }
  TaskId Create(Work& work) { return Create({.work = {&RunWork, &work}}); }
  Result<TaskId> TryCreate(const TaskDef& def) {
    const Call call("Create");
    return graph_.Create(thread_, def, *this);
  }
  void DependsOn(TaskId task, TaskId dependency) {
    const Call call("SetDependency");
    Check(graph_.SetDependency(thread_, task, dependency).has_value(),
          "no cycle is reported where there is no cycle");
  }
  bool TryDependsOn(TaskId task, TaskId dependency) {
    const Call call("SetDependency");
    return graph_.SetDependency(thread_, task, dependency).has_value();
  }
  bool AddChild(TaskId parent, TaskId child) {
    const Call call("AddChild");
    return graph_.AddChild(thread_, parent, child, *this).has_value();
  }
  void SubmitAll() {
    const Call call("SubmitAll");
    graph_.SubmitAll(thread_, *this);
  }
  bool Cancel(TaskId task) {
    const Call call("Cancel");
    return *graph_.Cancel(thread_, task, *this);
  }
  std::uint32_t CancelGroup(TaskId task) {
    const Call call("CancelGroup");
    return *graph_.CancelGroup(thread_, task, *this);
  }
  bool BeginWait(TaskId task) {
    const Call call("BeginWait");
    return graph_.BeginWait(thread_, task, *this).has_value();
  }
  std::optional<TaskId> FindHelp(TaskId task) {
    const Call call("FindHelp");
    return graph_.FindHelp(thread_, task, 0, &cursor_);
  }
  bool IsNeeded(TaskId waiting, TaskId task) {
    const Call call("IsNeeded");
    return graph_.IsNeeded(thread_, waiting, task);
  }
  void EndWait() {
    const Call call("EndWait");
    graph_.EndWait(thread_);
  }

  void Submit(TaskId task) {
    const Call call("Submit");
    Check(graph_.Submit(thread_, task, *this).has_value(), "its holder submits it");
  }
  void CompleteExternal(TaskId task) {
    const Call call("CompleteExternal");
    Check(graph_.CompleteExternal(thread_, task, *this).has_value(), "the device is done once");
  }
  // Starts all tasks that are ready here, as devices do.
  void TakeReady() {
    while (count_ != 0) Check(graph_.TryStart(ready_[--count_]), "a ready task starts");
  }

  // Others find the ready tasks by themselves.
  void ForgetReady() { count_ = 0; }

  void operator()(const ReadyTask& task) {
    Check(count_ < 4, "no task is ready twice");
    ready_[count_++] = task.id;
  }
  // Runs the tasks that have become ready here.
  void RunReady() {
    while (count_ != 0) {
      const TaskId task = ready_[--count_];
      if (TryStart(task)) Run(task);
    }
  }
  bool TryStart(TaskId task) {
    const Call call("TryStart");
    return graph_.TryStart(task);
  }
  Graph::Place Enter(TaskId task) { return graph_.Enter(thread_, task); }
  void Finish(const Graph::Place& outer) {
    const Call call("Finish");
    graph_.Finish(thread_, outer, *this);
  }
  bool TryStartAgain(TaskId task) {
    const Call call("TryStartAgain");
    return graph_.TryStartAgain(task);
  }
  // One of two runs; returns whether it was the last.
  bool RunIdempotent(TaskId task, Work& result) {
    const Graph::Place outer = Enter(task);
    const bool won = graph_.TryCommit(thread_);
    if (won) result.Run();
    const Call call("Finish");
    return graph_.Finish(thread_, outer, *this, won);
  }
  void Run(TaskId task) {
    const Graph::Place outer = Enter(task);
    const Job work = graph_.WorkOf(task);
    work.function(work.data);
    Finish(outer);
  }
  // The same, and keeps the parent's item back if that helps.
  void RunAndKeep(TaskId task, bool fails = false) {
    if (graph_.KeepsOther(thread_, task)) Settle();
    const Graph::Place outer = Enter(task);
    const Job work = graph_.WorkOf(task);
    work.function(work.data);
    if (fails) graph_.MarkFailed(task);
    const Call call("FinishAndKeep");
    graph_.FinishAndKeep(thread_, outer, *this);
  }
  void Settle() {
    const Call call("Settle");
    graph_.Settle(thread_, *this);
  }

 private:
  Graph& graph_;
  Graph::Thread thread_;
  Graph::Cursor cursor_;
  TaskId ready_[4];
  int count_ = 0;
};

struct TwoThreads {
  static constexpr int kThreads = 2;

  explicit TwoThreads(std::uint32_t capacity = 2)
      : slots(capacity + kThreads), graph({capacity, kThreads, 1}) {}

  const std::uint32_t slots;  // a thread's store holds one
  Graph graph;
  Worker workers[2] = {{graph, 0}, {graph, 1}};
};

// When all tasks are complete, each slot can be had once, from either thread's store.
inline void CheckSlots(TwoThreads& all) {
  std::uint32_t had = 0, count = 0;
  for (Worker& worker : all.workers) {
    for (auto task = worker.TryCreate({}); task; task = worker.TryCreate({})) {
      had |= 1u << task->slot();
      ++count;
    }
  }
  Check(count == all.slots && had == (1u << all.slots) - 1, "every slot is given back once");
}

}  // namespace nowait

#endif  // NOWAIT_MODELS_JOBS_TASK_GRAPH_SCENARIO_H_
