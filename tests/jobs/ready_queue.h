// ReadyQueue: the simplest queue of ready tasks, for tests: a list under a mutex, oldest first.
#ifndef NOWAIT_TESTS_JOBS_READY_QUEUE_H_
#define NOWAIT_TESTS_JOBS_READY_QUEUE_H_

#include <deque>
#include <mutex>
#include <optional>

#include "src/jobs/task_def.h"

namespace nowait {

// Runs a task that the caller has started.
template <class Graph, class Ready>
void RunStarted(Graph& graph, typename Graph::Thread& by, TaskId task, Ready& ready) {
  const auto outer = graph.Enter(by, task);
  const Job work = graph.WorkOf(task);
  work.function(work.data);
  graph.Finish(by, outer, ready);
}

class ReadyQueue {
 public:
  void operator()(const ReadyTask& task) {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(task);
  }

  bool empty() const {
    const std::scoped_lock lock(mutex_);
    return tasks_.empty();
  }
  std::optional<ReadyTask> TryPop() {
    const std::scoped_lock lock(mutex_);
    if (tasks_.empty()) return std::nullopt;
    const ReadyTask task = tasks_.front();
    tasks_.pop_front();
    return task;
  }
  ReadyTask Pop() { return TryPop().value(); }

  // Takes the oldest and runs it, unless another thread does. False when the queue was empty.
  template <class Graph>
  bool RunOne(Graph& graph, typename Graph::Thread& by) {
    const auto task = TryPop();
    if (!task) return false;
    if (graph.TryStart(task->id)) RunStarted(graph, by, task->id, *this);
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::deque<ReadyTask> tasks_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_JOBS_READY_QUEUE_H_
