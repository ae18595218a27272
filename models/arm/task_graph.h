// Scenarios of src/jobs/task_graph.h.
#ifndef NOWAIT_MODELS_ARM_TASK_GRAPH_H_
#define NOWAIT_MODELS_ARM_TASK_GRAPH_H_

#include "src/jobs/task_def.h"
#include "src/jobs/task_graph.h"
#include "src/jobs/task_id.h"

namespace nowait::arm {

// A graph with two threads, each of which keeps one free slot.
template <class Sync>
struct TwoInGraph {
  using Graph = TaskGraph<Sync, 1>;

  static constexpr TaskDef kWork = {.work = {[](void*) {}}};

  static void Ignore(const ReadyTask&) {}

  // A task that is not made is no task, and nothing else is done with it.
  TaskId Create(int t, const TaskDef& def) {
    const auto task = graph.Create(threads[t], def, &Ignore);
    return task ? *task : TaskId();
  }
  // A task of thread t, whose work has begun on the thread `on`.
  TaskId Begin(int t, int on) {
    const TaskId task = Create(t, kWork);
    graph.SubmitAll(threads[t], &Ignore);
    outer[on] = graph.TryStart(task) ? graph.Enter(threads[on], task) : typename Graph::Place();
    return task;
  }
  template <class Ready>
  void Finish(int on, const Ready& ready) {
    graph.Finish(threads[on], outer[on], ready);
  }

  Graph graph{{.capacity = 2, .threads = 2, .tag = 1}};
  typename Graph::Thread threads[2] = {{graph, 0}, {graph, 1}};
  typename Graph::Place outer[2];  // where they were before
};

// The child of a task runs. One thread ends it, which completes the task, and the other one looks.
template <class Sync>
struct GraphCompletes : TwoInGraph<Sync> {
  static constexpr const char* kName = "task_graph completes";
  static constexpr const char* kPromise = "a task that is complete shows what its child did";
  static constexpr int kThreads = 2;

  GraphCompletes() {
    all = this->Create(0, {});
    child = this->Create(0, {.work = this->kWork.work, .parent = all});
    this->graph.SubmitAll(this->threads[0], &this->Ignore);
    if (this->graph.TryStart(child)) {
      this->outer[0] = this->graph.Enter(this->threads[0], child);
    }
  }

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      this->Finish(0, &this->Ignore);
      return;
    }
    if (this->graph.IsComplete(all)) found = note.get();
  }
  bool Holds() { return child.IsTask() && this->graph.IsComplete(all) && found == 1; }

  TaskId all, child;
  typename Sync::template plain<int> note{0};
  int found = 1;
};

// One thread makes and submits a task that depends on another one, which ends meanwhile.
template <class Sync>
struct GraphReleases : TwoInGraph<Sync> {
  static constexpr const char* kName = "task_graph releases";
  static constexpr const char* kPromise =
      "a task is ready once, behind its submission and behind what its dependency did";
  static constexpr int kThreads = 2;

  GraphReleases() { first = this->Begin(0, 1); }

  void Thread(int t) {
    notes[t].set(1);
    const auto ready = [&](const ReadyTask& task) {
      started[t] = this->graph.TryStart(task.id);
      found = notes[1 - t].get();
    };
    if (t == 1) return this->Finish(1, ready);
    const TaskDef def = {.work = this->kWork.work, .dependency = first};
    made = this->graph.Create(this->threads[0], def, ready).has_value();
    this->graph.SubmitAll(this->threads[0], ready);
  }
  bool Holds() { return made && started[0] != started[1] && found == 1; }

  TaskId first;
  typename Sync::template plain<int> notes[2];
  bool made = false;
  bool started[2] = {};
  int found = 0;
};

// Two tasks run. Each has made a task that depends on the other one, and makes it its child.
template <class Sync>
struct GraphRefusesCycle : TwoInGraph<Sync> {
  static constexpr const char* kName = "task_graph refuses_cycle";
  static constexpr const char* kPromise = "of two children that close a cycle one is refused";
  static constexpr int kThreads = 2;

  GraphRefusesCycle() {
    for (int t = 0; t < 2; ++t) running[t] = this->Begin(t, t);
    for (int t = 0; t < 2; ++t) child[t] = this->Create(t, {.dependency = running[1 - t]});
  }

  void Thread(int t) {
    added[t] =
        this->graph.AddChild(this->threads[t], running[t], child[t], &this->Ignore).has_value();
  }
  bool Holds() { return child[0].IsTask() && child[1].IsTask() && !(added[0] && added[1]); }

  TaskId running[2];
  TaskId child[2];
  bool added[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_TASK_GRAPH_H_
