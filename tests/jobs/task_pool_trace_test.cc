// Traces of a pool's threads: a waiting thread is seen at work.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <functional>
#include <latch>
#include <string>
#include <thread>

#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/jobs/make_pool.h"
#include "tests/jobs/pool_calls.h"

namespace nowait {
namespace {

TEMPLATE_TEST_CASE("a trace shows a waiting thread at work", "", EACH_POLICY) {
  Profile profile({});
  {
    const auto owned = MakePool<TestType>({.workers = 1, .profile = &profile});
    TestType& tasks = *owned;
    const auto here = Get(tasks.Register("main"));
    std::function<void()> nothing = [] {};
    for (int i = 0; i < 10; ++i) static_cast<void>(Get(tasks.Add({.work = Call(nothing)})));
    Do(tasks.Wait(Get(tasks.AddEmpty())));
    Do(tasks.Close(TaskShutdown::kFinish));
  }
  REQUIRE(profile.lanes().size() == 2);
  REQUIRE(profile.lanes()[0].name == "main");
  REQUIRE(profile.lanes()[1].name == "worker 1");
  std::size_t tasks_seen = 0, waits_seen = 0;
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) {
      tasks_seen += std::string(span.name) == "task" ? 1 : 0;
      waits_seen += std::string(span.name) == "wait" ? 1 : 0;
    }
  }
  REQUIRE(tasks_seen == 10);
  REQUIRE(waits_seen == 1);
}

// Two tasks that go on when both have begun, and nobody but two main threads that wait.
TEMPLATE_TEST_CASE("a trace shows main threads helping while they wait", "", EACH_POLICY) {
  Profile profile({});
  {
    const auto owned = MakePool<TestType>(
        {.main_threads = {"update", "render"}, .workers = 0, .profile = &profile});
    TestType& tasks = *owned;
    std::latch begun(2), registered(2);
    std::atomic<int> failed = 0;
    std::function<void()> meets = [&] { begun.arrive_and_wait(); };
    const auto body = [&](const char* name) {
      const auto here = tasks.Register(name);
      registered.arrive_and_wait();
      const auto task = tasks.Add({.work = Call(meets)});
      if (!task || !tasks.Wait(*task)) ++failed;
    };
    { std::jthread update(body, "update"), render(body, "render"); }
    REQUIRE(failed == 0);
  }
  REQUIRE(profile.lanes().size() == 2);
  for (const Lane& lane : profile.lanes()) {
    INFO(lane.name);
    const auto count = [&](const std::string& name) {
      return std::ranges::count_if(lane.spans, [&](const Span& span) { return span.name == name; });
    };
    REQUIRE(count("task") == 1);
    REQUIRE(count("wait") == 1);
    const auto find = [&](const std::string& name) {
      return *std::ranges::find_if(lane.spans, [&](const Span& span) { return span.name == name; });
    };
    const Span task = find("task"), wait = find("wait");
    REQUIRE(wait.begin <= task.begin);
    REQUIRE(task.end <= wait.end);
  }
}

}  // namespace
}  // namespace nowait
