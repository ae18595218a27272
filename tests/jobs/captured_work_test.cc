// Callables as the work of tasks: each is called once with its own captures, however many tasks
// have been in its slot before.
#include "src/jobs/captured_work.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/jobs/job.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

[[maybe_unused]] inline auto WithArray(std::array<char, 48> array) {
  return [array] { static_cast<void>(array); };
}
[[maybe_unused]] inline auto WithMore(std::array<char, 49> array) {
  return [array] { static_cast<void>(array); };
}
[[maybe_unused]] inline auto WithText(std::string text) {
  return [text] { static_cast<void>(text); };
}
static_assert(CapturesLittle<decltype(WithArray({}))>);
static_assert(CapturesPlainData<decltype(WithArray({}))>);
static_assert(!CapturesLittle<decltype(WithMore({}))>);
static_assert(!CapturesPlainData<decltype(WithText(""))>);

TEMPLATE_TEST_CASE("each callable is called once, with its own captures", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto pool = MakePool<TestType>({.workers = workers, .capacity = 64});
  const auto here = pool->Register("main");
  constexpr std::uint32_t kTasks = 50;
  // More rounds than there are slots: each slot has had other captures before.
  for (std::uint32_t round = 0; round < 40; ++round) {
    std::vector<std::uint64_t> seen(kTasks, 0);
    const auto all = pool->AddEmpty();
    REQUIRE(all);
    for (std::uint32_t i = 0; i < kTasks; ++i) {
      const std::array<std::uint64_t, 4> own = {round, i, round + i, ~std::uint64_t{i}};
      const auto added = pool->Add(
          [&seen, own] { seen[own[1]] += own[2] == own[0] + own[1] && ~own[3] == own[1] ? 1 : 99; },
          {.parent = *all});
      REQUIRE(added);
    }
    REQUIRE(pool->Wait(*all));
    REQUIRE(seen == std::vector<std::uint64_t>(kTasks, 1));
  }
}

TEST_CASE("a callable makes tasks of its own, and changes its captures") {
  const auto pool = MakePool({.workers = 1});
  const auto here = pool->Register("main");
  std::atomic<int> sum{0};
  TaskPool* const in = pool.get();
  const auto parent = pool->Add([in, &sum, left = 3]() mutable {
    while (left-- > 0) {
      const auto child = in->Add([&sum, left] { sum += 1 + left; }, {.parent = *in->Current()});
      if (!child) sum = -1000;
    }
  });
  REQUIRE(parent);
  REQUIRE(pool->Wait(*parent));
  REQUIRE(sum == 3 + 2 + 1);
}

TEST_CASE("an outcome says how the work of a task has ended") {
  const std::uint32_t workers = GENERATE(0u, 1u);
  int reports = 0;
  const auto pool =
      MakePool({.workers = workers, .on_throw = [&reports](TaskId, const char*) { ++reports; }});
  const auto here = pool->Register("main");
  TaskOutcome outcome;
  const auto run = [&](auto work, bool cancel) {
    const auto task = pool->Add(work, {}, {.outcome = &outcome});
    REQUIRE(task);
    CHECK(outcome.end() == TaskOutcome::End::kNotRun);
    if (cancel) CHECK(pool->Cancel(*task) == Result<bool>(true));
    REQUIRE(pool->Wait(*task));
    return outcome.end();
  };
  // One outcome for one task after another: nothing of an earlier one stays.
  CHECK(run([] { throw std::runtime_error(std::string(500, 'x')); }, false) ==
        TaskOutcome::End::kThrew);
  CHECK(std::string_view(outcome.text()) == std::string(111, 'x'));
  CHECK(run([] { throw 1; }, false) == TaskOutcome::End::kThrew);
  CHECK(std::string_view(outcome.text()) == "not a std::exception");
  CHECK(run([] {}, false) == TaskOutcome::End::kReturned);
  CHECK(std::string_view(outcome.text()).empty());
  CHECK(run([] {}, true) == TaskOutcome::End::kNotRun);
  CHECK(reports == 2);
}

TEST_CASE("a task with a name has a span of that name") {
  Profile profile({.lanes = 2, .spans_per_lane = 16, .samples_per_lane = 16});
  {
    const auto pool = MakePool({.workers = 0, .profile = &profile});
    const auto here = pool->Register("main");
    const auto named = pool->Add([] {}, {}, {.name = "animate"});
    REQUIRE(named);
    REQUIRE(pool->Wait(*named));
    const auto nameless = pool->Add([] {});
    REQUIRE(nameless);
    REQUIRE(pool->Wait(*nameless));
  }
  int named = 0, tasks = 0;
  for (const Lane& lane : profile.lanes()) {
    for (const auto& span : lane.spans) {
      named += std::string_view(span.name) == "animate" ? 1 : 0;
      tasks += std::string_view(span.name) == "task" ? 1 : 0;
    }
  }
  CHECK(named == 1);
  CHECK(tasks == 2);
}

TEST_CASE("a callable is all the work of its task") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  const auto nothing = [] {};
  const Error all{ErrorCode::kInvalidArgument, "task", 0, "the callable is all its work"};
  CHECK(pool->Add(nothing, {.work = {[](void*) {}, nullptr}}).error() == all);
  CHECK(pool->Add(nothing, {.kind = TaskKind::kExternal}).error() == all);
  CHECK(pool->Add(nothing, {.kind = TaskKind::kList}).error() == all);
  CHECK(pool->Add(nothing, {.priority = 9}).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("a full pool takes no callable, and keeps the others") {
  const auto pool = MakePool({.workers = 0, .capacity = 1});
  const auto here = pool->Register("main");
  int ran = 0, added = 0;
  auto task = pool->Add([&ran] { ++ran; });
  for (; task; task = pool->Add([&ran] { ++ran; })) ++added;
  CHECK(task.error().code == ErrorCode::kCapacity);
  REQUIRE(pool->DoWorkWhileWaitingFor([&] { return ran == added; }));
  CHECK(added >= 1);
}

}  // namespace
}  // namespace nowait
