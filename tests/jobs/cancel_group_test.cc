// CancelGroup: of a group each task is run or counted as cancelled, and all other tasks are run.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("each task of a random tree is run or cancelled, and no other is cancelled", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint64_t seed = GENERATE(31u, 32u, 33u);
  CAPTURE(seed);
  Random random(seed);
  const auto pool = MakePool<TestType>({.workers = workers, .capacity = 1024});
  const auto here = pool->Register("main");
  for (int round = 0; round < 100; ++round) {
    std::atomic<std::uint32_t> ran{0}, others{0};
    const std::uint32_t count = 1 + random.Below(60);
    std::vector<TaskId> tree;
    for (std::uint32_t i = 0; i < count; ++i) {
      TaskId parent;
      if (i != 0) parent = tree[random.Below(i)];
      // A dependency of a task of the tree is not of the group.
      const auto other = pool->Add([&others] { ++others; });
      REQUIRE(other);
      const auto task = pool->Add([&ran] { ++ran; }, {.parent = parent, .dependency = *other});
      REQUIRE(task);
      tree.push_back(*task);
    }
    if (random.Below(2) == 0) {
      for (std::uint32_t i = random.Below(count); i > 0; --i) {
        static_cast<void>(pool->Submit(tree[i]));  // some are submitted already, or are waited for
      }
    }
    const auto cancelled = pool->CancelGroup(tree[0]);
    REQUIRE(cancelled);
    REQUIRE(pool->Wait(tree[0]));
    REQUIRE(*cancelled + ran == count);
    REQUIRE(pool->DoWorkWhileWaitingFor([&] { return others == count; }));
  }
}

TEST_CASE("the tasks below a task are cancelled with it, and that is a failure") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  int ran = 0;
  bool then = false, always = false;
  const auto group = pool->AddEmpty();
  REQUIRE(group);
  const auto child = pool->Add([&ran] { ++ran; }, {.parent = *group});
  REQUIRE(child);
  REQUIRE(pool->Add([&ran] { ++ran; }, {.parent = *child}));
  const auto needs =
      pool->Add([&then] { then = true; }, {.dependency = *group, .needs_success = true});
  REQUIRE(needs);
  const auto last = pool->Add([&always] { always = true; }, {.dependency = *needs});
  REQUIRE(last);
  CHECK(pool->CancelGroup(*group) == Result<std::uint32_t>(2u));
  CHECK(pool->CancelGroup(*group) == Result<std::uint32_t>(0u));
  REQUIRE(pool->Wait(*last));
  CHECK(ran == 0);
  CHECK_FALSE(then);
  CHECK(always);
}

// The hand-over of a task that depends on one of the group throws, and the report cancels another
// group: inside the first call.
TEST_CASE("a report may cancel a group while another one is cancelled") {
  constexpr std::uint32_t kEach = 40;
  TaskPool* pool_of_report = nullptr;
  TaskId other;
  std::uint32_t of_other = 0;
  const auto report = [&](TaskId, const char*) {
    const auto cancelled = pool_of_report->CancelGroup(other);
    if (cancelled) of_other += *cancelled;
  };
  const auto pool = MakePool({.workers = 0, .capacity = 1024, .on_throw = report});
  pool_of_report = pool.get();
  const auto here = pool->Register("main");
  const auto submitted = [&](const TaskDef& def) {
    const auto task = pool->Add(def);
    REQUIRE(task);
    REQUIRE(pool->Submit(*task));
    return *task;
  };
  const Job nothing{[](void*) {}, nullptr};
  const TaskId group = submitted({.work = nothing});
  other = submitted({.work = nothing});
  for (std::uint32_t i = 1; i < kEach; ++i) {
    const TaskId child = submitted({.work = nothing, .parent = group});
    submitted({.work = nothing, .parent = child});
    submitted({.work = nothing, .parent = other});
    if (i + 1 == kEach) {
      submitted({.work = {[](void*) { throw 1; }, nullptr},
                 .dependency = child,
                 .kind = TaskKind::kExternal});
    }
  }
  CHECK(pool->CancelGroup(group) == Result<std::uint32_t>(2 * kEach - 1));
  REQUIRE(pool->Wait(other));
  CHECK(of_other == kEach);
}

TEST_CASE("no task, a task of another pool, and a pool of other threads are refused") {
  const auto pool = MakePool({.workers = 0}), other = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  CHECK(pool->CancelGroup(TaskId()).error().code == ErrorCode::kInvalidArgument);
  const auto task = pool->AddEmpty();
  REQUIRE(task);
  CHECK(other->CancelGroup(*task).error().code == ErrorCode::kNotOwner);
  const auto there = other->Register("main");
  REQUIRE(there);
  CHECK(other->CancelGroup(*task).error().code == ErrorCode::kInvalidArgument);
  REQUIRE(pool->Wait(*task));
  // Complete: there is nothing to cancel.
  CHECK(pool->CancelGroup(*task) == Result<std::uint32_t>(0u));
}

}  // namespace
}  // namespace nowait
