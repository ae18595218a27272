// The hooks of workers: where and when they are called, and one that throws.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

// The notes of a pool's hooks.
struct Notes {
  TaskPoolDef Def(std::uint32_t workers) {
    return {.workers = workers,
            .on_throw =
                [this](TaskId task, const char* text) {
                  const ScopedLock lock(mutex);
                  CHECK_FALSE(task.IsTask());
                  reports.push_back(text);
                },
            .on_worker_start =
                [this](std::uint32_t worker) {
                  const ScopedLock lock(mutex);
                  started[worker] = std::this_thread::get_id();
                  if (worker == start_that_throws) throw std::runtime_error("no arena");
                },
            .on_worker_stop =
                [this](std::uint32_t worker) {
                  const ScopedLock lock(mutex);
                  stopped[worker] = std::this_thread::get_id();
                  if (worker == stop_that_throws) throw std::runtime_error("arena in use");
                }};
  }

  EngineSync::mutex mutex;
  std::map<std::uint32_t, std::thread::id> started, stopped;
  std::vector<std::string> reports;
  std::uint32_t start_that_throws = ~0u, stop_that_throws = ~0u;
};

TEMPLATE_TEST_CASE("each worker starts before Create returns, and stops after its last task", "",
                   EACH_POLICY) {
  Notes notes;
  const auto pool = MakePool<TestType>(notes.Def(3));
  {
    const ScopedLock lock(notes.mutex);
    CHECK(notes.started.size() == 3);
    CHECK(notes.stopped.empty());
  }
  const auto here = pool->Register("main");
  int ran = 0;
  REQUIRE(pool->Submit(*pool->Add([&ran] { ++ran; })));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(ran == 1);
  CHECK(notes.stopped == notes.started);
  CHECK(notes.started.count(0) + notes.started.count(1) + notes.started.count(2) == 3);
  CHECK(std::ranges::none_of(
      notes.started, [](const auto& each) { return each.second == std::this_thread::get_id(); }));
  CHECK(notes.reports.empty());
}

TEMPLATE_TEST_CASE("a start hook that throws ends the creation, and the other workers stop", "",
                   EACH_POLICY) {
  Notes notes;
  notes.start_that_throws = 1;
  const auto pool = TestType::Create(notes.Def(3));
  REQUIRE_FALSE(pool);
  CHECK(ToString(pool.error()) == "worker start hook is not allowed in this phase: it threw");
  CHECK(pool.error().amount == 1);
  CHECK(notes.reports == std::vector<std::string>{"no arena"});
  CHECK(notes.stopped.size() == 2);
  CHECK(notes.stopped.count(1) == 0);
}

TEMPLATE_TEST_CASE("a stop hook that throws is reported and counted", "", EACH_POLICY) {
  Notes notes;
  notes.stop_that_throws = 0;
  const auto pool = MakePool<TestType>(notes.Def(2));
  const auto here = pool->Register("main");
  REQUIRE(pool->Close(TaskShutdown::kCancel));
  CHECK(notes.reports == std::vector<std::string>{"arena in use"});
  CHECK(pool->Counts().threw == 1);
  CHECK(notes.stopped.size() == 2);
}

TEMPLATE_TEST_CASE("a hook is no thread of the pool yet", "", EACH_POLICY) {
  TestType* made = nullptr;
  Result<TaskId> added = TaskId();
  TaskPoolDef def{.workers = 1};
  def.on_worker_stop = [&](std::uint32_t) { added = made->AddEmpty(); };
  const auto pool = MakePool<TestType>(std::move(def));
  made = pool.get();
  const auto here = pool->Register("main");
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  REQUIRE_FALSE(added);
  CHECK(added.error().code == ErrorCode::kNotOwner);
}

}  // namespace
}  // namespace nowait
