// The real TaskPool under the scheduler.
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/job.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/fifty_tasks.h"

namespace nowait::whole {
namespace {

TEMPLATE_TEST_CASE("fifty tasks are run once each, under every schedule that is tried", "",
                   TaskPool, OneQueueTaskPool) {
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    const Exploration found = Explore([&] { FiftyTasks<TestType>(workers); }, {.schedules = 200});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
}

TEST_CASE("a loop runs each of its steps once") {
  const auto program = [] {
    auto pool = TaskPool::Create({.workers = 2, .capacity = 64}).value();
    auto here = pool->Register("main").value();
    std::array<std::uint32_t, 40> runs{};
    const auto body = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) ++runs[i];
    };
    const ApiCall call("ParallelFor");
    Require(ParallelFor(*pool, 40, 3, body).has_value(), "a loop returns without an error");
    for (const std::uint32_t run : runs) Require(run == 1, "each step of a loop is run once");
  };
  const Exploration found = Explore(program, {.schedules = 200});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// The thread that cancels neither waits nor helps: what the cancelled task has held back is the
// worker's.
void CancelAndLookOn() {
  auto pool = TaskPool::Create({.workers = 1, .capacity = 64}).value();
  const auto here = pool->Register("main").value();
  const Job nothing = {[](void*) {}, nullptr};
  const TaskId named =
      pool->Add({.work = nothing, .affinity = pool->AffinityTo("main").value()}).value();
  const TaskId after = pool->Add({.work = nothing, .dependency = named}).value();
  Require(pool->Submit(named).has_value(), "a task that is held is submitted");
  Require(pool->Submit(after).has_value(), "a task that is held is submitted");
  Require(pool->Cancel(named).value(), "no worker runs a task with another thread's name");
  const ApiCall call("IsComplete");
  while (!pool->IsComplete(after)) EngineSync::Yield();
}

TEST_CASE("a task that a cancellation makes ready is begun by a worker that sleeps") {
  const Exploration found = Explore(&CancelAndLookOn, {.schedules = 200});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// A device that answers about when its time is over. A wait with a time gives up beside that.
void SlowDevice(TaskShutdown how) {
  using std::chrono::microseconds;
  struct Disk {
    static Result<void> Read(void* data) {
      auto& disk = *static_cast<Disk*>(data);
      ++disk.reads;
      EngineSync::SleepUntil(EngineSync::clock::now() + microseconds(20));
      return {};
    }
    std::uint32_t reads = 0;
  };
  const auto disk = std::make_shared<Disk>();
  {
    auto pool = TaskPool::Create({.devices = {"disk"},
                                  .device_patience = microseconds(20),
                                  .workers = 1,
                                  .capacity = 64})
                    .value();
    const auto here = pool->Register("main").value();
    std::array<std::unique_ptr<DeviceRequest>, 3> requests;
    std::uint32_t shown = 0;
    TaskId last;
    for (auto& request : requests) {
      request = std::make_unique<DeviceRequest>("read", &Disk::Read, disk.get(), disk);
      last = pool->AddRequest("disk", *request).value();
    }
    const TaskId show = pool->Add([&shown] { ++shown; }, {.dependency = last}).value();
    const ApiCall call("Wait");
    const auto waited = pool->Wait(show, {.until = EngineSync::clock::now() + microseconds(50)});
    Require(waited || waited.error().code == ErrorCode::kTimeout, "a wait ends or gives up");
    Require(pool->Close(how).has_value(), "a pool is closed once");
    std::uint32_t served = 0;
    for (const auto& request : requests) {
      const auto& answer = request->answer();
      const bool refused = !answer && answer.error().code == ErrorCode::kWrongPhase;
      served += refused ? 0 : 1;
      Require(answer || refused || answer.error().code == ErrorCode::kTimeout,
              "a request is answered, abandoned or refused");
      Require(!refused || how == TaskShutdown::kCancel, "a pool that finishes refuses nothing");
    }
    Require(disk->reads == served, "each request that is not refused is served once");
    const std::uint32_t ran = shown + served;
    Require(pool->Counts().ran == ran, "after Close all that ran has been counted");
    Require(shown == 1 || how == TaskShutdown::kCancel, "a pool that finishes runs each task");
  }
  // The threads that were left behind let go of the disk.
  while (disk.use_count() != 1) EngineSync::Yield();
}

TEST_CASE("a request is answered or abandoned, and the pool is closed after either") {
  for (const TaskShutdown how : {TaskShutdown::kFinish, TaskShutdown::kCancel}) {
    const Exploration found = Explore([how] { SlowDevice(how); }, {.schedules = 400});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
}

}  // namespace
}  // namespace nowait::whole
