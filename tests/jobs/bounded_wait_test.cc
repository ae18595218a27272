// Waits that give up, and waits that help only from a priority upwards.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

using Clock = EngineSync::clock;
using std::chrono::hours;
using std::chrono::milliseconds;

WaitLimits Until(Clock::duration from_now) { return {.until = Clock::now() + from_now}; }

ErrorCode CodeOf(const Result<void>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

TEMPLATE_TEST_CASE("a wait gives up when its time has come, and a later one ends", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 2u);
  const auto pool = MakePool<TestType>({.workers = workers});
  const auto here = pool->Register("main");
  const TaskId external = *pool->Add(TaskDef{.kind = TaskKind::kExternal});
  const TaskId then = *pool->Add([] {}, {.dependency = external});
  const auto begun = Clock::now();
  const Result<void> waited = pool->Wait(then, {.until = begun + milliseconds(20)});
  CHECK(CodeOf(waited) == ErrorCode::kTimeout);
  CHECK(ToString(waited.error()) == "the time for wait is over: the task goes on");
  CHECK(Clock::now() - begun >= milliseconds(20));
  CHECK_FALSE(pool->IsComplete(then));
  REQUIRE(pool->CompleteExternal(external));
  REQUIRE(pool->Wait(then, Until(hours(1))));
  CHECK(pool->IsComplete(then));
  CHECK(pool->Wait(then, Until(hours(-1))));  // it is complete: no time is needed
}

TEMPLATE_TEST_CASE("a wait whose time is over submits what its caller holds, and runs nothing", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  int ran = 0;
  const TaskId task = *pool->Add([&ran] { ++ran; });
  CHECK(CodeOf(pool->Wait(task, Until(hours(-1)))) == ErrorCode::kTimeout);
  CHECK(ran == 0);
  CHECK_FALSE(pool->Submit(task));
  REQUIRE(pool->Wait(task));
  CHECK(ran == 1);
}

TEMPLATE_TEST_CASE("a task gives up a wait, and another task waits on", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 1});
  const auto here = pool->Register("main");
  std::vector<Result<void>> answers;
  const TaskId outer = *pool->Add([&pool, &answers] {
    const auto external = pool->Add(TaskDef{.kind = TaskKind::kExternal});
    if (!external) return;
    answers.push_back(pool->Wait(*external, Until(milliseconds(5))));
    answers.push_back(pool->CompleteExternal(*external));
    answers.push_back(pool->Wait(*external, Until(hours(1))));
  });
  REQUIRE(pool->Wait(outer));
  REQUIRE(answers.size() == 3);
  CHECK(CodeOf(answers[0]) == ErrorCode::kTimeout);
  CHECK(answers[1]);
  CHECK(answers[2]);
}

TEMPLATE_TEST_CASE("a wait leaves a list in the middle when its time has come", "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  const auto until = Clock::now() + milliseconds(10);
  struct Jobs {
    Clock::time_point until;
    int late = 0;
    int ran = 0;
  } jobs{until};
  JobList<> list(100);
  for (int i = 0; i < 100; ++i) {
    const auto added = list.Add({[](void* data) {
                                   auto& of = *static_cast<Jobs*>(data);
                                   ++of.ran;
                                   if (of.ran > 3) EngineSync::SleepUntil(of.until);
                                   of.late += Clock::now() >= of.until ? 1 : 0;
                                 },
                                 &jobs});
    REQUIRE(added);
  }
  const TaskId task = *pool->AddList(list);
  CHECK(CodeOf(pool->Wait(task, {.until = until})) == ErrorCode::kTimeout);
  CHECK(jobs.late < 90);
  REQUIRE(pool->Wait(task));
  CHECK(jobs.ran == 100);
}

// The names of the tasks that a wait for the task 'w' runs, with tasks of each priority around it.
template <class Pool>
std::string RunDuring(Pool& pool, Priority of_awaited, Priority from) {
  std::string ran;
  const auto add = [&](char name, Priority priority, TaskId dependency = {}) {
    return *pool.Add([&ran, name] { ran += name; },
                     {.dependency = dependency, .priority = static_cast<std::uint8_t>(priority)});
  };
  add('l', Priority::kLow);
  add('n', Priority::kNormal);
  add('h', Priority::kHigh);
  const TaskId before = add('b', of_awaited);
  const TaskId awaited = add('w', of_awaited, before);
  add('l', Priority::kLow);
  add('n', Priority::kNormal);
  add('h', Priority::kHigh);
  REQUIRE(pool.Wait(awaited, {.from = from}));
  const std::string meanwhile = ran;
  const TaskId last = *pool.Add(TaskDef{.work = {[](void*) {}, nullptr}, .priority = 2});
  REQUIRE(pool.Wait(last));
  CHECK(ran.size() == 8);
  return meanwhile;
}

TEMPLATE_TEST_CASE("a wait helps from a priority upwards, and with what the awaited task needs", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  CHECK(RunDuring(*pool, Priority::kLow, Priority::kHigh) == "hhbw");
  CHECK(RunDuring(*pool, Priority::kLow, Priority::kNormal) == "hhnnbw");
  CHECK(RunDuring(*pool, Priority::kNormal, Priority::kHigh) == "hhbw");
  CHECK(RunDuring(*pool, Priority::kNormal, Priority::kLow) == "hhnbnw");
}

// Tasks of one priority that make each other, until the chain is over.
template <class Pool>
struct Chain {
  void Begin(Priority priority) {
    def.priority = static_cast<std::uint8_t>(priority);
    Next();
  }
  void Next() {
    if (over || length == 10'000) return;
    ++length;
    const auto task = pool.Add([this] { Next(); }, def);
    if (task) static_cast<void>(pool.Submit(*task));
  }

  Pool& pool;
  TaskDef def = {};
  int length = 0;
  bool over = false;
};

TEMPLATE_TEST_CASE("tasks that make each other do not keep a wait from what it needs", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  Chain<TestType> chain{*pool};
  const auto priority = GENERATE(Priority::kHigh, Priority::kNormal);
  // The awaited task itself, one that it needs, a list, one with the thread's name, and one whose
  // work is the device's answer.
  const int kind = GENERATE(0, 1, 2, 3, 4);
  chain.Begin(priority);
  TaskDef def{.priority = static_cast<std::uint8_t>(priority)};
  if (kind == 3) def.affinity = *pool->AffinityTo("main");
  JobList<> list(1);
  REQUIRE(list.Add({[](void* over) { *static_cast<bool*>(over) = true; }, &chain.over}));
  const TaskId external = *pool->Add(TaskDef{.kind = TaskKind::kExternal});
  const TaskId ends = kind == 2 ? *pool->AddList(list, def)
                                : *pool->Add(
                                      [&chain, external] {
                                        chain.over = true;
                                        static_cast<void>(chain.pool.CompleteExternal(external));
                                      },
                                      def);
  REQUIRE(pool->Submit(external));
  REQUIRE(pool->Submit(ends));
  const TaskId after = *pool->Add([] {}, {.dependency = ends, .priority = 2});
  const TaskId awaited = kind == 0 ? ends : kind == 4 ? external : after;
  REQUIRE(pool->Wait(awaited, {.from = priority}));
  CHECK(chain.over);
  CHECK(chain.length < 1'000);
  REQUIRE(pool->Wait(after));
  if (kind == 2) REQUIRE(pool->CompleteExternal(external));
}

TEMPLATE_TEST_CASE("a wait from a priority upwards runs the thread's tasks, and a list it needs",
                   "", EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  int named = 0, in_list = 0, other = 0;
  const auto count = [](void* data) { ++*static_cast<int*>(data); };
  const std::uint8_t name = *pool->AffinityTo("main");
  const TaskId mine = *pool->Add(TaskDef{.work = {count, &named}, .priority = 2, .affinity = name});
  REQUIRE(pool->Submit(mine));
  JobList<> list(3), unneeded(3);
  for (int i = 0; i < 3; ++i)
    REQUIRE((list.Add({count, &in_list}) && unneeded.Add({count, &other})));
  const TaskId beside = *pool->AddList(unneeded, {.priority = 2});
  REQUIRE(pool->Submit(beside));
  const TaskId jobs = *pool->AddList(list, {.priority = 2});
  const TaskId after =
      *pool->Add(TaskDef{.work = {count, &named}, .dependency = jobs, .priority = 1});
  REQUIRE(pool->Wait(after, {.from = Priority::kHigh}));
  CHECK(in_list == 3);
  CHECK(named == 2);
  CHECK(other == 0);
  REQUIRE(pool->Wait(beside));
}

TEMPLATE_TEST_CASE("limits that a wait cannot have are refused, and nothing is submitted", "",
                   EACH_POLICY) {
  const auto pool = MakePool<TestType>({.workers = 0});
  const auto here = pool->Register("main");
  const TaskId held = *pool->AddEmpty();
  const Result<void> waited = pool->Wait(held, {.from = static_cast<Priority>(3)});
  CHECK(CodeOf(waited) == ErrorCode::kInvalidArgument);
  CHECK(waited.error().subject == std::string("priority"));
  CHECK(CodeOf(pool->Wait(TaskId(), Until(hours(1)))) == ErrorCode::kInvalidArgument);
  CHECK(pool->Submit(held));
  const std::uint8_t name = *pool->AffinityTo("main");
  Result<void> in_named;
  const TaskId named =
      *pool->Add([&] { in_named = pool->Wait(held, Until(hours(1))); }, {.affinity = name});
  REQUIRE(pool->Wait(named));
  CHECK(CodeOf(in_named) == ErrorCode::kWrongPhase);
}

}  // namespace
}  // namespace nowait
