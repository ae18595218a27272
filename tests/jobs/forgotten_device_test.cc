// External tasks that a device of the user's has, and answers from a thread of its own, or never.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

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

TEMPLATE_TEST_CASE("shut down with kCancel, an answer is stale, and nothing of the graph is open",
                   "", EACH_POLICY) {
  const auto pool = PoolOf<TestType>(GENERATE(0u, 1u, 3u));
  const auto here = pool->Register("main");
  REQUIRE(here);
  int ran = 0;
  const auto group = pool->AddEmpty();
  const auto out = pool->Add({.parent = *group, .kind = TaskKind::kExternal});
  const auto after = pool->Add(
      {.work = {[](void* data) { ++*static_cast<int*>(data); }, &ran}, .dependency = *group});
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

// The result of an answer by a thread that has not registered with the pool.
template <class Pool>
Result<void> AnswerOfAnother(Pool& pool, TaskId task) {
  Result<void> answered;
  std::thread([&] { answered = pool.CompleteExternal(task); }).join();
  return answered;
}

TEMPLATE_TEST_CASE("a thread that has not registered answers once, and that counts at once", "",
                   EACH_POLICY) {
  const auto pool = PoolOf<TestType>(GENERATE(0u, 1u, 3u));
  const auto here = pool->Register("main");
  REQUIRE(here);
  int ran = 0;
  const auto out = pool->Add({.kind = TaskKind::kExternal});
  const auto after = pool->Add(
      {.work = {[](void* data) { ++*static_cast<int*>(data); }, &ran}, .dependency = *out});
  const auto held = pool->Add({.kind = TaskKind::kExternal});
  for (const TaskId task : {*out, *after}) REQUIRE(pool->Submit(task));
  // Its creator holds it: the graph refuses the answer, not the pool the thread.
  REQUIRE(std::string_view(AnswerOfAnother(*pool, *held).error().subject) == "task");
  REQUIRE(AnswerOfAnother(*pool, *out));
  CHECK(pool->IsComplete(*out));
  REQUIRE(pool->Wait(*after));
  CHECK(ran == 1);
  CHECK(AnswerOfAnother(*pool, *out).error().code == ErrorCode::kStaleId);
}

TEMPLATE_TEST_CASE("threads that have not registered answer beside each other and beside Close", "",
                   EACH_POLICY) {
  constexpr int kThreads = 3;
  constexpr int kEach = 200;
  const auto pool = PoolOf<TestType>(GENERATE(0u, 2u));
  std::vector<std::thread> devices;
  std::atomic<int> ran{0};
  {
    const auto here = pool->Register("main");
    REQUIRE(here);
    std::vector<TaskId> out;
    for (int i = 0; i < kThreads * kEach; ++i) {
      const auto task = pool->Add({.kind = TaskKind::kExternal});
      REQUIRE(task);
      const auto count = [](void* data) {
        static_cast<std::atomic<int>*>(data)->fetch_add(1, std::memory_order::relaxed);
      };
      REQUIRE(pool->Add({.work = {count, &ran}, .dependency = *task}));
      REQUIRE(pool->Submit(*task));
      out.push_back(*task);
    }
    for (int t = 0; t < kThreads; ++t) {
      devices.emplace_back(
          [&pool = *pool,
           tasks = std::vector<TaskId>(out.begin() + t * kEach, out.begin() + (t + 1) * kEach)] {
            for (const TaskId task : tasks) static_cast<void>(pool.CompleteExternal(task));
          });
    }
    CHECK(pool->Close(TaskShutdown::kFinish));
  }
  for (std::thread& device : devices) device.join();
  CHECK(ran.load() == kThreads * kEach);
}

TEMPLATE_TEST_CASE("such an answer hands over the next task, whose report answers for a third", "",
                   EACH_POLICY) {
  struct Chain {
    TestType* pool = nullptr;
    TaskId third;
    std::optional<Result<void>> answered;
  } chain;
  auto made = TestType::Create({.workers = 0, .on_throw = [&chain](TaskId, const char*) {
                                  chain.answered = chain.pool->CompleteExternal(chain.third);
                                }});
  REQUIRE(made);
  chain.pool = made->get();
  const auto here = chain.pool->Register("main");
  REQUIRE(here);
  const auto first = chain.pool->Add({.kind = TaskKind::kExternal});
  const auto second =
      chain.pool->Add({.work = {[](void*) { throw std::runtime_error("no device"); }, nullptr},
                       .dependency = *first,
                       .kind = TaskKind::kExternal});
  const auto third = chain.pool->Add({.kind = TaskKind::kExternal});
  chain.third = *third;
  for (const TaskId task : {*first, *second, *third}) REQUIRE(chain.pool->Submit(task));
  REQUIRE(AnswerOfAnother(*chain.pool, *first));
  for (const TaskId task : {*first, *second, *third}) CHECK(chain.pool->IsComplete(task));
  REQUIRE(chain.answered.has_value());
  CHECK(chain.answered->has_value());
  REQUIRE(chain.pool->Close(TaskShutdown::kFinish));
  CHECK(chain.pool->Counts().threw == 1);
}

}  // namespace
}  // namespace nowait
