// Exceptions of users' code, wherever the engine calls it: reported, counted, and nothing else is
// lost.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

// A pool that counts its reports.
template <class Pool>
struct Reported {
  explicit Reported(std::uint32_t workers, std::uint32_t capacity = 64)
      : pool(*Pool::Create({.workers = workers,
                            .capacity = capacity,
                            .on_throw = [this](TaskId, const char*) { ++reports; }})) {}

  TaskId Add(const TaskDef& def) {
    const auto task = pool->Add(def);
    REQUIRE(task);
    return *task;
  }

  std::atomic<int> reports{0};
  std::unique_ptr<Pool> pool;
};

void Throw(void*) { throw std::runtime_error("the device is gone"); }
constexpr TaskDef kBadHandOver{.work = {&Throw, nullptr}, .kind = TaskKind::kExternal};

TEMPLATE_TEST_CASE("a hand-over that throws is reported, and its task is done", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  Reported<TestType> all(workers);
  const auto here = all.pool->Register("main");
  const TaskId bad = all.Add(kBadHandOver);
  std::atomic<int> ran{0};
  const Job count{[](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &ran};
  const TaskId after = all.Add({.work = count, .dependency = bad});
  const TaskId held_later = all.Add({.work = count});
  SECTION("on the main thread, by its submission") {
    REQUIRE(all.pool->Submit(bad));
    REQUIRE(all.pool->IsComplete(bad));
  }
  SECTION("on the main thread, by a wait") { REQUIRE(all.pool->Wait(bad)); }
  REQUIRE(all.pool->Wait(after));
  REQUIRE(all.pool->Wait(held_later));
  REQUIRE(ran == 2);
  REQUIRE(all.reports == 1);
  REQUIRE(all.pool->CompleteExternal(bad).error().code == ErrorCode::kStaleId);
  REQUIRE(all.pool->Close(TaskShutdown::kFinish));
  REQUIRE(all.pool->Counts().threw == 1);
}

TEMPLATE_TEST_CASE("so is one that a worker makes, and a row of them needs no stack", "",
                   EACH_POLICY) {
  constexpr int kRow = 30'000;
  Reported<TestType> all(GENERATE(0u, 2u), kRow + 8);
  const auto here = all.pool->Register("main");
  const TaskId first = all.Add({.work = {[](void*) {}, nullptr}});
  TaskId last = first;
  for (int i = 0; i < kRow; ++i) {
    TaskDef def = kBadHandOver;
    def.dependency = last;
    last = all.Add(def);
  }
  REQUIRE(all.pool->Wait(last));
  REQUIRE(all.reports == kRow);
  REQUIRE(all.pool->Close(TaskShutdown::kFinish));
}

TEMPLATE_TEST_CASE("pieces that find no room are reported as others when they throw", "",
                   EACH_POLICY) {
  Reported<TestType> all(1, 1);
  const auto here = all.pool->Register("main");
  const TaskId group = all.Add({});
  while (all.pool->Add({.parent = group})) {
  }
  const auto loop = ParallelFor(
      *all.pool, 3, 1, [](std::uint32_t, std::uint32_t) { throw std::runtime_error("piece"); });
  REQUIRE_FALSE(loop);
  REQUIRE(loop.error() ==
          Error{ErrorCode::kWrongPhase, "loop", 3, "pieces threw or were cancelled"});
  REQUIRE(all.reports == 3);
  JobBatch batch(4);
  auto bad = [] { throw std::runtime_error("job"); };
  for (int i = 0; i < 4; ++i) REQUIRE(batch.Add(bad));
  REQUIRE(batch.Run(*all.pool).error() ==
          Error{ErrorCode::kWrongPhase, "job batch", 4, "jobs threw"});
  REQUIRE(all.reports == 7);
}

TEMPLATE_TEST_CASE("a loop counts in its error the pieces that threw, and no other", "",
                   EACH_POLICY) {
  Reported<TestType> all(GENERATE(0u, 2u));
  const auto here = all.pool->Register("main");
  for (const std::uint32_t bad : {0u, 1u, 3u}) {
    CAPTURE(bad);
    const auto loop = ParallelFor(*all.pool, 4, 1, [&](std::uint32_t begin, std::uint32_t) {
      if (begin < bad) throw std::runtime_error("piece");
    });
    if (bad == 0) {
      CHECK(loop);
      continue;
    }
    REQUIRE_FALSE(loop);
    CHECK(loop.error() ==
          Error{ErrorCode::kWrongPhase, "loop", bad, "pieces threw or were cancelled"});
  }
}

// Each of two pieces goes on when the other one has begun: so the thread that destroys the pool
// runs one.
TEMPLATE_TEST_CASE("a piece that the pool's destructor runs is reported when it throws", "",
                   EACH_POLICY) {
  struct Pieces {
    Reported<TestType> all{1};
    std::atomic<int> begun{0};
    static void Run(void* data) {
      auto& pieces = *static_cast<Pieces*>(data);
      JobBatch batch(2);
      auto meet = [&](std::uint32_t, std::uint32_t) {
        ++pieces.begun;
        while (pieces.begun < 2) EngineSync::Yield();
        throw std::runtime_error("piece");
      };
      REQUIRE(batch.AddLoop(2, 1, meet));
      REQUIRE_FALSE(batch.Run(*pieces.all.pool));
    }
  } pieces;
  {
    const auto here = pieces.all.pool->Register("main");
    const TaskId task = pieces.all.Add({.work = {&Pieces::Run, &pieces}});
    REQUIRE(pieces.all.pool->Submit(task));
    while (pieces.begun == 0) EngineSync::Yield();
  }
  pieces.all.pool.reset();
  REQUIRE(pieces.all.reports == 2);
}

// The second task is the one that a thread keeps to itself when it has run the first.
TEMPLATE_TEST_CASE("a done() that throws is reported and ends the help, and no task is lost", "",
                   EACH_POLICY) {
  Reported<TestType> all(GENERATE(0u, 1u));
  const auto here = all.pool->Register("main");
  std::atomic<int> ran{0};
  const Job count{[](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &ran};
  const TaskId first = all.Add({.work = count});
  const TaskId second = all.Add({.work = count, .dependency = first});
  const auto throws_late = [&]() -> bool {
    if (ran == 0) return false;
    throw std::runtime_error("no such flag");
  };
  REQUIRE(all.pool->DoWorkWhileWaitingFor(throws_late).error() ==
          Error{ErrorCode::kWrongPhase, "done", 0, "it threw"});
  REQUIRE(all.reports == 1);
  REQUIRE(all.pool->Wait(second));
  REQUIRE(ran == 2);
  REQUIRE(all.pool->DoWorkWhileWaitingFor([] { return true; }));
  REQUIRE(all.pool->Close(TaskShutdown::kFinish));
  REQUIRE(all.pool->Counts().threw == 1);
}

}  // namespace
}  // namespace nowait
