// CancelGroup: of a group each task is run or counted as cancelled, and all other tasks are run.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

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
