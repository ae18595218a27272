// Random calls on a task graph, each compared with a plain oracle of the blog's rules: what a task
// needs, what is refused and why, what is ready, what is complete.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "src/jobs/task_graph.h"
#include "tests/jobs/ready_queue.h"

namespace nowait {
namespace {

using Graph = TaskGraph<StdSync, 2>;
constexpr int kNobody = -1;

void Nothing(void*) {}

struct OracleTask {
  int creator = 0;
  bool has_work = true;
  int parent = kNobody;
  int dependency = kNobody;
  bool held = true;
  bool cancelled = false;
  bool done = false;  // its own work
};

class Oracle {
 public:
  std::vector<OracleTask> tasks;

  bool IsComplete(int t) const {
    if (!At(t).done) return false;
    for (int i = 0; i < Count(); ++i) {
      if (At(i).parent == t && !IsComplete(i)) return false;
    }
    return true;
  }
  bool IsFree(int t) const {
    return !At(t).held && (At(t).dependency == kNobody || IsComplete(At(t).dependency));
  }
  bool CanStart(int t) const {
    return IsFree(t) && At(t).has_work && !At(t).cancelled && !At(t).done;
  }
  // A task without work is done as soon as it is free, which may free others.
  void Settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (int t = 0; t < Count(); ++t) {
        if (At(t).done || !IsFree(t) || (At(t).has_work && !At(t).cancelled)) continue;
        tasks[static_cast<std::size_t>(t)].done = changed = true;
      }
    }
  }
  bool NeedsDirectly(int t, int other) const {
    return !IsComplete(t) && !IsComplete(other) &&
           (At(other).parent == t || At(t).dependency == other);
  }
  // Whether t needs `other`, or is it. The relation has no cycle: the walk ends.
  bool Needs(int t, int other) const {
    if (t == other) return true;
    for (int i = 0; i < Count(); ++i) {
      if (NeedsDirectly(t, i) && Needs(i, other)) return true;
    }
    return false;
  }

  // A refusal, if the call is to be refused.
  std::optional<ErrorCode> Depend(int by, int t, int dependency) const {
    if (!At(t).held) return ErrorCode::kWrongPhase;
    if (At(t).creator != by) return ErrorCode::kNotOwner;
    if (IsAnothers(by, dependency)) return ErrorCode::kNotOwner;
    if (At(t).dependency != kNobody) return ErrorCode::kInvalidArgument;
    if (t == dependency || Needs(dependency, t)) return ErrorCode::kCycle;
    if (IsLate(t, dependency)) return ErrorCode::kWrongPhase;
    return std::nullopt;
  }
  std::optional<ErrorCode> AddChild(int by, int parent, int child) const {
    if (!At(child).held) return ErrorCode::kWrongPhase;
    if (At(child).creator != by) return ErrorCode::kNotOwner;
    if (parent == child) return ErrorCode::kCycle;
    if (At(child).parent != kNobody) return ErrorCode::kInvalidArgument;
    if (IsAnothers(by, parent)) return ErrorCode::kNotOwner;
    if (IsComplete(parent)) return ErrorCode::kStaleId;
    if (Needs(child, parent)) return ErrorCode::kCycle;
    return std::nullopt;
  }
  std::optional<ErrorCode> Submit(int by, int t) const {
    if (!At(t).held) return ErrorCode::kWrongPhase;
    if (At(t).creator != by) return ErrorCode::kNotOwner;
    return std::nullopt;
  }
  bool IsAnothers(int by, int t) const { return At(t).held && At(t).creator != by; }

  int Count() const { return static_cast<int>(tasks.size()); }
  const OracleTask& At(int t) const { return tasks[static_cast<std::size_t>(t)]; }

 private:
  // A submitted task needs t already, and would need something new through it.
  bool IsLate(int t, int dependency) const {
    for (int x = 0; x < Count(); ++x) {
      if (!At(x).held || !Needs(x, t)) continue;
      for (int y = 0; y < Count(); ++y) {
        if (At(y).held || !NeedsDirectly(y, x)) continue;
        if (!At(dependency).held || At(dependency).parent != y) return true;
      }
    }
    return false;
  }
};

class Comparison {
 public:
  explicit Comparison(std::uint32_t seed) : random_(seed) {}

  void Step() {
    const int by = Pick(2);
    const int count = oracle_.Count();
    if (count == 0 || Pick(4) == 0) {
      Create(by);
    } else {
      switch (Pick(6)) {
        case 0:
          return Depend(by, Pick(count), Pick(count));
        case 1:
        case 2:
          return AddChild(by, Pick(count), Pick(count));
        case 3:
          return Submit(by, Pick(count));
        case 4:
          return Pick(4) == 0 ? Cancel(by, Pick(count)) : Submit(by, Pick(count));
        default:
          Run(by);
      }
    }
  }
  void CheckAll() {
    oracle_.Settle();
    for (int t = 0; t < oracle_.Count(); ++t) {
      REQUIRE(graph_.IsComplete(Id(t)) == oracle_.IsComplete(t));
    }
  }
  // Submits and runs everything: without cycles all of it completes.
  void Drain() {
    for (Graph::Thread* thread : {&threads_[0], &threads_[1]}) graph_.SubmitAll(*thread, queue_);
    for (OracleTask& task : oracle_.tasks) task.held = false;
    oracle_.Settle();
    while (!queue_.empty()) Run(0);
    CheckAll();
    for (int t = 0; t < oracle_.Count(); ++t) REQUIRE(oracle_.IsComplete(t));
  }

 private:
  int Pick(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }
  TaskId Id(int t) const { return ids_[static_cast<std::size_t>(t)]; }
  OracleTask& Task(int t) { return oracle_.tasks[static_cast<std::size_t>(t)]; }

  void Create(int by) {
    OracleTask task{.creator = by, .has_work = Pick(4) != 0};
    const auto id = graph_.Create(threads_[by],
                                  {.work = {task.has_work ? &Nothing : nullptr, nullptr}}, queue_);
    REQUIRE(id);
    ids_.push_back(*id);
    oracle_.tasks.push_back(task);
  }
  void Depend(int by, int t, int dependency) {
    const auto refused = oracle_.Depend(by, t, dependency);
    Compare(t, refused, graph_.SetDependency(threads_[by], Id(t), Id(dependency)));
    if (!refused) Task(t).dependency = dependency;
  }
  void AddChild(int by, int parent, int child) {
    const auto refused = oracle_.AddChild(by, parent, child);
    Compare(child, refused, graph_.AddChild(threads_[by], Id(parent), Id(child), queue_));
    if (!refused) Task(child).parent = parent;
  }
  void Submit(int by, int t) {
    const auto refused = oracle_.Submit(by, t);
    Compare(t, refused, graph_.Submit(threads_[by], Id(t), queue_));
    if (!refused) Task(t).held = false;
  }
  void Cancel(int by, int t) {
    const auto cancelled = graph_.Cancel(threads_[by], Id(t), queue_);
    if (oracle_.IsAnothers(by, t)) {
      REQUIRE(cancelled.error().code == ErrorCode::kNotOwner);
      return;
    }
    const OracleTask& task = oracle_.At(t);
    REQUIRE(*cancelled == (task.has_work && !task.cancelled && !task.done));
    if (*cancelled) Task(t).cancelled = true;
  }
  void Run(int by) {
    const auto ready = queue_.TryPop();
    if (!ready) {
      for (int t = 0; t < oracle_.Count(); ++t) REQUIRE_FALSE(oracle_.CanStart(t));
      return;
    }
    const int t = static_cast<int>(std::find(ids_.begin(), ids_.end(), ready->id) - ids_.begin());
    REQUIRE(graph_.TryStart(ready->id) == oracle_.CanStart(t));
    if (!oracle_.CanStart(t)) return;
    RunStarted(graph_, threads_[by], ready->id, queue_);
    Task(t).done = true;
    oracle_.Settle();
  }
  // Of a task whose slot is another's already the graph only knows that it is stale.
  void Compare(int t, std::optional<ErrorCode> refused, const Result<void>& result) {
    REQUIRE(result.has_value() == !refused);
    if (!refused) return;
    const bool gone = oracle_.IsComplete(t) && result.error().code == ErrorCode::kStaleId;
    REQUIRE((gone || result.error().code == *refused));
  }

  std::mt19937 random_;
  Oracle oracle_;
  Graph graph_{{256, 2, 9}};
  Graph::Thread threads_[2] = {{graph_, 0}, {graph_, 1}};
  ReadyQueue queue_;
  std::vector<TaskId> ids_;
};

TEST_CASE("any order of calls gives what the blog's rules say") {
  const std::uint32_t seed = GENERATE(range(1u, 201u));
  CAPTURE(seed);
  Comparison comparison(seed);
  for (int step = 0; step < 120; ++step) {
    comparison.Step();
    comparison.CheckAll();
  }
  comparison.Drain();
}

}  // namespace
}  // namespace nowait
