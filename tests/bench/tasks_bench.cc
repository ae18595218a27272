// Tasks beside oneTBB: fans, chains, waits inside tasks, and how long it takes to wake a thread.
//
// "ours" is a TaskPool, with stealing or, where a name says so, with one queue for all threads;
// "baseline" is oneTBB with as many threads, the caller's included. The last part of a name is the
// number of threads.
#include "tests/bench/tasks_bench.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr std::uint32_t kCapacity = 8192;

std::uint32_t Threads(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

template <class Pool>
struct Ours {
  explicit Ours(const benchmark::State& state)
      : owned(MakePool<Pool>({.workers = Threads(state) - 1, .capacity = kCapacity})),
        pool(*owned),
        here(*pool.Register("main")) {}
  const std::unique_ptr<Pool> owned;
  Pool& pool;
  typename Pool::Registration here;
};

// Children of one task that do nothing, and the wait for all of them.
template <class Pool>
void FanOurs(benchmark::State& state, std::uint32_t tasks) {
  Ours<Pool> ours(state);
  for (auto _ : state) {
    const TaskId all = *ours.pool.AddEmpty();
    for (std::uint32_t i = 0; i < tasks; ++i) {
      if (!ours.pool.Add({.work = {[](void*) {}, nullptr}, .parent = all})) {
        state.SkipWithError("the pool is full");
      }
    }
    if (!ours.pool.Wait(all)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}
void FanTbb(benchmark::State& state, std::uint32_t tasks) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_group group;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < tasks; ++i) group.run([] {});
    group.wait();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

// Tasks that depend on one another in a row. oneTBB's graph is made once and run again and again;
// ours is made each time.
template <class Pool>
void ChainOurs(benchmark::State& state, std::uint32_t tasks) {
  Ours<Pool> ours(state);
  for (auto _ : state) {
    TaskId last;
    for (std::uint32_t i = 0; i < tasks; ++i) {
      const auto task = ours.pool.Add({.work = {[](void*) {}, nullptr}, .dependency = last});
      if (!task) {
        state.SkipWithError("the pool is full");
        return;
      }
      last = *task;
    }
    if (!ours.pool.Wait(last)) state.SkipWithError("the wait is refused");
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}
void ChainTbb(benchmark::State& state, std::uint32_t tasks) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  for (std::uint32_t i = 0; i < tasks; ++i) {
    nodes.push_back(std::make_unique<Node>(graph, [](const tbb::flow::continue_msg&) {}));
    if (i > 0) tbb::flow::make_edge(*nodes[i - 1], *nodes[i]);
  }
  for (auto _ : state) {
    nodes.front()->try_put({});
    graph.wait_for_all();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

// Fibonacci's numbers by recursion: each call but the smallest makes a task and waits for it.
template <class Pool>
struct Call {
  static void Run(void* data) {
    Call& call = *static_cast<Call*>(data);
    call.result = Of(*call.pool, call.n);
  }
  static std::uint64_t Of(Pool& pool, std::uint32_t n) {
    if (n < 2) return n;
    Call other{&pool, n - 1, 0};
    const auto task = pool.Add({.work = {&Run, &other}});
    if (!task || !pool.Submit(*task)) return kRefused;
    const std::uint64_t rest = Of(pool, n - 2);
    if (!pool.Wait(*task)) return kRefused;
    return rest + other.result;
  }
  static constexpr std::uint64_t kRefused = 1'000'000;  // greater than what is asked for here
  Pool* pool;
  std::uint32_t n;
  std::uint64_t result;
};
std::uint64_t FibonacciTbb(std::uint32_t n) {
  if (n < 2) return n;
  std::uint64_t other = 0;
  tbb::task_group group;
  group.run([&other, n] { other = FibonacciTbb(n - 1); });
  const std::uint64_t rest = FibonacciTbb(n - 2);
  group.wait();
  return rest + other;
}
std::uint64_t Fibonacci(std::uint32_t n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

template <class Pool>
void NestOurs(benchmark::State& state, std::uint32_t n) {
  Ours<Pool> ours(state);
  const std::uint64_t expected = Fibonacci(n);
  for (auto _ : state) {
    if (Call<Pool>::Of(ours.pool, n) != expected) state.SkipWithError("a wrong number");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Fibonacci(n + 1)));
}
void NestTbb(benchmark::State& state, std::uint32_t n) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  const std::uint64_t expected = Fibonacci(n);
  for (auto _ : state) {
    if (FibonacciTbb(n) != expected) state.SkipWithError("a wrong number");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(Fibonacci(n + 1)));
}

// From handing a task in to its first instruction, on a thread that has had nothing to do for a
// while. The caller does not help.
template <class HandIn>
void Wake(benchmark::State& state, const HandIn& hand_in) {
  constexpr auto kIdle = std::chrono::milliseconds(2);
  std::atomic<bool> began{false};
  for (auto _ : state) {
    began.store(false);
    std::this_thread::sleep_for(kIdle);
    const auto start = std::chrono::steady_clock::now();
    hand_in(began);
    while (!began.load()) {
    }
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}
template <class Pool>
void WakeOurs(benchmark::State& state, std::uint32_t /*tasks*/) {
  Ours<Pool> ours(state);
  Wake(state, [&](std::atomic<bool>& began) {
    const auto task = ours.pool.Add(
        {.work = {[](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }, &began}});
    if (!task || !ours.pool.Submit(*task)) state.SkipWithError("the task is refused");
  });
}
void WakeTbb(benchmark::State& state, std::uint32_t /*tasks*/) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_arena arena(static_cast<int>(Threads(state)));
  Wake(state, [&](std::atomic<bool>& began) { arena.enqueue([&began] { began.store(true); }); });
}

std::size_t HeapInUse() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

template <class Pool>
std::size_t BytesOf(std::uint32_t workers, std::uint32_t capacity) {
  const std::size_t before = HeapInUse();
  const auto pool = MakePool<Pool>({.workers = workers, .capacity = capacity});
  return HeapInUse() - before;
}

// The memory of a pool for each further task that can be open: its slot in the graph, its places in
// the queues. And for each further worker: its deques, if it has any, and its working memory in the
// graph.
template <class Pool>
void PrintMemory(const char* policy) {
  BytesOf<Pool>(1, kCapacity);  // what is allocated once, by the first thread for example
  const std::size_t alone = BytesOf<Pool>(0, kCapacity);
  std::fprintf(stderr,
               "memory, %s: %.0f bytes for each task that can be open, %.0f KiB for each worker\n",
               policy, static_cast<double>(BytesOf<Pool>(0, 2 * kCapacity) - alone) / kCapacity,
               static_cast<double>(BytesOf<Pool>(1, kCapacity) - alone) / 1024);
}

// A device that stalls for a while in each request, as one that waits for a disk does.
struct Stall {
  static constexpr std::uint32_t kRequests = 200;
  static constexpr std::chrono::milliseconds kLasts{1};

  static Result<void> Serve(void* data) {
    auto& stall = *static_cast<Stall*>(data);
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    const auto& [seconds, micros] = used.ru_utime;
    const auto& [system_seconds, system_micros] = used.ru_stime;
    stall.cpu_us = static_cast<double>(seconds + system_seconds) * 1e6 +
                   static_cast<double>(micros + system_micros);
    stall.sleeps = used.ru_nvcsw;
    std::this_thread::sleep_for(kLasts);
    return {};
  }

  // Of the device's thread, before this request.
  double cpu_us = 0;
  long sleeps = 0;
};

using Run = void (*)(benchmark::State&, std::uint32_t);

// Under names that tests/bench/ratios.py reads: OPERATION/ours/THREADS.
void Register(const std::string& operation, std::uint32_t size, Run stealing, Run one_queue,
              Run baseline, bool alone_too = true) {
  const auto one = [&](const std::string& name, Run run) {
    auto* made = benchmark::RegisterBenchmark(name.c_str(), run, size);
    if (alone_too) made->Arg(1);
    made->Arg(2);
    if (alone_too) {
      made->UseRealTime();
    } else {
      made->UseManualTime();
    }
  };
  one(operation + "/ours", stealing);
  one(operation + "/baseline", baseline);
  one(operation + "_one_queue/ours", one_queue);
  one(operation + "_one_queue/baseline", baseline);
}

}  // namespace

void RegisterTasks() {
  using OneQueue = OneQueueTaskPool;
  for (const std::uint32_t tasks : {16u, 256u, 4096u}) {
    Register("tasks_" + std::to_string(tasks), tasks, FanOurs<TaskPool>, FanOurs<OneQueue>, FanTbb);
  }
  Register("chain_1024", 1024, ChainOurs<TaskPool>, ChainOurs<OneQueue>, ChainTbb);
  Register("nested_18", 18, NestOurs<TaskPool>, NestOurs<OneQueue>, NestTbb);
  Register("wake", 0, WakeOurs<TaskPool>, WakeOurs<OneQueue>, WakeTbb, false);
}

void PrintTaskMemory() {
  PrintMemory<TaskPool>("stealing");
  PrintMemory<OneQueueTaskPool>("one queue");
}

void PrintDeviceTime() {
  const auto owned = MakePool({.devices = {"disk"}, .workers = 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  std::deque<Stall> stalls(Stall::kRequests + 1);
  std::deque<DeviceRequest> requests;
  const auto start = std::chrono::steady_clock::now();
  for (Stall& stall : stalls) {
    const auto task =
        pool.AddRequest("disk", requests.emplace_back("stall", &Stall::Serve, &stall));
    if (!task || !pool.Wait(*task)) {
      std::fprintf(stderr, "a device's request is refused\n");
      return;
    }
  }
  const double us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const double cpu_us = stalls.back().cpu_us - stalls.front().cpu_us;
  const long sleeps = stalls.back().sleeps - stalls.front().sleeps;
  std::fprintf(
      stderr,
      "a device's thread, %u requests, each made when the one before is answered, that stall for "
      "%d ms: %.1f us of a processor for each, %.1f%% of the time, %.1f sleeps\n",
      Stall::kRequests, static_cast<int>(Stall::kLasts.count()), cpu_us / Stall::kRequests,
      100 * cpu_us / us, static_cast<double>(sleeps) / Stall::kRequests);
}

}  // namespace nowait
