// A plan runs each of its nodes once in each run, after the nodes that it names, in plans made at
// random; and it says what it has no room for.
#include "src/jobs/task_plan.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "src/jobs/captured_work.h"
#include "src/jobs/job.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

// Its tasks point into it.
static_assert(!std::is_copy_constructible_v<TaskPlan> && !std::is_move_constructible_v<TaskPlan>);

struct Step {
  std::vector<TaskPlan::Node> after;
  std::uint32_t early = 0;
  std::uint32_t runs = 0;  // plain: TSan finds a node that does not come after what it names
};

TEMPLATE_TEST_CASE("each node of a random plan is run once in each run, after what it names", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint64_t seed = GENERATE(21u, 22u, 23u, 24u);
  CAPTURE(seed);
  Random random(seed);
  const auto pool = MakePool<TestType>({.workers = workers, .capacity = 1024});
  const auto here = pool->Register("main");
  const std::uint32_t count = 1 + random.Below(50);
  std::vector<Step> steps(count);
  TaskPlan plan(count, 5 * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = i == 0 ? 0 : random.Below(6); k > 0; --k) {
      steps[i].after.push_back(random.Below(i));
    }
    const auto node = plan.Add(
        [&steps, i, run = 0u]() mutable {
          ++run;
          for (const TaskPlan::Node one : steps[i].after)
            steps[i].early += steps[one].runs == run ? 0 : 1;
          steps[i].runs = run;
        },
        steps[i].after);
    REQUIRE(node == Result<TaskPlan::Node>(i));
  }
  for (std::uint32_t run = 1; run <= 30; ++run) {
    const auto all = plan.AddTo(*pool);
    REQUIRE(all);
    REQUIRE(pool->Wait(*all));
    for (const Step& step : steps) {
      REQUIRE(step.runs == run);
      REQUIRE(step.early == 0);
    }
  }
}

void Nothing(void*) {}

TEST_CASE("a plan says what it has no room for, and keeps what it has") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  TaskPlan plan(3, 2);
  int ran = 0;
  const auto first = plan.Add([&ran] { ++ran; });
  REQUIRE(first);
  const std::array both = {*first, *first};
  REQUIRE(plan.Add([&ran] { ++ran; }, both));
  CHECK(plan.Add([&ran] { ++ran; }, both).error() ==
        Error{ErrorCode::kCapacity, "links of a task plan", 2});
  REQUIRE(plan.Add([&ran] { ++ran; }));
  CHECK(plan.Add([&ran] { ++ran; }).error() ==
        Error{ErrorCode::kCapacity, "nodes of a task plan", 3});
  const auto all = plan.AddTo(*pool);
  REQUIRE(all);
  REQUIRE(pool->Wait(*all));
  CHECK(ran == 3);
}

TEST_CASE("what is no node of a plan is refused") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  TaskPlan plan(4);
  CHECK(plan.Add([] {}, std::array<TaskPlan::Node, 1>{0}).error() ==
        Error{ErrorCode::kInvalidArgument, "node", 0, "it comes later, or not at all"});
  const auto task = pool->AddEmpty();
  REQUIRE(task);
  const Error names{ErrorCode::kInvalidArgument, "task plan", 0, "its nodes name nodes, not tasks"};
  CHECK(plan.Add({.work = {&Nothing, nullptr}, .parent = *task}).error() == names);
  CHECK(plan.Add([] {}, {}, {.dependency = *task}).error() == names);
  CHECK(plan.Add({.kind = TaskKind::kList}).error().code == ErrorCode::kInvalidArgument);
  CHECK(plan.Add([] {}, {}, {.work = {&Nothing, nullptr}}).error().code ==
        ErrorCode::kInvalidArgument);
  const auto nothing = plan.AddTo(*pool);
  REQUIRE(nothing);
  REQUIRE(pool->Wait(*nothing));
}

TEST_CASE("a plan is not run before its last run is complete") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  TaskPlan plan(1);
  int ran = 0;
  REQUIRE(plan.Add([&ran] { ++ran; }));
  const auto all = plan.AddTo(*pool);
  REQUIRE(all);
  CHECK(plan.AddTo(*pool).error() ==
        Error{ErrorCode::kWrongPhase, "task plan", 0, "its last run is not complete"});
  REQUIRE(pool->Wait(*all));
  const auto again = plan.AddTo(*pool, {.dependency = *all});  // a task of a run that is over
  REQUIRE(again);
  REQUIRE(pool->Wait(*again));
  CHECK(ran == 2);
}

TEST_CASE("the outcomes of a plan are those of its last run") {
  using End = TaskOutcome::End;
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  TaskPlan plan(2);
  TaskOutcome first, then;
  const auto bad = plan.Add(
      [run = 0]() mutable {
        if (++run == 1) throw std::runtime_error("no file");
      },
      {}, {}, {.outcome = &first});
  REQUIRE(bad);
  REQUIRE(plan.Add([] {}, std::array{*bad}, {.needs_success = true}, {.outcome = &then}));
  const auto run = [&](bool cancels) {
    const auto all = plan.AddTo(*pool);
    REQUIRE(all);
    if (cancels) REQUIRE(pool->CancelGroup(*all) == Result<std::uint32_t>(2u));
    REQUIRE(pool->Wait(*all));
  };
  run(false);
  CHECK(first.end() == End::kThrew);
  CHECK(first.text() == std::string("no file"));
  CHECK(then.end() == End::kNotRun);
  run(false);
  CHECK(first.end() == End::kReturned);
  CHECK(first.text() == std::string());
  CHECK(then.end() == End::kReturned);
  run(true);
  CHECK(first.end() == End::kNotRun);
  CHECK(then.end() == End::kNotRun);
}

TEST_CASE("a run of a plan comes after its dependency, and can need its success") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  TaskPlan plan(2);
  bool done = false;
  int ran = 0, early = 0;
  const auto root = plan.Add([&] { ++(done ? ran : early); });
  REQUIRE(root);
  REQUIRE(plan.Add([&] { ++(done ? ran : early); }, std::array{*root}, {.needs_success = true}));
  // Less urgent: without the dependency the nodes would go first.
  const auto before = pool->Add([&done] { done = true; }, {.priority = 2});
  REQUIRE(before);
  const auto all = plan.AddTo(*pool, {.dependency = *before});
  REQUIRE(all);
  REQUIRE(pool->Wait(*all));
  CHECK(early == 0);
  CHECK(ran == 2);
  const auto bad = pool->Add([] { throw 1; });
  REQUIRE(bad);
  const auto none = plan.AddTo(*pool, {.dependency = *bad, .needs_success = true});
  REQUIRE(none);
  REQUIRE(pool->Wait(*none));
  CHECK(ran == 2);
}

TEST_CASE("a run for which the pool has no room is taken back whole") {
  const auto pool = MakePool({.workers = 0, .capacity = 1});
  const auto here = pool->Register("main");
  constexpr std::uint32_t kNodes = 300;  // more than the pool has slots
  TaskPlan plan(kNodes);
  int ran = 0;
  for (std::uint32_t i = 0; i < kNodes; ++i) REQUIRE(plan.Add([&ran] { ++ran; }));
  for (int round = 0; round < 3; ++round) {
    CHECK(plan.AddTo(*pool).error().code == ErrorCode::kCapacity);
  }
  const auto room = pool->Add([&ran] { ran += 1000; });
  REQUIRE(room);
  REQUIRE(pool->Wait(*room));
  CHECK(ran == 1000);
}

}  // namespace
}  // namespace nowait
