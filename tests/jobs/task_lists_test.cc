// Job lists as tasks of a pool.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

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

// A list of so many jobs, each of which does the same.
struct Jobs {
  Jobs(std::uint32_t count, std::function<void()> what) : work(std::move(what)), list(count) {
    for (std::uint32_t i = 0; i < count; ++i) REQUIRE(list.Add(Call(work)).has_value());
  }
  std::function<void()> work;
  JobList<> list;
};

TEMPLATE_TEST_CASE("a list begins after its dependency, and ends before its dependents", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> a = 0, b = 0, c = 0, wrong = 0;
    Jobs first(16, [&] { ++a; });
    Jobs second(16, [&] {
      if (a != 16) ++wrong;
      ++b;
    });
    std::function<void()> last = [&] {
      if (b != 16) ++wrong;
      ++c;
    };
    const TaskId one = Get(tasks.AddList(first.list));
    const TaskId two = Get(tasks.AddList(second.list, {.dependency = one}));
    const TaskId three = Get(tasks.Add({.work = Call(last)}));
    Do(tasks.DependsOn(three, two));
    REQUIRE(a == 0);  // all are held
    Do(tasks.Wait(three));
    REQUIRE(wrong == 0);
    REQUIRE(c == 1);
    REQUIRE(first.list.Finished());
    REQUIRE(second.list.Finished());
  }
}

TEMPLATE_TEST_CASE("a parent is complete when the lists below it are", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::atomic<int> ran = 0;
  std::vector<std::unique_ptr<Jobs>> lists;
  const TaskId all = Get(tasks.AddEmpty());
  // More than can be posted at the same time.
  for (std::uint32_t i = 0; i < TestType::kMaxLists + 4; ++i) {
    lists.push_back(std::make_unique<Jobs>(i % 5, [&] { ++ran; }));
    Get(tasks.AddList(lists.back()->list,
                      {.parent = all, .priority = static_cast<std::uint8_t>(i % 3)}));
  }
  Do(tasks.Wait(all));
  REQUIRE(ran == 40);
}

TEMPLATE_TEST_CASE("a task waits for a list that it made, and helps with it", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u, 8u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::atomic<int> ran = 0, wrong = 0;
  std::function<void()> outer = [&] {
    for (int i = 0; i < 20; ++i) {
      JobList<> list(8);
      std::function<void()> job = [&] { ++ran; };
      for (int k = 0; k < 8; ++k) {
        if (!list.Add(Call(job))) ++wrong;
      }
      const auto task = tasks.AddList(list);
      if (!task || !tasks.Wait(*task)) ++wrong;
    }
  };
  const TaskId all = Get(tasks.AddEmpty());
  for (int i = 0; i < 4; ++i) Get(tasks.Add({.work = Call(outer), .parent = all}));
  Do(tasks.Wait(all));
  REQUIRE(wrong == 0);
  REQUIRE(ran == 4 * 20 * 8);
}

// Each of two main threads is in a task that waits. The first one's needs only tasks of the
// other's thread; the other one's list needs both threads.
TEMPLATE_TEST_CASE("a thread that waits in a task helps with any list", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.main_threads = {"main", "other"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  const std::uint8_t to_other = Get(tasks.AffinityTo("other"));
  std::latch meet(2);
  Jobs both(2, [&] { meet.arrive_and_wait(); });
  std::atomic<int> ran = 0, failed = 0;
  std::atomic<bool> waits = false;
  std::jthread other([&] {
    const auto there = tasks.Register("other");
    waits.wait(false);
    // It comes to the task with its name when both jobs have returned.
    if (!tasks.Wait(*tasks.AddList(both.list))) ++failed;
    if (!tasks.DoWorkWhileWaitingFor([&] { return ran == 1; })) ++failed;
  });
  std::function<void()> named = [&] { ++ran; };
  std::function<void()> outer = [&] {
    const auto child = tasks.Add({.work = Call(named), .affinity = to_other});
    waits = true;
    waits.notify_all();
    if (!child || !tasks.Wait(*child)) ++failed;
  };
  Do(tasks.Wait(Get(tasks.Add({.work = Call(outer)}))));
  REQUIRE(failed == 0);
  REQUIRE(ran == 1);
  REQUIRE(both.list.Finished());
}

TEMPLATE_TEST_CASE("an urgent list comes before the next job of another", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::string written;
  Jobs urgent(2, [&] { written += 'u'; });
  Jobs other(3, [&] { written += 'o'; });
  std::function<void()> task = [&] { written += 't'; };
  const TaskId all = Get(tasks.AddEmpty());
  Get(tasks.AddList(other.list, {.parent = all, .priority = 2}));
  Get(tasks.AddList(urgent.list, {.parent = all, .priority = 0}));
  Get(tasks.Add({.work = Call(task), .parent = all, .priority = 1}));
  Do(tasks.Wait(all));
  REQUIRE(written == "uutooo");
}

TEMPLATE_TEST_CASE("a list is cancelled before it is started, or not", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::atomic<int> ran = 0;
  Jobs jobs(4, [&] { ++ran; });
  const TaskId list = Get(tasks.AddList(jobs.list));
  REQUIRE(Get(tasks.Cancel(list)));
  Do(tasks.Wait(list));
  REQUIRE(ran == 0);
  REQUIRE_FALSE(jobs.list.Finished());
  const TaskId again = Get(tasks.AddList(jobs.list));
  Do(tasks.Wait(again));
  REQUIRE(ran == 4);
  REQUIRE_FALSE(Get(tasks.Cancel(again)));
}

TEMPLATE_TEST_CASE("an impossible call with a list is refused", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::function<void()> nothing = [] {};
  ErrorCode made{}, waited{}, condition{}, shutdown{};
  TaskId submitted;
  Jobs jobs(1, [&] {
    made = tasks.Add({.work = Call(nothing)}).error().code;
    waited = tasks.Wait(submitted).error().code;
    condition = tasks.DoWorkWhileWaitingFor([] { return true; }).error().code;
    shutdown = tasks.Close(TaskShutdown::kFinish).error().code;
  });
  REQUIRE(CodeOf(tasks.AddList(jobs.list, {.affinity = 1})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.AddList(jobs.list, {.work = Call(nothing)})) == ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.AddList(jobs.list, {.kind = TaskKind::kIdempotent})) ==
          ErrorCode::kInvalidArgument);
  REQUIRE(CodeOf(tasks.Add({.kind = TaskKind::kList})) == ErrorCode::kInvalidArgument);
  const TaskId list = Get(tasks.AddList(jobs.list));
  REQUIRE(CodeOf(tasks.DependsOn(list, list)) == ErrorCode::kCycle);
  submitted = Get(tasks.Add({.work = Call(nothing), .dependency = list}));
  REQUIRE(CodeOf(tasks.CompleteExternal(list)) == ErrorCode::kInvalidArgument);
  Do(tasks.Wait(list));
  REQUIRE(made == ErrorCode::kWrongPhase);
  REQUIRE(waited == ErrorCode::kWrongPhase);
  REQUIRE(condition == ErrorCode::kWrongPhase);
  REQUIRE(shutdown == ErrorCode::kWrongPhase);
  Do(tasks.Wait(submitted));
}

TEMPLATE_TEST_CASE("shut down, a pool ends the lists that have begun", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ran = 0;
    Jobs first(8, [&] { ++ran; });
    Jobs second(8, [&] { ++ran; });
    const auto owned = MakePool<TestType>({.workers = workers});
    TestType& tasks = *owned;
    const auto here = Get(tasks.Register("main"));
    const TaskId one = Get(tasks.AddList(first.list));
    const TaskId two = Get(tasks.AddList(second.list, {.dependency = one}));
    Do(tasks.Submit(one));
    Do(tasks.Submit(two));
    Do(tasks.Close(how));
    REQUIRE(tasks.IsComplete(two));
    REQUIRE(ran % 8 == 0);  // whole lists, or none of their jobs
    if (how == TaskShutdown::kFinish) REQUIRE(ran == 16);
  }
}

// The last job of the list brings news, so the look that runs it leaves the list posted. The next
// look runs nothing: it only completes the list's task, whose dependent is of a priority that has
// been looked at before.
TEMPLATE_TEST_CASE("shut down, a pool runs the tasks that the end of a list has made ready", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Jobs jobs(2, [&] { tasks.Wake(); });
  const TaskId list =
      Get(tasks.AddList(jobs.list, {.priority = static_cast<std::uint8_t>(Priority::kLow)}));
  bool ran = false;
  const TaskId after = Get(tasks.Add(
      {.work = {[](void* data) { *static_cast<bool*>(data) = true; }, &ran}, .dependency = list}));
  Do(tasks.Submit(list));
  Do(tasks.Submit(after));
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.IsComplete(after));
  REQUIRE(ran);
}

}  // namespace
}  // namespace nowait
