// A main thread that goes on after another one has shut the pool down.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/job_list.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

const Error kShutDown{ErrorCode::kWrongPhase, "task", 0, "the pool has been shut down"};

// The error without the task that it is about.
template <class T>
Error About(const Result<T>& result) {
  REQUIRE_FALSE(result);
  Error error = result.error();
  error.amount = 0;
  return error;
}

// Held by the thread that goes on.
enum class Holds {
  kTask,
  kNamed,    // for the thread that has shut down
  kRequest,  // for a device, which has ended
  kList,
  kGraph,  // an empty task, with a child that depends on a request
};

template <class Pool>
struct TwoMains {
  TwoMains(std::uint32_t workers)
      : made(MakePool<Pool>({.main_threads = {"a", "b"}, .devices = {"disk"}, .workers = workers})),
        pool(*made) {
    static_cast<void>(list.Add({&Count, &ran}));
  }

  static void Count(void* ran) { static_cast<std::atomic<int>*>(ran)->fetch_add(1); }

  Result<TaskId> Make(Holds holds) {
    const Job job{&Count, &ran};
    if (holds == Holds::kTask) return pool.Add({.work = job});
    if (holds == Holds::kNamed) return pool.Add({.work = job, .affinity = 1});
    if (holds == Holds::kList) return pool.AddList(list);
    const auto asked = pool.AddRequest("disk", request);
    if (holds == Holds::kRequest || !asked) return asked;
    const auto top = pool.AddEmpty();
    if (top) {
      static_cast<void>(pool.Add({.work = job, .parent = *top, .dependency = *asked}));
    }
    return top;
  }

  const std::unique_ptr<Pool> made;
  Pool& pool;
  std::atomic<int> ran{0};
  JobList<> list{1};
  DeviceRequest request{"ask",
                        [](void* data) -> Result<void> {
                          Count(data);
                          return {};
                        },
                        &ran};
  TaskId task;
  std::latch holds{1}, closed{1};
  std::promise<Result<void>> waited;
};

// The bound only ends a test that has failed: the thread is left behind then, with what it uses.
constexpr auto kBound = std::chrono::seconds(30);

template <class Pool>
void RunCase(Holds holds, TaskShutdown how, std::uint32_t workers, bool waits) {
  CAPTURE(static_cast<int>(holds), static_cast<int>(how), workers, waits);
  const auto all = std::make_shared<TwoMains<Pool>>(workers);
  auto waited = all->waited.get_future();
  std::thread other([all, holds, waits] {
    Result<void> result;
    {
      const auto here = all->pool.Register("b");
      const auto task = all->Make(holds);
      if (task) all->task = *task;
      all->holds.count_down();
      all->closed.wait();
      if (waits) result = all->pool.Wait(all->task);
    }
    all->waited.set_value(result);
  });
  {
    const auto here = all->pool.Register("a");
    all->holds.wait();
    REQUIRE(all->task.IsTask());
    REQUIRE(all->pool.Close(how));
    all->closed.count_down();
    if (waited.wait_for(kBound) != std::future_status::ready) {
      other.detach();
      FAIL("the other thread sleeps for ever");
    }
  }
  other.join();
  if (waits) CHECK(About(waited.get()) == kShutDown);
  CHECK(all->ran == 0);
  CHECK(all->pool.IsComplete(all->task));
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("a wait after another thread's shutdown is refused, and leaving cancels", "",
                   EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  for (const Holds holds :
       {Holds::kTask, Holds::kNamed, Holds::kRequest, Holds::kList, Holds::kGraph}) {
    for (const std::uint32_t workers : {0u, 2u}) {
      RunCase<TestType>(holds, how, workers, true);
      RunCase<TestType>(holds, how, workers, false);
    }
  }
}

// Every call that wants something done; on a thread that holds a task, a request and a list from
// before.
template <class Pool>
std::vector<std::pair<std::string, Result<void>>> AskForEverything(Pool& pool, TwoMains<Pool>& all,
                                                                   TaskId task, TaskId request,
                                                                   TaskId list) {
  std::vector<std::pair<std::string, Result<void>>> answers;
  const auto note = [&](const char* call, const auto& result) {
    answers.emplace_back(call,
                         result ? Result<void>() : Result<void>(std::unexpected(result.error())));
  };
  const Job job{&TwoMains<Pool>::Count, &all.ran};
  const auto count = [](void* data, int) { TwoMains<Pool>::Count(data); };
  IdempotentJob idempotent{count, count, &TwoMains<Pool>::Count, &all.ran};
  DeviceRequest another(
      "ask", [](void*) -> Result<void> { return {}; }, nullptr);
  JobList<> jobs(1);
  static_cast<void>(jobs.Add(job));
  FrameLoop loop(pool, [&](const Frame&) { TwoMains<Pool>::Count(&all.ran); });
  note("Add", pool.Add({.work = job}));
  note("AddEmpty", pool.AddEmpty());
  note("Add of external work", pool.Add({.work = job, .kind = TaskKind::kExternal}));
  note("AddList", pool.AddList(jobs));
  note("AddIdempotent", pool.AddIdempotent(idempotent));
  note("AddRequest", pool.AddRequest("disk", another));
  note("Submit of a task", pool.Submit(task));
  note("Submit of a request", pool.Submit(request));
  note("Submit of a list", pool.Submit(list));
  note("Wait for a task", pool.Wait(task));
  note("Wait for a request", pool.Wait(request));
  note("Wait for a list", pool.Wait(list));
  note("DoWorkWhileWaitingFor", pool.DoWorkWhileWaitingFor([] { return false; }));
  note("a loop", ParallelFor(pool, 10, 1, [&](std::uint32_t, std::uint32_t) { ++all.ran; }));
  note("a frame", loop.Start(1));
  return answers;
}

TEMPLATE_TEST_CASE("each call after the shutdown says that the pool has been shut down", "",
                   EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  TwoMains<TestType> all(GENERATE(0u, 2u));
  std::vector<std::pair<std::string, Result<void>>> answers;
  bool held = false;
  std::thread other([&] {
    const auto here = all.pool.Register("b");
    const auto task = all.Make(Holds::kTask);
    const auto request = all.Make(Holds::kRequest);
    const auto list = all.Make(Holds::kList);
    held = task && request && list;
    all.holds.count_down();
    all.closed.wait();
    if (held) answers = AskForEverything(all.pool, all, *task, *request, *list);
  });
  const auto here = all.pool.Register("a");
  all.holds.wait();
  const auto closed = all.pool.Close(how);
  all.closed.count_down();
  other.join();
  REQUIRE(closed);
  REQUIRE(held);
  REQUIRE(answers.size() == 15);
  for (const auto& [call, answer] : answers) {
    INFO(call);
    CHECK(About(answer) == kShutDown);
  }
  // Work that belongs to nobody else and waits for nobody is nevertheless done.
  JobBatch batch(2);
  auto count = [&] { ++all.ran; };
  REQUIRE(batch.Add(count));
  REQUIRE(batch.Run(all.pool));
  CHECK(all.ran == 1);
}

}  // namespace
}  // namespace nowait
