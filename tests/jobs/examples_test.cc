// The examples do what their comments say.
#include "tests/jobs/examples.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/captured_work.h"
#include "src/jobs/device.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_plan.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

TEST_CASE("the examples do what their comments say") {
  const std::uint32_t workers = GENERATE(0u, 2u);
  const auto pool = MakePool({.workers = workers});
  const auto here = pool->Register("main");

  int sum = 4;
  REQUIRE(AddAndWait(*pool, &sum));
  CHECK(sum == 7);

  int two = 0;
  REQUIRE(AddWithoutError(*pool, &two));
  CHECK(two == 2);

  REQUIRE(WaitUrgently(*pool, &sum));
  CHECK(sum == 8);
  const TaskId path = *pool->Add(TaskDef{.kind = TaskKind::kExternal});
  CHECK(WaitAWhile(*pool, path) == Result<bool>(false));
  REQUIRE(pool->CompleteExternal(path));
  CHECK(WaitAWhile(*pool, path) == Result<bool>(true));

  TaskOutcome outcome;
  REQUIRE(NameAndOutcome(*pool, &outcome));
  CHECK(outcome.end() == TaskOutcome::End::kThrew);

  int left = 0, right = 0;
  REQUIRE(AfterTwo(*pool, &left, &right, &sum));
  CHECK(sum == 3);

  JobBatch batch;
  std::vector<int> values;
  REQUIRE(LoopAsNode(*pool, batch, values));
  CHECK(values == std::vector<int>(100, 2));

  bool shown = false;
  REQUIRE(OnlyAfterSuccess(*pool, &shown));
  CHECK_FALSE(shown);

  int ran = 0;
  CHECK(GiveUp(*pool, &ran) == Result<std::uint32_t>(5u));

  int a = 0, b = 0, all = 0;
  TaskPlan plan(3);
  REQUIRE(MakePlan(plan, &a, &b, &all));
  for (int frame = 0; frame < 3; ++frame) REQUIRE(RunPlan(*pool, plan));
  CHECK(all == 2 + 4 + 6);
  CHECK(ran == 0);
}

TEST_CASE("the examples of threads do what their comments say") {
  std::atomic<int> arenas{0};
  {
    const auto pool = MakePool(WithArenas(&arenas));
    CHECK(arenas == 2);
  }
  CHECK(arenas == 0);

  {
    const auto pool = MakePool(WithSoundWorker());
    const auto here = pool->Register("main");
    std::thread::id first, second;
    REQUIRE(MixSound(*pool, &first));
    REQUIRE(MixSound(*pool, &second));
    CHECK(first == second);
    CHECK(first != std::this_thread::get_id());
  }

  const auto pool = MakePool(WithDisk());
  const auto here = pool->Register("main");
  bool shown = false;
  DeviceRequest broken(
      "load", [](void*) -> Result<void> { return Fail(ErrorCode::kIo, "disk", 5); }, nullptr);
  CHECK(LoadFromDisk(*pool, broken, &shown) == std::unexpected(Error{ErrorCode::kIo, "disk", 5}));
  CHECK_FALSE(shown);
  DeviceRequest load(
      "load", [](void*) { return Result<void>(); }, nullptr);
  REQUIRE(LoadFromDisk(*pool, load, &shown));
  CHECK(shown);
}

}  // namespace
}  // namespace nowait
