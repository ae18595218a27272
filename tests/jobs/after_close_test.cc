// What a main thread finds that goes on after another one has shut the pool down.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"

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

// What the thread that goes on holds.
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
      : pool({.main_threads = {"a", "b"}, .devices = {"disk"}, .workers = workers}) {
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

  Pool pool;
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

#define EACH_POLICY TaskPool, StealingTaskPool

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

}  // namespace
}  // namespace nowait
