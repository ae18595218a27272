// A graph for tests, with two threads, a queue, and tasks that write letters.
//
// Thread safety: one thread.
#ifndef NOWAIT_TESTS_JOBS_GRAPH_FIXTURE_H_
#define NOWAIT_TESTS_JOBS_GRAPH_FIXTURE_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <string>

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/task_graph.h"
#include "src/sync/policy.h"
#include "tests/jobs/ready_queue.h"

namespace nowait {

using Graph = TaskGraph<StdSync, 2>;

// Tasks that write their letter.
class Alphabet {
 public:
  Job Write(char letter) {
    letters_.push_back({this, letter});
    return {&Run, &letters_.back()};
  }
  const std::string& written() const { return written_; }

 private:
  struct Letter {
    Alphabet* alphabet;
    char letter;
  };
  static void Run(void* data) {
    auto& letter = *static_cast<Letter*>(data);
    letter.alphabet->written_ += letter.letter;
  }
  std::deque<Letter> letters_;
  std::string written_;
};

struct GraphFixture {
  explicit GraphFixture(std::uint32_t capacity = 16) : graph({capacity, 2, 5}) {}

  TaskId Add(char letter) { return Add({.work = alphabet.Write(letter)}); }
  TaskId Add(const TaskDef& def) {
    const auto task = graph.Create(main, def, queue);
    REQUIRE(task);
    return *task;
  }
  TaskId AddEmpty() { return Add(TaskDef{}); }
  void DependsOn(TaskId task, TaskId dependency) {
    REQUIRE(graph.SetDependency(main, task, dependency));
  }
  void AddChild(TaskId parent, TaskId child) {
    REQUIRE(graph.AddChild(main, parent, child, queue));
  }
  void Submit(TaskId task) { REQUIRE(graph.Submit(main, task, queue)); }

  void RunAll() {
    while (queue.RunOne(graph, main)) {
    }
  }
  // The wait of a thread outside all tasks.
  void Wait(TaskId task) {
    REQUIRE(graph.BeginWait(main, task, queue));
    while (!graph.IsComplete(task)) REQUIRE(queue.RunOne(graph, main));
    graph.EndWait(main);
  }

  Graph graph;
  Graph::Thread main{graph, 0};
  Graph::Thread other{graph, 1};
  ReadyQueue queue;
  Alphabet alphabet;
};

template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

// Runs `body` as the work of a task.
template <class Body>
void Within(GraphFixture& tasks, TaskId task, const Body& body) {
  REQUIRE(tasks.graph.TryStart(task));
  const auto outer = tasks.graph.Enter(tasks.main, task);
  body();
  tasks.graph.Finish(tasks.main, outer, tasks.queue);
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_JOBS_GRAPH_FIXTURE_H_
