// Random graphs on several threads with a queue under a mutex: each task runs exactly once or is
// cancelled, after what it depends on with all of that one's children, and everything completes.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "src/jobs/task_graph.h"
#include "tests/jobs/ready_queue.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

using Graph = TaskGraph<StdSync, 4>;

struct Stress;

// A task's record of itself. `runs` is plain: reading that of an earlier task is a data race if the
// graph does not order the two.
struct Node {
  Stress* stress = nullptr;
  TaskId id;
  Node* dependency = nullptr;
  std::vector<Node*> children;  // those that its creator gave it
  bool spawns = false;          // makes tasks and waits for them
  bool cancelled = false;       // written by its creator's thread before it is submitted
  int runs = 0;
};

struct Stress {
  Stress(std::uint32_t threads, std::uint32_t capacity) : graph({capacity, threads, 1}) {
    for (std::uint32_t i = 0; i < threads; ++i) {
      callers.push_back(std::make_unique<Graph::Thread>(graph, static_cast<std::uint16_t>(i)));
    }
  }

  static void Run(void* data) {
    auto& node = *static_cast<Node*>(data);
    if (node.dependency != nullptr) node.stress->CheckDone(*node.dependency);
    ++node.runs;
    if (node.spawns) node.stress->SpawnAndWait();
  }

  // It and all below it are done: the caller comes after its completion.
  void CheckDone(const Node& node) {
    if (node.runs != (node.cancelled ? 0 : 1)) {
      wrong.Add("a task ended with so many runs, cancelled or not", node.runs, node.cancelled);
    }
    for (const Node* child : node.children) CheckDone(*child);
  }

  // A task makes a few of its own, below an empty one, and waits for that: it helps with nothing
  // else.
  void SpawnAndWait() {
    Graph::Thread& me = *here;
    Node nodes[3];
    const auto top = graph.Create(me, {}, queue);
    if (!top) {
      ++refused;
      return;
    }
    TaskId previous;
    for (Node& node : nodes) {
      node.stress = this;
      const auto id =
          graph.Create(me, {.work = {&Run, &node}, .parent = *top, .dependency = previous}, queue);
      if (!id) {
        ++refused;
        node.cancelled = true;
        continue;
      }
      previous = *id;
    }
    Wait(me, *top);
    for (const Node& node : nodes) CheckDone(node);
  }

  void Wait(Graph::Thread& me, TaskId task) {
    if (!graph.BeginWait(me, task, queue)) {
      wrong.Add("a wait is refused");
      return;
    }
    Doing::Now("waits for a task, and helps");
    while (!graph.IsComplete(task)) {
      if (me.current().IsTask()) {
        if (const auto found = graph.FindHelp(me, task, 0)) {
          RunStarted(graph, me, *found, queue);
          continue;
        }
      } else if (queue.RunOne(graph, me)) {
        continue;
      }
      std::this_thread::yield();
    }
    graph.EndWait(me);
    Doing::Now("makes tasks");
  }

  Graph graph;
  std::vector<std::unique_ptr<Graph::Thread>> callers;
  ReadyQueue queue;
  Findings wrong;
  std::atomic<int> refused{0};
  static thread_local Graph::Thread* here;
};
thread_local Graph::Thread* Stress::here = nullptr;

// One creator's tasks, in random order of calls. `strangers`: tasks that others have submitted
// before.
class RandomTasks {
 public:
  RandomTasks(Stress& stress, std::uint32_t seed, std::size_t count)
      : stress_(stress), random_(seed), nodes_(count) {}

  TaskId Make(Graph::Thread& me, const std::vector<TaskId>& strangers) {
    Graph& graph = stress_.graph;
    const auto top = graph.Create(me, {}, stress_.queue);
    if (!top) {
      ++stress_.refused;
      return TaskId();
    }
    for (Node& node : nodes_) {
      node.stress = &stress_;
      node.spawns = random_() % 4 == 0;
      const auto id = graph.Create(me,
                                   {.work = {&Stress::Run, &node},
                                    .dependency = strangers.empty() || random_() % 4 != 0
                                                      ? TaskId()
                                                      : strangers[random_() % strangers.size()],
                                    .priority = static_cast<std::uint8_t>(random_() % 4)},
                                   stress_.queue);
      if (!id) {
        ++stress_.refused;
        node.cancelled = true;
        continue;
      }
      node.id = *id;
      Link(me, node, *top);
    }
    graph.SubmitAll(me, stress_.queue);
    return *top;
  }
  void CheckDone() {
    for (const Node& node : nodes_) stress_.CheckDone(node);
  }

 private:
  // Edges may be refused because of a cycle; the random graph is then what was not refused.
  void Link(Graph::Thread& me, Node& node, TaskId top) {
    Graph& graph = stress_.graph;
    Node& other = nodes_[random_() % nodes_.size()];
    if (other.id.IsTask() && random_() % 2 == 0 &&
        graph.SetDependency(me, node.id, other.id).has_value()) {
      node.dependency = &other;
    }
    Node& parent = nodes_[random_() % nodes_.size()];
    if (parent.id.IsTask() && random_() % 3 == 0 &&
        graph.AddChild(me, parent.id, node.id, stress_.queue).has_value()) {
      parent.children.push_back(&node);
    } else if (!graph.AddChild(me, top, node.id, stress_.queue)) {
      stress_.wrong.Add("a child is refused");
    }
    if (random_() % 8 == 0) {
      const auto cancelled = graph.Cancel(me, node.id, stress_.queue);
      node.cancelled = cancelled.has_value() && *cancelled;
    }
  }

  Stress& stress_;
  std::mt19937 random_;
  std::vector<Node> nodes_;
};

void RunRounds(std::uint32_t threads, std::uint32_t capacity, int rounds) {
  const std::uint32_t seed = 20100325;
  CAPTURE(seed, threads, capacity);
  Stress stress(threads, capacity);
  // The latest submitted task of each thread, for the others to depend on.
  std::vector<std::atomic<std::uint64_t>> latest(threads);
  Together(threads, [&](std::uint32_t t) {
    Graph::Thread& me = *stress.callers[t];
    Stress::here = &me;
    for (int round = 0; round < rounds; ++round) {
      RandomTasks tasks(stress, seed + t * 1000 + static_cast<std::uint32_t>(round), 24);
      std::vector<TaskId> strangers;
      for (const auto& id : latest) {
        const auto task = TaskId::FromBits(id.load(std::memory_order::acquire));
        if (task.IsTask()) strangers.push_back(task);
      }
      const TaskId top = tasks.Make(me, strangers);
      if (!top.IsTask()) continue;
      latest[t].store(top.bits(), std::memory_order::release);
      stress.Wait(me, top);
      tasks.CheckDone();
    }
  });
  REQUIRE(stress.wrong.Words() == "");
  // The rest are entries of tasks that a helper was faster to start.
  while (const auto task = stress.queue.TryPop()) REQUIRE_FALSE(stress.graph.TryStart(task->id));
  WARN(threads << " threads, capacity " << capacity << ": " << stress.refused
               << " refused for lack of room");
}

TEST_CASE("random graphs with nested waits, four threads") { RunRounds(4, 512, 1000); }
TEST_CASE("random graphs with nested waits, eight threads") { RunRounds(8, 1024, 300); }
TEST_CASE("random graphs in a graph that is often full") { RunRounds(4, 100, 500); }

// Many threads' tasks depend on one that completes meanwhile.
TEST_CASE("registering with a task that completes, over and over in the same slots") {
  constexpr std::uint32_t kThreads = 4;
  constexpr int kRounds = 5000;
  Stress stress(kThreads, 64);
  std::atomic<std::uint64_t> current{0};
  Together(kThreads, [&](std::uint32_t t) {
    Graph::Thread& me = *stress.callers[t];
    for (int round = 0; round < kRounds; ++round) {
      Node node;
      node.stress = &stress;
      const auto dependency = TaskId::FromBits(current.load(std::memory_order::acquire));
      const auto id = stress.graph.Create(
          me, {.work = {&Stress::Run, &node}, .dependency = dependency}, stress.queue);
      if (!id) continue;
      stress.graph.SubmitAll(me, stress.queue);
      if (t == 0) current.store(id->bits(), std::memory_order::release);
      stress.Wait(me, *id);
      if (node.runs != 1)
        stress.wrong.Add("a task ended with so many runs: round", node.runs, round);
    }
  });
  REQUIRE(stress.wrong.Words() == "");
}

}  // namespace
}  // namespace nowait
