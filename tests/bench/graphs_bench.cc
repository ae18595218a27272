// Graphs of tasks beside oneTBB's flow graph, both made once and run again and again; frames beside
// its task groups; and priorities from the critical path beside fixed ones.
//
// Names as in tasks_bench.cc: "ours" is a TaskPool, "baseline" is oneTBB with as many threads, the
// caller's included, or what the name says.
#include "tests/bench/graphs_bench.h"

#include <benchmark/benchmark.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/bench/busy.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

std::uint32_t Threads(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

struct Ours {
  explicit Ours(const benchmark::State& state)
      : pool(MakePool({.workers = Threads(state) - 1, .capacity = 8192})),
        here(*pool->Register("main")) {}
  const std::unique_ptr<TaskPool> pool;
  TaskPool::Registration here;
};

// A graph of tasks that do nothing: for each, the earlier ones that it comes after.
using Edges = std::vector<std::vector<std::uint32_t>>;

// One task, so many behind it, and one behind these; and again, in a row.
Edges Diamonds(std::uint32_t width) {
  Edges edges;
  std::vector<std::uint32_t> last;
  for (int diamond = 0; diamond < 16; ++diamond) {
    edges.push_back(last);
    const auto first = static_cast<std::uint32_t>(edges.size() - 1);
    last.clear();
    for (std::uint32_t i = 0; i < width; ++i) {
      last.push_back(static_cast<std::uint32_t>(edges.size()));
      edges.push_back({first});
    }
    edges.push_back(last);
    last = {static_cast<std::uint32_t>(edges.size() - 1)};
  }
  return edges;
}

// A square of cells, each of which comes after the one on its left and the one above it.
Edges Wavefront(std::uint32_t side) {
  Edges edges;
  for (std::uint32_t i = 0; i < side * side; ++i) {
    edges.emplace_back();
    if (i % side != 0) edges.back().push_back(i - 1);
    if (i >= side) edges.back().push_back(i - side);
  }
  return edges;
}

void GraphOurs(benchmark::State& state, const Edges& edges) {
  Ours ours(state);
  std::size_t links = 0;
  for (const auto& after : edges) links += after.size();
  TaskPlan plan(static_cast<std::uint32_t>(edges.size()), static_cast<std::uint32_t>(links));
  for (const auto& after : edges) {
    if (!plan.Add([] {}, after)) state.SkipWithError("the plan is full");
  }
  for (auto _ : state) {
    const auto run = plan.AddTo(*ours.pool);
    if (!run || !ours.pool->Wait(*run)) state.SkipWithError("the run is refused");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges.size()));
}
void GraphTbb(benchmark::State& state, const Edges& edges) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  for (const auto& after : edges) {
    nodes.push_back(std::make_unique<Node>(graph, [](const tbb::flow::continue_msg&) {}));
    for (const std::uint32_t one : after) tbb::flow::make_edge(*nodes[one], *nodes.back());
  }
  for (auto _ : state) {
    nodes.front()->try_put({});
    graph.wait_for_all();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges.size()));
}

constexpr std::uint32_t kStages = 10, kOfStage = 200;

// A frame: stages one behind the other, each with tasks of about a microsecond.
void FrameOurs(benchmark::State& state) {
  Ours ours(state);
  for (auto _ : state) {
    TaskId stage;
    for (std::uint32_t i = 0; i < kStages; ++i) {
      const TaskId next = ours.pool->AddOrEnd(TaskDef());
      for (std::uint32_t j = 0; j < kOfStage; ++j) {
        ours.pool->AddOrEnd([] { Busy(1); }, {.parent = next, .dependency = stage});
      }
      stage = next;
    }
    if (!ours.pool->Wait(stage)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * kStages * kOfStage);
}
void FrameTbb(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_group group;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kStages; ++i) {
      for (std::uint32_t j = 0; j < kOfStage; ++j) group.run([] { Busy(1); });
      group.wait();
    }
  }
  state.SetItemsProcessed(state.iterations() * kStages * kOfStage);
}

// Frames of tasks of 1 to 60 microseconds, where each task comes after at most one of the 24 before
// it. by_path: a task has the priority of the longest row of work that begins with it, as the last
// frame has shown it; otherwise all have the same.
void PathFrames(benchmark::State& state, bool by_path) {
  constexpr std::uint32_t kTasks = 240, kReach = 24;
  struct Work {
    std::uint32_t length, after;
    std::uint8_t priority;
  };
  Random random(21);
  std::vector<Work> work(kTasks);
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    const std::uint32_t back = 1 + random.Below(kReach);
    work[i] = {1 + random.Below(60), back <= i ? i - back : kTasks, 1};
  }
  std::vector<std::uint32_t> to_end(kTasks);
  const auto set_priorities = [&] {
    std::uint32_t longest = 0;
    std::fill(to_end.begin(), to_end.end(), 0u);
    for (std::uint32_t i = kTasks; i-- > 0;) {
      to_end[i] += work[i].length;
      longest = std::max(longest, to_end[i]);
      if (work[i].after != kTasks) {
        to_end[work[i].after] = std::max(to_end[work[i].after], to_end[i]);
      }
    }
    for (std::uint32_t i = 0; i < kTasks; ++i) {
      work[i].priority = static_cast<std::uint8_t>(2 - std::min(2u, 3 * to_end[i] / longest));
    }
  };
  Ours ours(state);
  std::vector<TaskId> tasks(kTasks);
  for (auto _ : state) {
    if (by_path) set_priorities();
    const TaskId all = ours.pool->AddOrEnd(TaskDef());
    for (std::uint32_t i = 0; i < kTasks; ++i) {
      const TaskId before = work[i].after == kTasks ? TaskId() : tasks[work[i].after];
      tasks[i] =
          ours.pool->AddOrEnd([length = work[i].length] { Busy(length); },
                              {.parent = all, .dependency = before, .priority = work[i].priority});
    }
    if (!ours.pool->Wait(all)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * kTasks);
}

template <class Call>
void RegisterOne(const std::string& name, const Call& call, bool alone_too = true) {
  auto* made = benchmark::RegisterBenchmark(name.c_str(), call)->UseRealTime();
  if (alone_too) made->Arg(1);
  made->Arg(2);
}

}  // namespace

void RegisterGraphs() {
  const std::pair<std::string, Edges> graphs[] = {{"diamonds_16", Diamonds(16)},
                                                  {"wavefront_32", Wavefront(32)}};
  for (const auto& [name, edges] : graphs) {
    RegisterOne(name + "/ours",
                [edges = edges](benchmark::State& state) { GraphOurs(state, edges); });
    RegisterOne(name + "/baseline",
                [edges = edges](benchmark::State& state) { GraphTbb(state, edges); });
  }
  RegisterOne("frame_10_by_200/ours", FrameOurs);
  RegisterOne("frame_10_by_200/baseline", FrameTbb);
  // Beside one priority for all.
  const auto path = [](bool by_path) {
    return [by_path](benchmark::State& state) { PathFrames(state, by_path); };
  };
  RegisterOne("critical_path/ours", path(true), false);
  RegisterOne("critical_path/baseline", path(false), false);
}

}  // namespace nowait
