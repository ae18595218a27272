// External tasks that a device of the user's has, and does not answer for.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

template <class Pool>
std::unique_ptr<Pool> PoolOf(std::uint32_t workers) {
  auto pool = Pool::Create({.workers = workers});
  REQUIRE(pool);
  return std::move(*pool);
}

TEMPLATE_TEST_CASE("a pool is destroyed while a device has tasks", "", EACH_POLICY) {
  const auto pool = PoolOf<TestType>(GENERATE(0u, 1u, 3u));
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto first = pool->Add({.kind = TaskKind::kExternal});
  REQUIRE(pool->Add({.dependency = *first, .kind = TaskKind::kExternal}));
  REQUIRE(pool->Add({.kind = TaskKind::kExternal}));
}

TEMPLATE_TEST_CASE("shut down with kCancel, an answer is stale, and nothing of the graph is open", "",
                   EACH_POLICY) {
  const auto pool = PoolOf<TestType>(GENERATE(0u, 1u, 3u));
  const auto here = pool->Register("main");
  REQUIRE(here);
  int ran = 0;
  const auto group = pool->AddEmpty();
  const auto out = pool->Add({.parent = *group, .kind = TaskKind::kExternal});
  const auto after = pool->Add({.work = {[](void* data) { ++*static_cast<int*>(data); }, &ran},
                                .dependency = *group});
  for (const TaskId task : {*group, *out, *after}) REQUIRE(pool->Submit(task));
  REQUIRE(pool->Close(TaskShutdown::kCancel));
  for (const TaskId task : {*group, *out, *after}) CHECK(pool->IsComplete(task));
  CHECK(ran == 0);
  CHECK(pool->CompleteExternal(*out).error().code == ErrorCode::kStaleId);
  CHECK(pool->Counts().cancelled == 2);
}

TEMPLATE_TEST_CASE("shut down with kFinish, a pool waits for the answer", "", EACH_POLICY) {
  const auto pool = PoolOf<TestType>(1);
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto out = pool->Add({.kind = TaskKind::kExternal});
  struct Answer {
    TestType& pool;
    TaskId task;
    std::optional<Result<void>> answered;
  } answer{*pool, *out, {}};
  REQUIRE(pool->Submit(*out));
  const auto answers = [](void* data) {
    auto& of = *static_cast<Answer*>(data);
    of.answered = of.pool.CompleteExternal(of.task);
  };
  REQUIRE(pool->Submit(*pool->Add({.work = {answers, &answer}})));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  REQUIRE(answer.answered->has_value());
}

}  // namespace
}  // namespace nowait
