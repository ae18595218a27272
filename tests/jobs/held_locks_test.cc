// A lock that is held across a wait is noticed, whether or not the thread has to sleep.
#include "src/sync/held_locks.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "src/base/assert.h"
#include "src/bodies/body_locks.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "src/jobs/work_stealing.h"
#include "src/sync/barrier.h"
#include "src/sync/event_count.h"
#include "src/sync/scoped_lock.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#ifdef NDEBUG

TEST_CASE("without assertions mutexes are not counted") {
  EngineSync::mutex mutex;
  const ScopedLock lock(mutex);
  CHECK(HeldLocks::OfThisThread().scoped == 0);
  CHECK(HoldsNoLock<EngineSync>());
}

#else

struct Asserted {
  std::string what;
};
[[noreturn]] void ThrowIt(const FailedAssertion& failed) { throw Asserted{failed.what}; }

// While it lives, a failing assertion is an exception.
struct AssertionsThrow {
  AssertionsThrow() { assertion_handler = &ThrowIt; }
  ~AssertionsThrow() { assertion_handler = nullptr; }
};

// The assertion that a call fails by; empty if it succeeds.
std::string FailureOf(const std::function<bool()>& call) {
  const AssertionsThrow scope;
  try {
    if (!call()) return "an error";
  } catch (const Asserted& failed) {
    return failed.what;
  }
  return "";
}

struct NamedCall {
  const char* name;
  std::function<bool()> call;
};

// Calls that wait, none of which would have to sleep here.
std::vector<NamedCall> Waits(TaskPool& pool, TaskId complete, FrameLoop<WorkStealing<> >& loop) {
  const auto nothing = [](std::uint32_t, std::uint32_t) {};
  return {
      {"Wait", [&pool, complete] { return pool.Wait(complete).has_value(); }},
      {"DoWorkWhileWaitingFor",
       [&pool] { return pool.DoWorkWhileWaitingFor([] { return true; }).has_value(); }},
      {"a batch", [&pool] { return JobBatch().Run(pool).has_value(); }},
      {"a loop", [&pool, nothing] { return ParallelFor(pool, 1, 1, nothing).has_value(); }},
      {"a frame loop", [&loop] { return loop.Wait().has_value(); }},
      {"an event",
       [] {
         EventCount<>().Await([] { return true; });
         return true;
       }},
      {"a barrier",
       [] {
         Barrier<>(1).ArriveAndWait();
         return true;
       }},
      {"Close", [&pool] { return pool.Close(TaskShutdown::kFinish).has_value(); }},
  };
}

TEST_CASE("each call that waits sees that its caller holds a lock") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto complete = pool->AddEmpty();
  REQUIRE(complete);
  REQUIRE(pool->Wait(*complete));
  FrameLoop loop(*pool, [](const Frame&) {});
  REQUIRE(loop.Start(1));
  EngineSync::mutex mutex;
  BodyLocks bodies(4);
  for (const auto& [name, call] : Waits(*pool, *complete, loop)) {
    CAPTURE(name);
    {
      const ScopedLock lock(mutex);
      CHECK_THAT(FailureOf(call), Catch::Contains("no lock is held across"));
    }
    for (const bool write : {false, true}) {
      CAPTURE(write);
      WaitTime wait;
      write ? bodies.LockWriteAt(1, wait) : bodies.LockReadAt(1, wait);
      CHECK_THAT(FailureOf(call), Catch::Contains("no lock is held across"));
      write ? bodies.UnlockWriteAt(1) : bodies.UnlockReadAt(1);
    }
    CHECK(FailureOf(call).empty());
  }
}

TEST_CASE("an update of game objects neither makes nor changes tasks") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto held = pool->AddEmpty(), other = pool->AddEmpty();
  REQUIRE(held);
  REQUIRE(other);
  const std::vector<NamedCall> changes = {
      {"Add", [&] { return pool->Add({}).has_value(); }},
      {"a lambda", [&] { return pool->Add([] {}).has_value(); }},
      {"Submit", [&] { return pool->Submit(*held).has_value(); }},
      {"DependsOn", [&] { return pool->DependsOn(*held, *other).has_value(); }},
      {"Cancel", [&] { return pool->Cancel(*held).has_value(); }},
  };
  HeldLocks::OfThisThread().in_update = true;
  for (const auto& [name, call] : changes) {
    CAPTURE(name);
    CHECK(FailureOf(call) == "an update of game objects makes no task: its effects do");
  }
  HeldLocks::OfThisThread().in_update = false;
  for (const TaskId task : {*held, *other}) CHECK(pool->Wait(task));
}

TEST_CASE("an answer of a thread that has not registered may hand over, but not wait") {
  std::vector<std::string> thrown;
  const auto pool = MakePool(
      {.workers = 0, .on_throw = [&](TaskId, const char* what) { thrown.push_back(what); }});
  const auto here = pool->Register("main");
  REQUIRE(here);
  const auto asked = pool->Add({.kind = TaskKind::kExternal});
  struct HandOver {
    static void Run(void* data) {
      auto& of = *static_cast<HandOver*>(data);
      of.failure = FailureOf([&of] { return of.pool.Wait(of.complete).has_value(); });
    }
    TaskPool& pool;
    TaskId complete;
    std::string failure;
  } hand_over{*pool, *asked, {}};
  const auto next = pool->Add(
      {.work = {&HandOver::Run, &hand_over}, .dependency = *asked, .kind = TaskKind::kExternal});
  REQUIRE(pool->Submit(*asked));
  REQUIRE(pool->Submit(*next));
  std::thread([&] { static_cast<void>(pool->CompleteExternal(*asked)); }).join();
  CHECK(hand_over.failure == "an error");  // not a wait with the lock held
  REQUIRE(pool->CompleteExternal(*next));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(thrown.empty());
}

#endif

TEST_CASE("a thread knows of its own locks alone") {
  BodyLocks bodies(2);
  WaitTime wait;
  bodies.LockWriteAt(0, wait);
  bodies.LockWriteAt(1, wait);
  CHECK_FALSE(HoldsNoLock<EngineSync>());
  bool other_holds_none = false;
  std::thread([&] { other_holds_none = HoldsNoLock<EngineSync>(); }).join();
  CHECK(other_holds_none);
  bodies.UnlockWriteAt(1);
  CHECK_FALSE(HoldsNoLock<EngineSync>());
  bodies.UnlockWriteAt(0);
  CHECK(HoldsNoLock<EngineSync>());
}

}  // namespace
}  // namespace nowait
