// Idempotent work: a thread that waits does it beside a worker that stalls in it.
#include <catch2/catch.hpp>
#include <functional>
#include <latch>
#include <stdexcept>
#include <utility>

#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/jobs/pool_calls.h"

namespace nowait {
namespace {

// Work that can be done twice; each run has a buffer of its own.
struct Twice {
  explicit Twice(std::function<int(int run)> work) : compute(std::move(work)) {}

  IdempotentJob job{[](void* data, int run) {
                      auto& twice = *static_cast<Twice*>(data);
                      twice.buffers[run] = twice.compute(run);
                    },
                    [](void* data, int run) {
                      auto& twice = *static_cast<Twice*>(data);
                      twice.result = twice.buffers[run];
                      ++twice.commits;
                      twice.committed.count_down();
                    },
                    [](void* data) { static_cast<Twice*>(data)->released.count_down(); }, this};
  std::function<int(int)> compute;
  int buffers[2] = {};
  int result = 0, commits = 0;
  std::latch committed{1}, released{1};
};

TEMPLATE_TEST_CASE("a waiting thread does the idempotent work that a worker stalls in", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::latch started(1);
  Twice twice([&](int run) {
    if (run == 0) {
      started.count_down();
      twice.committed.wait();
    }
    return 42;
  });
  const TaskId task = Get(tasks.AddIdempotent(twice.job));
  Do(tasks.Submit(task));
  started.wait();  // not by helping: a worker has begun it
  SECTION("outside all tasks") { Do(tasks.Wait(task)); }
  SECTION("below another one") {
    const TaskId top = Get(tasks.Add({.dependency = task}));
    Do(tasks.Wait(top));
  }
  REQUIRE(twice.result == 42);
  twice.released.wait();
  REQUIRE(twice.commits == 1);
  REQUIRE(twice.buffers[0] == 42);
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().again == 1);
}

TEMPLATE_TEST_CASE("idempotent work that throws completes its task without a commit", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Twice twice([](int) -> int { throw std::runtime_error("no result"); });
  Do(tasks.Wait(Get(tasks.AddIdempotent(twice.job))));
  twice.released.wait();
  REQUIRE(twice.commits == 0);
  REQUIRE(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 1);
}

TEMPLATE_TEST_CASE("a wrong definition of idempotent work is refused", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  ErrorCode made{};
  Twice twice([&](int) {
    made = CodeOf(tasks.Add({}));
    return 1;
  });
  REQUIRE(CodeOf(tasks.AddIdempotent(twice.job, {.affinity = 1})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.AddIdempotent(twice.job, {.kind = TaskKind::kExternal})) ==
          ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.Add({.kind = TaskKind::kIdempotent})) == ErrorCode::kInvalidArgument);
  IdempotentJob without_release = twice.job;
  without_release.release = nullptr;
  REQUIRE(CodeOf(tasks.AddIdempotent(without_release)) == ErrorCode::kInvalidArgument);
  Do(tasks.Wait(Get(tasks.AddIdempotent(twice.job))));
  REQUIRE(made == ErrorCode::kWrongPhase);
}

}  // namespace
}  // namespace nowait
