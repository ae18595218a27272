// A device whose thread hangs: its request is abandoned, the device goes on, and Close returns.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <latch>
#include <memory>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/alarm.h"
#include "src/jobs/device.h"
#include "src/jobs/device_hand.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

using std::chrono::milliseconds;

// A call that hangs, as a read of a dead mount does, until the mount is back.
struct Mount {
  static Result<void> Read(void* data) {
    auto& mount = *static_cast<Mount*>(data);
    mount.begun.count_down();
    mount.is_back.wait();
    return {};
  }
  std::latch begun{1};
  std::latch is_back{1};
};

// The mount belongs to its request and to the thread that serves it.
struct Load {
  std::shared_ptr<Mount> mount = std::make_shared<Mount>();
  DeviceRequest request{"load", &Mount::Read, mount.get(), mount};
};

// Ends a thread that was left behind, and waits until it has let go of the mount.
void ComesBack(const std::shared_ptr<Mount>& mount) {
  mount->is_back.count_down();
  while (mount.use_count() != 1) EngineSync::Yield();
}

TEMPLATE_TEST_CASE("a request that hangs is abandoned, and the device serves the next one", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 2u);
  Profile profile({.lanes = 8, .spans_per_lane = 8, .samples_per_lane = 8});
  const auto pool = MakePool<TestType>({.devices = {"disk"},
                                        .device_patience = milliseconds(20),
                                        .workers = workers,
                                        .profile = &profile});
  const auto here = pool->Register("main");
  auto load = std::make_unique<Load>();
  const auto mount = load->mount;
  int shown = 0, said = 0;
  const TaskId loaded = *pool->AddRequest("disk", load->request);
  const TaskId show =
      *pool->Add([&shown] { ++shown; }, {.dependency = loaded, .needs_success = true});
  const TaskId say = *pool->Add([&said] { ++said; }, {.dependency = loaded});
  int answered = 0;
  DeviceRequest next(
      "next",
      [](void* data) -> Result<void> {
        ++*static_cast<int*>(data);
        return {};
      },
      &answered);
  const TaskId behind = *pool->AddRequest("disk", next);
  REQUIRE(pool->Wait(show));
  REQUIRE(pool->Wait(say));
  REQUIRE(pool->Wait(behind));
  REQUIRE_FALSE(load->request.answer());
  CHECK(ToString(load->request.answer().error()) ==
        "the time for request is over: it has been abandoned");
  CHECK(shown == 0);
  CHECK(said == 1);
  CHECK(answered == 1);
  CHECK(next.answer());
  load.reset();  // the thread that is left behind shares the mount
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  REQUIRE(pool->Close(how));
  ComesBack(mount);
}

// Its first serve may be going on.
TEMPLATE_TEST_CASE("a request that was abandoned is not made again, and counts as run", "",
                   EACH_POLICY) {
  const auto pool =
      MakePool<TestType>({.devices = {"disk"}, .device_patience = milliseconds(5), .workers = 1});
  const auto here = pool->Register("main");
  Load load;
  REQUIRE(pool->Wait(*pool->AddRequest("disk", load.request)));
  const auto again = pool->AddRequest("disk", load.request);
  REQUIRE_FALSE(again);
  CHECK(ToString(again.error()) == "request is not allowed in this phase: it has been abandoned");
  CHECK(load.request.answer().error().code == ErrorCode::kTimeout);
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(pool->Counts().ran == 1);
  load.mount->is_back.count_down();
  while (load.mount.use_count() != 2) EngineSync::Yield();  // ours and the request's
}

// The lane is the next thread's, and is read while the one that was left behind may still write.
TEMPLATE_TEST_CASE("a device keeps its lane when a thread is left behind", "", EACH_POLICY) {
  Profile profile({.lanes = 8, .spans_per_lane = 8, .samples_per_lane = 8, .core = [] {
                     return std::uint16_t{3};
                   }});
  const auto pool = MakePool<TestType>({.devices = {"disk"},
                                        .device_patience = milliseconds(20),
                                        .workers = 0,
                                        .profile = &profile});
  const auto here = pool->Register("main");
  Load load;
  REQUIRE(pool->Wait(*pool->AddRequest("disk", load.request)));
  DeviceRequest next(
      "next", [](void*) { return Result<void>(); }, nullptr);
  REQUIRE(pool->Wait(*pool->AddRequest("disk", next)));
  REQUIRE(next.answer());
  load.mount->is_back.count_down();
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  const Lane& lane = profile.lanes().back();
  CHECK(lane.name == "disk");
  REQUIRE(lane.spans.size() == 1);
  CHECK(lane.spans[0].name == std::string("next"));
  CHECK(lane.spans[0].begin_core == 3);
  CHECK(lane.spans[0].end_core == 3);
  while (load.mount.use_count() != 2) EngineSync::Yield();
}

// A thread could not be left behind, and has gone on: to look at the request before once more does
// not take the watch from the present one.
TEST_CASE("each request of a device is watched, whatever became of the one before") {
  using Clock = EngineSync::clock;
  Alarm alarm;
  REQUIRE(alarm.Start());
  DeviceHand hand;
  DeviceRequest before(
      "before", [](void*) { return Result<void>(); }, nullptr);
  DeviceRequest present(
      "present", [](void*) { return Result<void>(); }, nullptr);
  std::counting_semaphore<> watched(0);
  const Job watch{[](void* data) { static_cast<std::counting_semaphore<>*>(data)->release(); },
                  &watched};
  const auto now = Clock::now();
  hand.Serves(before, alarm, now, watch);
  watched.acquire();
  CHECK(hand.IsLate(now));
  REQUIRE(hand.Claim());
  hand.Serves(present, alarm, now + milliseconds(20), watch);
  hand.WatchAgain(now, alarm, now + std::chrono::hours(1), watch);
  CHECK(watched.try_acquire_for(std::chrono::seconds(20)));
  CHECK(hand.LeaveBehind(Clock::now()) == &present);
}

TEMPLATE_TEST_CASE("neither Close nor the destructor waits for a device that hangs", "",
                   EACH_POLICY) {
  const bool closes = GENERATE(false, true);
  Load first, second;
  std::vector<std::shared_ptr<Mount>> mounts{first.mount, second.mount};
  {
    auto pool = MakePool<TestType>(
        {.devices = {"disk", "net"}, .device_patience = milliseconds(20), .workers = 1});
    auto here = pool->Register("main");
    for (const auto& [device, load] : {std::pair("disk", &first), std::pair("net", &second)}) {
      REQUIRE(pool->Submit(*pool->AddRequest(device, load->request)));
      load->mount->begun.wait();
    }
    if (closes) REQUIRE(pool->Close(TaskShutdown::kCancel));
  }
  for (const auto* load : {&first, &second}) {
    REQUIRE_FALSE(load->request.answer());
    CHECK(load->request.answer().error().code == ErrorCode::kTimeout);
  }
  // Long after the pool is gone.
  for (auto* load : {&first, &second}) {
    load->mount->is_back.count_down();
    while (load->mount.use_count() != 3) EngineSync::Yield();  // ours, the request's and mounts'
  }
}

TEMPLATE_TEST_CASE("requests that are answered in time are not abandoned", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>(
      {.devices = {"disk"}, .device_patience = std::chrono::hours(24 * 365 * 200), .workers = 1});
  const auto here = pool->Register("main");
  int served = 0;
  for (int i = 0; i < 200; ++i) {
    DeviceRequest request(
        "count",
        [](void* data) -> Result<void> {
          ++*static_cast<int*>(data);
          return {};
        },
        &served);
    REQUIRE(pool->Wait(*pool->AddRequest("disk", request)));
    REQUIRE(request.answer());
  }
  CHECK(served == 200);
}

// Of a request that is answered about when its time is over, one answer counts.
TEMPLATE_TEST_CASE("a request is answered or abandoned", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>(
      {.devices = {"disk"}, .device_patience = std::chrono::microseconds(300), .workers = 1});
  const auto here = pool->Register("main");
  struct Slow {
    static Result<void> Serve(void* data) {
      const auto& slow = *static_cast<const Slow*>(data);
      EngineSync::SleepUntil(EngineSync::clock::now() + slow.time);
      return {};
    }
    std::chrono::microseconds time;
  };
  int answered = 0;
  for (int i = 0; i < 100; ++i) {
    const auto slow = std::make_shared<Slow>(std::chrono::microseconds(i * 5));
    DeviceRequest request("slow", &Slow::Serve, slow.get(), slow);
    REQUIRE(pool->Wait(*pool->AddRequest("disk", request)));
    if (request.answer()) {
      ++answered;
    } else {
      CHECK(request.answer().error().code == ErrorCode::kTimeout);
    }
  }
  CHECK(answered < 100);
}

TEMPLATE_TEST_CASE("a request whose answer is an error has failed", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
  const auto here = pool->Register("main");
  const auto end_after = [&](DeviceRequest& request) {
    bool ran = false;
    const TaskId asked = *pool->AddRequest("disk", request);
    const TaskId then =
        *pool->Add([&ran] { ran = true; }, {.dependency = asked, .needs_success = true});
    REQUIRE(pool->Wait(then));
    return ran;
  };
  DeviceRequest fine(
      "fine", [](void*) { return Result<void>(); }, nullptr);
  CHECK(end_after(fine));
  DeviceRequest fails(
      "fails", [](void*) -> Result<void> { return Fail(ErrorCode::kIo, "disk", 5); }, nullptr);
  CHECK_FALSE(end_after(fails));
  DeviceRequest throws(
      "throws", [](void*) -> Result<void> { throw 7; }, nullptr);
  CHECK_FALSE(end_after(throws));
  REQUIRE(pool->StopDevice("disk"));
  CHECK_FALSE(end_after(fine));
}

TEMPLATE_TEST_CASE("an external task that a shutdown cancels has failed", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  const TaskId external = *pool->Add(TaskDef{.kind = TaskKind::kExternal});
  bool ran = false;
  const TaskId then =
      *pool->Add([&ran] { ran = true; }, {.dependency = external, .needs_success = true});
  REQUIRE(pool->Submit(external));
  REQUIRE(pool->Close(TaskShutdown::kCancel));
  CHECK(pool->IsComplete(then));
  CHECK_FALSE(ran);
}

TEST_CASE("a patience that is not above zero is refused") {
  const auto pool = TaskPool::Create({.devices = {"disk"}, .device_patience = milliseconds(0)});
  REQUIRE_FALSE(pool);
  CHECK(ToString(pool.error()) == "invalid device patience: it is above zero");
}

}  // namespace
}  // namespace nowait
