// Work and reports that throw; calls, waits and pools that are refused.
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/device.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"
#include "tests/jobs/pool_calls.h"

namespace nowait {
namespace {

TEMPLATE_TEST_CASE("a job that throws is reported and counted, and its task is done", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  std::mutex mutex;
  std::vector<std::pair<TaskId, std::string>> thrown;
  const auto owned =
      MakePool<TestType>({.workers = workers, .on_throw = [&](TaskId task, const char* what) {
                            const std::scoped_lock lock(mutex);
                            thrown.emplace_back(task, what);
                          }});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Letters letters;
  std::function<void()> bad = [] { throw std::runtime_error("no such mesh"); };
  std::function<void()> worse = [] { throw 7; };
  std::function<void()> good = letters.Write('g');
  const TaskId first = Get(tasks.Add({.work = Call(bad)}));
  const TaskId second = Get(tasks.Add({.work = Call(worse), .dependency = first}));
  const TaskId third = Get(tasks.Add({.work = Call(good), .dependency = second}));
  Do(tasks.Wait(third));
  REQUIRE(letters.written() == "g");
  REQUIRE(thrown == std::vector<std::pair<TaskId, std::string>>{{first, "no such mesh"},
                                                                {second, "not a std::exception"}});
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 2);
  REQUIRE(tasks.Counts().ran == 3);
}

TEMPLATE_TEST_CASE("a report that throws ends no thread, and is counted", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto owned = MakePool<TestType>(
      {.devices = {"disk"}, .workers = workers, .on_throw = [](TaskId, const char*) {
         throw std::runtime_error("no log");
       }});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::function<void()> bad = [] { throw std::runtime_error("no such mesh"); };
  JobList<> list(1);
  Do(list.Add(Call(bad)));
  DeviceRequest request(
      "ask", [](void*) -> Result<void> { throw 7; }, nullptr);
  const TaskId task = Get(tasks.Add({.work = Call(bad)}));
  const TaskId jobs = Get(tasks.AddList(list, {.dependency = task}));
  const TaskId asked = Get(tasks.AddRequest("disk", request, {}, jobs));
  Do(tasks.Wait(asked));
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 3);
  REQUIRE(tasks.Counts().reports_threw == 3);
}

TEMPLATE_TEST_CASE("waits and calls that are refused say why", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0, .capacity = 64});
  TestType& tasks = *owned;
  const auto owned_others = MakePool<TestType>({.workers = 0});
  TestType& others = *owned_others;
  std::function<void()> nothing = [] {};
  REQUIRE(CodeOf(tasks.Add({.work = Call(nothing)})) == ErrorCode::kNotOwner);
  const auto here = Get(tasks.Register("main"));
  REQUIRE(CodeOf(tasks.Register("main")) == ErrorCode::kWrongPhase);
  REQUIRE(CodeOf(tasks.Register("other")) == ErrorCode::kNotFound);
  REQUIRE(CodeOf(tasks.Add({.affinity = 2})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.Add({.priority = 3})) == ErrorCode::kInvalidArgument);

  const TaskId task = Get(tasks.Add({.work = Call(nothing)}));
  REQUIRE(CodeOf(tasks.DependsOn(task, task)) == ErrorCode::kCycle);
  REQUIRE(CodeOf(tasks.AddChild(task, task)) == ErrorCode::kCycle);
  {
    const auto there = Get(others.Register("main"));
    REQUIRE(CodeOf(others.Wait(task)) == ErrorCode::kInvalidArgument);
  }
  // Waits inside a task: for another thread's task, for itself, and for an id of no task.
  ErrorCode stranger{}, itself{}, condition{}, shutdown{};
  std::function<void()> waits = [&] {
    stranger = tasks.Wait(task).error().code;
    itself = tasks.Wait(*tasks.Current()).error().code;
    condition = tasks.DoWorkWhileWaitingFor([] { return true; }).error().code;
    shutdown = tasks.Close(TaskShutdown::kFinish).error().code;
  };
  const TaskId waiter = Get(tasks.Add({.work = Call(waits)}));
  Do(tasks.Submit(waiter));
  Do(tasks.DependsOn(task, waiter));
  Do(tasks.Wait(waiter));
  REQUIRE(stranger == ErrorCode::kNotOwner);
  REQUIRE((itself == ErrorCode::kCycle || itself == ErrorCode::kNotOwner));
  REQUIRE(condition == ErrorCode::kWrongPhase);
  REQUIRE(shutdown == ErrorCode::kWrongPhase);

  const TaskId all = Get(tasks.AddEmpty());
  Result<TaskId> last = all;
  for (int i = 0; i < 1000 && last; ++i) last = tasks.Add({.work = Call(nothing), .parent = all});
  REQUIRE(CodeOf(last) == ErrorCode::kCapacity);
  Do(tasks.Wait(all));
}

TEMPLATE_TEST_CASE("a pool that there cannot be is refused", "", EACH_POLICY) {
  const auto refusal = [](TaskPoolDef def) {
    CAPTURE(def.main_threads, def.devices, def.workers.value_or(0), def.capacity);
    const auto made = TestType::Create(std::move(def));
    REQUIRE_FALSE(made);
    return made.error();
  };
  const char* const tasks = "with 32 more for each thread, and 32, there are more than 65,534";
  // Four threads, and one for all that have not registered: 65,534 - 5 * 32 = 65,374.
  REQUIRE(refusal({.devices = {"disk"}, .workers = 2, .capacity = 65'375}) ==
          Error{ErrorCode::kInvalidArgument, "open tasks", 65'375, tasks});
  REQUIRE(refusal({.workers = 0, .capacity = ~0u}) ==
          Error{ErrorCode::kInvalidArgument, "open tasks", 0xffff'ffff, tasks});
  REQUIRE(refusal({.main_threads = {}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 0, "a pool has from 1 to 255"});
  REQUIRE(refusal({.main_threads = {"a", "b", "a"}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 2, "two have the same name"});
  REQUIRE(refusal({.devices = {"disk", "disk"}, .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "devices", 1, "two have the same name"});
  REQUIRE(refusal({.main_threads = std::vector<std::string>(256), .workers = 0}) ==
          Error{ErrorCode::kInvalidArgument, "main threads", 256, "a pool has from 1 to 255"});
  REQUIRE(refusal({.workers = 2'046}) ==
          Error{ErrorCode::kInvalidArgument, "threads", 2'047,
                "and one: with 32 tasks for each there are more than 65,534"});

  const auto largest =
      Get(TestType::Create({.devices = {"disk"}, .workers = 2, .capacity = 65'374}));
  const auto here = Get(largest->Register("main"));
  std::function<void()> nothing = [] {};
  const TaskId all = Get(largest->AddEmpty());
  std::uint32_t made = 1;
  while (largest->Add({.work = Call(nothing), .parent = all})) ++made;
  REQUIRE(made >= 65'374);
  Do(largest->Wait(all));
}

}  // namespace
}  // namespace nowait
