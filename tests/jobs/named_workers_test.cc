// Tasks for one worker: it alone runs them, also while it waits, and until the pool is closed.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/or_end.h"
#include "src/base/result.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

// The threads of workers, by the workers' numbers.
class Numbers {
 public:
  explicit Numbers(std::uint32_t workers) : of_(workers) {}
  auto Hook() {
    return [this](std::uint32_t worker) { of_[worker] = std::this_thread::get_id(); };
  }
  std::thread::id operator[](std::uint32_t worker) const { return of_[worker]; }

 private:
  std::vector<std::thread::id> of_;
};

TEMPLATE_TEST_CASE("in random graphs each task is run by the worker that it is for", "",
                   EACH_POLICY) {
  constexpr std::uint32_t kWorkers = 3, kNamed = 2, kTasks = 200;
  Numbers numbers(kWorkers);
  const auto pool = MakePool<TestType>({.workers = kWorkers,
                                        .named_workers = kNamed,
                                        .capacity = 2 * kTasks,
                                        .on_worker_start = numbers.Hook()});
  const auto here = pool->Register("main");
  const std::uint64_t seed = GENERATE(range(1, 6));
  INFO("seed " << seed);
  Random random(seed);
  struct Ran {
    std::thread::id by;
    int times = 0;
  };
  std::vector<Ran> ran(kTasks);
  std::vector<std::uint32_t> wanted(kTasks);
  std::vector<TaskId> tasks;
  const TaskId all = pool->AddOrEnd(TaskDef());
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    wanted[i] = static_cast<std::uint32_t>(random.Below(kNamed + 1));  // kNamed: any thread
    TaskDef def{.parent = all, .priority = static_cast<std::uint8_t>(random.Below(3))};
    if (i != 0 && random.Below(2) == 0) def.dependency = tasks[random.Below(i)];
    if (wanted[i] < kNamed) def.affinity = pool->AffinityToWorker(wanted[i]).value();
    Ran* const to = &ran[i];
    tasks.push_back(pool->AddOrEnd(
        [to] {
          *to = {std::this_thread::get_id(), to->times + 1};
        },
        def));
  }
  REQUIRE(pool->Wait(all));
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    CHECK(ran[i].times == 1);
    if (wanted[i] < kNamed) CHECK(ran[i].by == numbers[wanted[i]]);
  }
}

// Two tasks, each on a worker, that wait for a task of the other one's worker.
TEMPLATE_TEST_CASE("a worker that waits in a task runs the tasks for it", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 2, .named_workers = 2});
  const auto here = pool->Register("main");
  std::atomic<int> begun{0}, ran{0};
  const TaskId all = pool->AddOrEnd(TaskDef());
  auto& in = *pool;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint8_t other = pool->AffinityToWorker(1 - i).value();
    // On any two threads at the same time, of which the main thread is not one: it only looks.
    const TaskId waits = pool->AddOrEnd(
        [&in, &begun, &ran, other] {
          ++begun;
          while (begun.load() != 2) std::this_thread::yield();
          OrEnd(in.Wait(in.AddOrEnd([&ran] { ++ran; }, {.affinity = other})));
        },
        {.parent = all});
    REQUIRE(pool->Submit(waits));
  }
  REQUIRE(pool->Submit(all));
  while (!pool->IsComplete(all)) std::this_thread::yield();
  CHECK(ran == 2);
}

TEMPLATE_TEST_CASE("a pool that is closed has run the tasks for its workers, or cancelled them", "",
                   EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  const auto pool = MakePool<TestType>({.workers = 2, .named_workers = 1});
  auto here = pool->Register("main");
  std::atomic<int> ran{0};
  const std::uint8_t first = pool->AffinityToWorker(0).value();
  constexpr int kTasks = 50;
  for (int i = 0; i < kTasks; ++i) pool->AddOrEnd([&ran] { ++ran; }, {.affinity = first});
  REQUIRE(pool->Close(how));
  const TaskCounts counts = pool->Counts();
  CHECK(counts.ran == static_cast<std::uint64_t>(ran.load()));
  CHECK(counts.ran + counts.cancelled == kTasks);
  if (how == TaskShutdown::kFinish) CHECK(ran == kTasks);
}

// A task on one worker waits for a task of the other one, which has left the closing pool before.
TEMPLATE_TEST_CASE("a task for a worker that has left is cancelled, also where another task waits",
                   "", EACH_POLICY) {
  std::atomic<bool> busy{false}, begun{false}, left{false};
  const auto pool = MakePool<TestType>(
      {.workers = 2, .named_workers = 2, .on_worker_stop = [&left](std::uint32_t worker) {
         if (worker == 1) left = true;
       }});
  auto here = pool->Register("main");
  const auto await = [](const std::atomic<bool>& flag) {
    while (!flag.load()) std::this_thread::yield();
  };
  auto& in = *pool;
  int ran = 0;
  const std::uint8_t second = pool->AffinityToWorker(1).value();
  // Keeps the second worker from the task that waits.
  REQUIRE(pool->Submit(pool->AddOrEnd(
      [&busy, &begun, await] {
        busy = true;
        await(begun);
      },
      {.affinity = second})));
  await(busy);
  REQUIRE(pool->Submit(pool->AddOrEnd([&in, &begun, &left, &ran, await, second] {
    begun = true;
    await(left);
    OrEnd(in.Wait(in.AddOrEnd([&ran] { ++ran; }, {.affinity = second})));
  })));
  await(begun);
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(ran == 0);
  CHECK(pool->Counts().cancelled == 1);
}

TEST_CASE("only so many workers can be named as there are, and names") {
  const auto code = [](TaskPoolDef def) {
    const auto pool = TaskPool::Create(std::move(def));
    return pool ? Error{} : pool.error();
  };
  CHECK(code({.workers = 1, .named_workers = 2}) ==
        Error{ErrorCode::kInvalidArgument, "named workers", 2,
              "they are workers, and with the main threads at most 255"});
  std::vector<std::string> names;
  for (int i = 0; i < 255; ++i) names.push_back(std::to_string(i));
  CHECK(code({.main_threads = names, .workers = 1, .named_workers = 1}).subject ==
        std::string_view("named workers"));
  const auto pool = MakePool({.workers = 2, .named_workers = 1});
  CHECK(pool->AffinityToWorker(0) == 2);
  CHECK(pool->AffinityToWorker(1) == std::unexpected(Error{ErrorCode::kNotFound, "named worker", 1,
                                                           "it is none of TaskPoolDef's"}));
}

}  // namespace
}  // namespace nowait
