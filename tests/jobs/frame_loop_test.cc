#include "src/jobs/frame_loop.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "src/jobs/run_later.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

template <class T>
T Get(Result<T> result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
  return *std::move(result);
}
void Do(const Result<void>& result) {
  INFO((result ? std::string() : ToString(result.error())));
  REQUIRE(result);
}
template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEST_CASE("a deferred job whose task is cancelled is counted") {
  const auto pool = MakePool({.workers = 0});
  const auto here = Get(pool->Register("main"));
  int ran = 0;
  FrameLoop<WorkStealing<>>* made_by = nullptr;
  FrameLoop<WorkStealing<>> loop(*pool, [&](const Frame&) {
    for (int i = 0; i < 2; ++i) {
      made_by->Defer({[](void* data) { ++*static_cast<int*>(data); }, &ran});
    }
  });
  made_by = &loop;
  Do(loop.Start(1));
  // By then the late part has made tasks of both, and one has not begun.
  Do(pool->DoWorkWhileWaitingFor([&] { return ran == 1; }));
  Do(pool->Close(TaskShutdown::kCancel));
  CHECK(ran == 1);
  CHECK(loop.deferred() == 1);
}

TEMPLATE_TEST_CASE("each frame begins after all of the one before", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  constexpr int kTasks = 8;
  std::vector<std::uint64_t> numbers;  // plain: a data race if frames overlapped
  std::atomic<int> ran = 0, wrong = 0;
  std::function<void()> leaf = [&] { ++ran; };
  std::function<void()> parts = [&] {  // makes tasks of its own
    for (int i = 0; i < kTasks - 1; ++i) {
      if (!pool.Add({.work = Call(leaf), .parent = *pool.Current()})) ++wrong;
    }
    ++ran;
  };
  FrameLoop loop(pool, [&](const Frame& frame) {
    if (ran != static_cast<int>(numbers.size()) * kTasks) ++wrong;
    numbers.push_back(frame.number());
    if (!pool.Add({.work = Call(parts), .parent = frame.tick()})) ++wrong;
  });
  REQUIRE(CodeOf(loop.Wait()) == ErrorCode::kWrongPhase);
  for (int again = 0; again < 2; ++again) {
    numbers.clear();
    ran = 0;
    Do(loop.Start(100));
    Do(loop.Wait());
    REQUIRE(ran == 100 * kTasks);
    REQUIRE(wrong == 0);
    REQUIRE(numbers.size() == 100);
    for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(numbers[i] == i);
  }
}

TEMPLATE_TEST_CASE("a loop is started by a task and stopped by a frame, and nobody waits for it",
                   "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::uint64_t frames = 0;
  std::function<void()> stop;
  FrameLoop loop(pool, [&](const Frame& frame) {
    frames = frame.number() + 1;
    if (frames == 50) stop();
  });
  stop = [&] { loop.Stop(); };
  Result<void> second;
  std::function<void()> start = [&] {
    if (!loop.Start()) std::abort();
    second = loop.Start();
  };
  Do(pool.Submit(Get(pool.Add({.work = Call(start)}))));
  Do(pool.Close(TaskShutdown::kFinish));
  REQUIRE(frames == 50);
  REQUIRE(second.error() == Error{ErrorCode::kWrongPhase, "frame loop", 0, "it is running"});
}

TEMPLATE_TEST_CASE("a pool that is shut down ends the loop", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(1u, 3u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::latch tenth(1);
  FrameLoop loop(pool, [&](const Frame& frame) {
    if (frame.number() == 10) tenth.count_down();
  });
  Do(loop.Start());
  tenth.wait();
  Do(pool.Close(TaskShutdown::kCancel));
  const auto waited = loop.Wait();
  REQUIRE(CodeOf(waited) == ErrorCode::kWrongPhase);
  REQUIRE(waited.error().detail == std::string("the pool has been shut down"));
}

TEMPLATE_TEST_CASE("a loop that is stopped before its first frame runs none", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  int frames = 0;
  FrameLoop loop(pool, [&](const Frame&) { ++frames; });
  Do(loop.Start(5));
  loop.Stop();
  Do(loop.Wait());
  CHECK(frames == 0);
  Do(loop.Wait());  // a second wait has the same answer
}

TEMPLATE_TEST_CASE("a frame's work is given its number, and the task that it runs in", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::vector<std::uint64_t> numbers;
  int inside = 0;
  TaskId last;
  FrameLoop loop(pool, [&](const Frame& frame) {
    numbers.push_back(frame.number());
    inside += *pool.Current() == frame.tick() && frame.tick() != last ? 1 : 0;
    last = frame.tick();
  });
  Do(loop.Start(1));
  Do(loop.Wait());
  CHECK(numbers == std::vector<std::uint64_t>{0});  // exactly one frame
  Do(loop.Start(3));
  CHECK(CodeOf(loop.Start(3)) == ErrorCode::kWrongPhase);
  Do(loop.Wait());
  CHECK(numbers == std::vector<std::uint64_t>{0, 0, 1, 2});
  CHECK(inside == 4);
}

TEMPLATE_TEST_CASE("a job that is put off before the loop runs once, in its first frame", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::uint64_t now = 99;
  std::vector<std::uint64_t> ran_in;
  std::function<void()> job = [&] { ran_in.push_back(now); };
  FrameLoop loop(pool, [&](const Frame& frame) { now = frame.number(); });
  CHECK(loop.deferred() == 0);
  loop.Defer(Call(job));
  CHECK(loop.deferred() == 1);
  Do(loop.Start(3));
  Do(loop.Wait());
  CHECK(ran_in == std::vector<std::uint64_t>{0});
  CHECK(loop.deferred() == 0);
}

TEMPLATE_TEST_CASE("a loop of no frames is refused, and may be started afterwards", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  int frames = 0;
  FrameLoop loop(pool, [&](const Frame&) { ++frames; });
  REQUIRE(CodeOf(loop.Start(0)) == ErrorCode::kInvalidArgument);
  Do(loop.Start(1));
  Do(loop.Wait());
  REQUIRE(frames == 1);
}

TEMPLATE_TEST_CASE("a frame that throws is followed by the next", "", EACH_POLICY) {
  std::atomic<int> thrown = 0;
  const auto owned = MakePool<TestType>(
      {.workers = GENERATE(0u, 1u), .on_throw = [&](TaskId, const char*) { ++thrown; }});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  int frames = 0;
  FrameLoop loop(pool, [&](const Frame& frame) {
    ++frames;
    if (frame.number() % 2 == 0) throw 7;
  });
  Do(loop.Start(10));
  Do(loop.Wait());
  REQUIRE(frames == 10);
  REQUIRE(thrown == 5);
}

// A job that cannot go on before a frame's number is reached.
TEMPLATE_TEST_CASE("a deferred job runs behind the rest of its tick, and then in the next", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::atomic<int> others = 0, wrong = 0, tries = 0, went_on = 0;
  std::atomic<std::uint64_t> now = 0;
  std::function<void()> other = [&] { ++others; };
  std::function<void()> tries_again;
  FrameLoop loop(pool, [&](const Frame& frame) {
    now = frame.number();
    others = 0;
    if (frame.number() == 0 && !pool.Add({.work = Call(tries_again), .parent = frame.tick()})) {
      ++wrong;
    }
    for (int i = 0; i < 20; ++i) {
      if (!pool.Add({.work = Call(other), .parent = frame.tick()})) ++wrong;
    }
  });
  tries_again = [&] {
    const int tried = ++tries;
    // Every second time it is the late part: after all others.
    if (tried % 2 == 0 && others != 20) ++wrong;
    if (tried != 2 * static_cast<int>(now) + 1 && tried != 2 * static_cast<int>(now) + 2) ++wrong;
    if (tried < 6) {
      loop.Defer(Call(tries_again));
    } else {
      ++went_on;
    }
  };
  Do(loop.Start(10));
  Do(loop.Wait());
  REQUIRE(wrong == 0);
  REQUIRE(tries == 6);
  REQUIRE(went_on == 1);
  REQUIRE(loop.deferred() == 0);

  // Jobs that cannot go on at all are left over, and reported.
  std::function<void()> never = [&] { loop.Defer(Call(never)); };
  loop.Defer(Call(never));
  tries = 6;
  Do(loop.Start(3));
  Do(loop.Wait());
  REQUIRE(loop.deferred() == 1);
}

TEMPLATE_TEST_CASE("the rest of a task comes later, and belongs to it", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::string order;
  std::atomic<bool> gave_up = false;
  Result<TaskId> later;
  const TaskId needed = Get(pool.Add({.kind = TaskKind::kExternal}));
  Do(pool.Submit(needed));
  std::function<void()> rest = [&] { order += 'r'; };
  std::function<void()> update = [&] {
    later = RunLater(pool, Call(rest), needed);
    gave_up = true;
    pool.Wake();
  };
  std::function<void()> after = [&] { order += 'a'; };
  const TaskId object = Get(pool.Add({.work = Call(update)}));
  const TaskId dependent = Get(pool.Add({.work = Call(after), .dependency = object}));
  Do(pool.DoWorkWhileWaitingFor([&] { return gave_up.load(); }));
  REQUIRE(later);
  REQUIRE_FALSE(pool.IsComplete(object));
  REQUIRE(order.empty());
  Do(pool.CompleteExternal(needed));
  Do(pool.Wait(dependent));
  REQUIRE(order == "ra");
  REQUIRE(CodeOf(RunLater(pool, Call(rest), needed)) == ErrorCode::kWrongPhase);
}

TEMPLATE_TEST_CASE("of two tasks that each would come later than the other, one is refused", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  for (int round = 0; round < 50; ++round) {
    const auto owned = MakePool<TestType>({.workers = workers});
    TestType& pool = *owned;
    const auto here = Get(pool.Register("main"));
    std::atomic<int> refused = 0, cycles = 0, rests = 0;
    TaskId objects[2];
    std::function<void()> rest = [&] { ++rests; };
    const auto update = [&](const TaskId& other) {
      const auto later = RunLater(pool, Call(rest), other);
      if (later) return;
      ++refused;
      if (later.error().code == ErrorCode::kCycle) ++cycles;
    };
    std::function<void()> updates[2] = {[&] { update(objects[1]); }, [&] { update(objects[0]); }};
    const TaskId gate = Get(pool.AddEmpty());
    for (int i = 0; i < 2; ++i) {
      objects[i] = Get(pool.Add({.work = Call(updates[i]), .dependency = gate}));
    }
    for (const TaskId object : objects) Do(pool.Submit(object));
    Do(pool.Submit(gate));  // from here on both may run
    for (const TaskId object : objects) Do(pool.Wait(object));
    REQUIRE(refused == cycles);
    REQUIRE(refused + rests == 2);
    if (workers == 0) REQUIRE(refused == 1);
  }
}

TEMPLATE_TEST_CASE("a loop that was stopped may be started again, and runs what is asked for then",
                   "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u)});
  TestType& pool = *owned;
  const auto here = Get(pool.Register("main"));
  std::vector<std::uint64_t> numbers;
  std::function<void()> stop;
  FrameLoop loop(pool, [&](const Frame& frame) {
    numbers.push_back(frame.number());
    if (numbers.size() == 2) stop();
  });
  stop = [&] { loop.Stop(); };
  Do(loop.Start(10));
  Do(loop.Wait());
  REQUIRE(numbers == std::vector<std::uint64_t>{0, 1});
  Do(loop.Start(3));
  Do(loop.Wait());
  REQUIRE(numbers == std::vector<std::uint64_t>{0, 1, 0, 1, 2});
}

TEST_CASE("a loop that ended for want of room says so once, and not of its next run") {
  const auto pool = MakePool({.workers = 0, .capacity = 8});
  const auto here = Get(pool->Register("main"));
  int frames = 0;
  FrameLoop<WorkStealing<>> loop(*pool, [&](const Frame&) { ++frames; });
  // Tasks that a device has, which is nobody here, until one more finds no room.
  std::vector<TaskId> out;
  auto task = pool->Add({.kind = TaskKind::kExternal});
  for (; task; task = pool->Add({.kind = TaskKind::kExternal})) {
    Do(pool->Submit(*task));
    out.push_back(*task);
  }
  REQUIRE(CodeOf(task) == ErrorCode::kCapacity);
  Do(pool->CompleteExternal(out.back()));
  out.pop_back();
  Do(loop.Start(2));
  REQUIRE(CodeOf(loop.Wait()) == ErrorCode::kCapacity);
  REQUIRE(frames == 1);
  for (const TaskId each : out) Do(pool->CompleteExternal(each));
  Do(loop.Start(2));
  Do(loop.Wait());
  REQUIRE(frames == 3);
}

}  // namespace
}  // namespace nowait
