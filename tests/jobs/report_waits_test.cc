// A report of a throw may wait: also where its thread was about to sleep when it found what threw.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

void Nothing(void*) {}
void Throw(void*) { throw std::runtime_error("the device is gone"); }

// A worker that looks for work, and has announced its sleep, can be the last to leave a list whose
// jobs others have run. It completes the list's task, hands the next task over, and so it reports.
// ~WorkEvents asserts that no announcement is left behind.
TEMPLATE_TEST_CASE("a report that waits leaves nothing behind at a thread about to sleep", "",
                   EACH_POLICY) {
  constexpr int kRounds = 100;
  std::atomic<int> reports{0};
  std::unique_ptr<TestType> pool;
  TaskId never;  // as long as there are reports
  // Long enough for the thread to fall asleep in it.
  const auto wait = [&] {
    const auto soon = EngineSync::clock::now() + std::chrono::milliseconds(1);
    return pool->Wait(never, {.until = soon});
  };
  pool = *TestType::Create({.workers = 2, .on_throw = [&](TaskId, const char*) {
                              REQUIRE_FALSE(wait());
                              ++reports;
                            }});
  const auto here = pool->Register("main");
  never = *pool->Add({.work = {&Nothing, nullptr}, .kind = TaskKind::kExternal});
  REQUIRE(pool->Submit(never));
  for (int round = 1; round <= kRounds; ++round) {
    JobList<> list(2);
    for (int i = 0; i < 2; ++i) REQUIRE(list.Add({&Nothing, nullptr}));
    const TaskId jobs = *pool->AddList(list);
    const TaskId bad =
        *pool->Add({.work = {&Throw, nullptr}, .dependency = jobs, .kind = TaskKind::kExternal});
    REQUIRE(pool->Submit(bad));
    REQUIRE(pool->Submit(jobs));
    // Without help: a worker reports.
    while (reports < round) std::this_thread::yield();
    REQUIRE(pool->Wait(bad));
  }
  REQUIRE(pool->CompleteExternal(never));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(pool->Counts().threw == kRounds);
}

}  // namespace
}  // namespace nowait
