// The ends of a pool: all work done, no more begun, or destroyed with work outstanding.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <thread>

#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/jobs/pool_calls.h"

namespace nowait {
namespace {

TEMPLATE_TEST_CASE("shut down, a pool has finished all tasks, and those that they made", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>(
      {.main_threads = {"update", "render"}, .workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& tasks = *owned;
  auto here = Get(tasks.Register("update"));
  const std::uint8_t to_update = Get(tasks.AffinityTo("update"));
  const std::uint8_t to_render = Get(tasks.AffinityTo("render"));
  std::atomic<int> ran = 0, wrong = 0;
  std::function<void()> leaf = [&] { ++ran; };
  std::function<void()> spawns = [&] {
    ++ran;
    const auto child = tasks.Add({.work = Call(leaf)});
    const auto own = tasks.Add({.work = Call(leaf), .affinity = to_update});
    const auto gone = tasks.Add({.work = Call(leaf), .affinity = to_render});
    if (!child || !own || !gone || !tasks.Wait(*child) || !tasks.Wait(*gone)) ++wrong;
  };
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(Get(tasks.Add({.work = Call(spawns)})));
  }
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(ran == 60);  // the tasks of "render" were cancelled: that thread is gone
  REQUIRE(wrong == 0);
  REQUIRE(tasks.Counts().ran == 60);
  REQUIRE(tasks.Counts().cancelled == 20);
  REQUIRE(tasks.Add({.work = Call(leaf)}).error() ==
          Error{ErrorCode::kWrongPhase, "task", 0, "the pool has been shut down"});
  REQUIRE(CodeOf(tasks.Close(TaskShutdown::kFinish)) == ErrorCode::kWrongPhase);
}

TEMPLATE_TEST_CASE("shut down the other way, a pool has begun nothing more", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 8u);
  const auto owned = MakePool<TestType>({.workers = workers});
  TestType& tasks = *owned;
  auto here = Get(tasks.Register("main"));
  std::atomic<int> ran = 0, refused = 0;
  std::atomic<bool> started = false, closing = false;
  std::function<void()> leaf = [&] { ++ran; };
  // Runs from before the shutdown until after it has begun.
  std::function<void()> lasts = [&] {
    const auto child = tasks.Add({.work = Call(leaf)});
    started = true;
    started.notify_all();
    while (!closing) std::this_thread::yield();
    for (;;) {
      const auto more = tasks.AddEmpty();
      if (!more) break;
      static_cast<void>(tasks.Submit(*more));
    }
    ++refused;
    static_cast<void>(tasks.Wait(*child));
  };
  if (workers > 0) {
    Do(tasks.Submit(Get(tasks.Add({.work = Call(lasts)}))));
    started.wait(false);
  }
  const TaskId held = Get(tasks.AddEmpty());
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(Get(tasks.Add({.work = Call(leaf), .parent = held})));
  }
  closing = true;
  Do(tasks.Close(TaskShutdown::kCancel));
  REQUIRE(tasks.IsComplete(held));
  REQUIRE(ran == 0);
  REQUIRE(refused == (workers > 0 ? 1 : 0));
}

TEMPLATE_TEST_CASE("a pool may be destroyed with work outstanding", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  std::atomic<int> ran = 0;
  std::function<void()> leaf = [&] { ++ran; };
  for (int round = 0; round < 50; ++round) {
    const auto owned = MakePool<TestType>({.workers = workers});
    TestType& tasks = *owned;
    const auto here = tasks.Register("main");
    for (int i = 0; i < 20; ++i) static_cast<void>(Get(tasks.Add({.work = Call(leaf)})));
  }
  REQUIRE(ran <= 50 * 20);
}

}  // namespace
}  // namespace nowait
