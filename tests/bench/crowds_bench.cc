// Tasks that make tasks, on few threads and on too many: an unbalanced tree, short tasks by several
// producers, and fans beside OpenMP's tasks and Boost.Asio's thread pool.
//
// Names as in tasks_bench.cc: "ours" is a TaskPool, "baseline" is oneTBB, or what the name says.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "tests/bench/busy.h"
#include "tests/bench/graphs_bench.h"
#include "tests/bench/tree_search.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

std::uint32_t Threads(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

struct Ours {
  explicit Ours(std::uint32_t threads)
      : pool(MakePool({.workers = threads - 1, .capacity = 16384})),
        here(*pool->Register("main")) {}
  const std::unique_ptr<TaskPool> pool;
  TaskPool::Registration here;
};

// Each node of the tree is a task, below the task of its parent. Now and then a thread takes the
// task that has waited longest (worker_loop.h, Bounds), so that many nodes near the root are open
// at a time. Where the pool is full, a node is visited at once.
struct Search {
  void Visit(const SearchNode& node) {
    nodes.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t children = node.Children();
    if (children == 0) return;
    const TaskId here = *pool.Current();
    for (std::uint32_t i = 0; i < children; ++i) {
      const SearchNode child = node.Child(i);
      if (!pool.Add([this, child] { Visit(child); }, {.parent = here})) Visit(child);
    }
  }
  TaskPool& pool;
  std::atomic<std::uint64_t> nodes{0};
};
void SearchOurs(benchmark::State& state) {
  Ours ours(Threads(state));
  for (auto _ : state) {
    Search search{*ours.pool};
    const TaskId root = ours.pool->AddOrEnd([&search] { search.Visit(SearchNode::Root(kT1Seed)); });
    if (!ours.pool->Wait(root) || search.nodes != kT1Nodes) state.SkipWithError("a wrong tree");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kT1Nodes));
}
void VisitTbb(tbb::task_group& group, std::atomic<std::uint64_t>& nodes, const SearchNode& node) {
  nodes.fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t i = 0, end = node.Children(); i < end; ++i) {
    group.run([&group, &nodes, child = node.Child(i)] { VisitTbb(group, nodes, child); });
  }
}
void SearchTbb(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_group group;
  for (auto _ : state) {
    std::atomic<std::uint64_t> nodes{0};
    group.run([&] { VisitTbb(group, nodes, SearchNode::Root(kT1Seed)); });
    group.wait();
    if (nodes != kT1Nodes) state.SkipWithError("a wrong tree");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kT1Nodes));
}

constexpr std::uint32_t kShort = 1024;  // tasks of all producers

// Tasks of about a microsecond, made by so many tasks.
void ShortOurs(benchmark::State& state, std::uint32_t producers) {
  Ours ours(Threads(state));
  TaskPool& pool = *ours.pool;
  for (auto _ : state) {
    const TaskId all = pool.AddOrEnd(TaskDef());
    for (std::uint32_t i = 0; i < producers; ++i) {
      pool.AddOrEnd(
          [&pool, count = kShort / producers] {
            const TaskId here = *pool.Current();
            for (std::uint32_t j = 0; j < count; ++j) {
              pool.AddOrEnd([] { Busy(1); }, {.parent = here});
            }
          },
          {.parent = all});
    }
    if (!pool.Wait(all)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * kShort);
}
void ShortTbb(benchmark::State& state, std::uint32_t producers) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_group group;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < producers; ++i) {
      group.run([&group, count = kShort / producers] {
        for (std::uint32_t j = 0; j < count; ++j) group.run([] { Busy(1); });
      });
    }
    group.wait();
  }
  state.SetItemsProcessed(state.iterations() * kShort);
}

constexpr std::uint32_t kFan = 256;

void FanOf(benchmark::State& state, std::uint32_t threads) {
  Ours ours(threads);
  for (auto _ : state) {
    const TaskId all = ours.pool->AddOrEnd(TaskDef());
    for (std::uint32_t i = 0; i < kFan; ++i) ours.pool->AddOrEnd([] {}, {.parent = all});
    if (!ours.pool->Wait(all)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * kFan);
}
void FanOurs(benchmark::State& state) { FanOf(state, Threads(state)); }
void FanOpenMp(benchmark::State& state) {
  const auto threads = static_cast<int>(Threads(state));
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kFan; ++i) {
#pragma omp task
      benchmark::ClobberMemory();
    }
#pragma omp taskwait
  }
  state.SetItemsProcessed(state.iterations() * kFan);
}
// The caller only waits: it helps nothing, so all threads are the pool's.
void FanAsio(benchmark::State& state) {
  boost::asio::thread_pool pool(Threads(state));
  for (auto _ : state) {
    std::atomic<std::uint32_t> left{kFan};
    for (std::uint32_t i = 0; i < kFan; ++i) {
      boost::asio::post(pool, [&left] {
        if (left.fetch_sub(1) == 1) left.notify_one();
      });
    }
    for (std::uint32_t now; (now = left.load()) != 0;) left.wait(now);
  }
  state.SetItemsProcessed(state.iterations() * kFan);
  pool.join();
}

template <class Call>
void RegisterOne(const std::string& name, const Call& call) {
  benchmark::RegisterBenchmark(name.c_str(), call)->Arg(1)->Arg(2)->UseRealTime();
}

}  // namespace

void RegisterCrowds() {
  RegisterOne("tree_t1/ours", SearchOurs);
  RegisterOne("tree_t1/baseline", SearchTbb);
  for (const std::uint32_t producers : {1u, 2u, 8u}) {
    const std::string name = "short_by_" + std::to_string(producers);
    RegisterOne(name + "/ours",
                [producers](benchmark::State& state) { ShortOurs(state, producers); });
    RegisterOne(name + "/baseline",
                [producers](benchmark::State& state) { ShortTbb(state, producers); });
  }
  RegisterOne("tasks_256_openmp/ours", FanOurs);
  RegisterOne("tasks_256_openmp/baseline", FanOpenMp);
  RegisterOne("tasks_256_asio/ours", FanOurs);
  RegisterOne("tasks_256_asio/baseline", FanAsio);
  // Four times as many threads as the cores of the recorded machine, beside as many as those.
  const auto fan = [](benchmark::State& state) { FanOf(state, Threads(state)); };
  benchmark::RegisterBenchmark("crowded_256/ours", fan)->Arg(8)->UseRealTime();
  benchmark::RegisterBenchmark("crowded_256/baseline",
                               [](benchmark::State& state) { FanOf(state, 2); })
      ->Arg(8)
      ->UseRealTime();
}

}  // namespace nowait
