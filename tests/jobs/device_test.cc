#include "src/jobs/device.h"

#include <sys/resource.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
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
std::string AnswerOf(const DeviceRequest& request) {
  return request.answer() ? "" : request.answer().error().detail;
}

Job Call(std::function<void()>& work) {
  return {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &work};
}

// A request that does what a callable says.
struct Asked {
  explicit Asked(std::function<Result<void>()> what) : serve(std::move(what)) {}
  std::function<Result<void>()> serve;
  DeviceRequest request{"ask", [](void* data) { return static_cast<Asked*>(data)->serve(); }, this};
};

// One that stalls until it is let go on.
struct Stalled : Asked {
  Stalled()
      : Asked([this]() -> Result<void> {
          begun.count_down();
          let_go.wait();
          return {};
        }) {}
  std::latch begun{1};
  std::latch let_go{1};
};

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEST_CASE("a request is answered by its device alone") {
  const auto pool = MakePool({.devices = {"disk"}, .workers = 0});
  const auto here = Get(pool->Register("main"));
  Stalled stalled;
  const TaskId task = Get(pool->AddRequest("disk", stalled.request));
  Do(pool->Submit(task));
  stalled.begun.wait();
  CHECK(CodeOf(pool->CompleteExternal(task)) == ErrorCode::kNotOwner);
  {
    std::jthread foreign(
        [&] { CHECK(CodeOf(pool->CompleteExternal(task)) == ErrorCode::kNotOwner); });
  }
  CHECK_FALSE(pool->IsComplete(task));
  stalled.let_go.count_down();
  Do(pool->Wait(task));
  CHECK(stalled.request.answer());
}

TEST_CASE("a device's thread makes no tasks and waits for none") {
  const auto pool = MakePool({.devices = {"disk"}, .workers = 0});
  const auto here = Get(pool->Register("main"));
  std::vector<ErrorCode> refused;
  Asked asked([&]() -> Result<void> {
    refused.push_back(CodeOf(pool->AddEmpty()));
    refused.push_back(CodeOf(pool->Current()));
    refused.push_back(CodeOf(pool->Wait(TaskId())));
    return {};
  });
  Do(pool->Wait(Get(pool->AddRequest("disk", asked.request))));
  CHECK(refused == std::vector(3, ErrorCode::kNotOwner));
}

TEMPLATE_TEST_CASE("requests are served in their order, on the device's thread", "", EACH_POLICY) {
  const auto owned =
      MakePool<TestType>({.devices = {"disk", "net"}, .workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::vector<int> served;
  std::thread::id disk, net;
  std::deque<Asked> asked;
  for (int i = 0; i < 50; ++i) {
    asked.emplace_back([&, i]() -> Result<void> {
      served.push_back(i);
      disk = std::this_thread::get_id();
      return {};
    });
  }
  Asked other([&]() -> Result<void> {
    net = std::this_thread::get_id();
    return {};
  });
  for (Asked& each : asked) Do(tasks.Submit(Get(tasks.AddRequest("disk", each.request))));
  Do(tasks.Wait(Get(tasks.AddRequest("net", other.request))));
  for (Asked& each : asked) {
    Do(tasks.Wait(each.request.task()));
    REQUIRE(tasks.IsComplete(each.request.task()));
    Do(each.request.answer());
  }
  REQUIRE(served.size() == 50);
  for (int i = 0; i < 50; ++i) REQUIRE(served[static_cast<std::size_t>(i)] == i);
  REQUIRE(disk != std::this_thread::get_id());
  REQUIRE(disk != net);
  // Neither is counted among the threads that compute.
  REQUIRE(tasks.threads() == tasks.workers() + 1);
}

TEMPLATE_TEST_CASE("tasks depend on requests and requests on tasks, and a waiting thread helps", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = GENERATE(0u, 1u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Stalled slow;
  std::string order;
  Asked second([&]() -> Result<void> {
    order += 'r';
    return {};
  });
  std::function<void()> made = [&] { order += 'm'; }, used = [&] { order += 'u'; };
  const TaskId make = Get(tasks.Add({.work = Call(made)}));
  const TaskId write = Get(tasks.AddRequest("disk", second.request, {}, make));
  const TaskId use = Get(tasks.Add({.work = Call(used), .dependency = write}));
  Do(tasks.Submit(Get(tasks.AddRequest("disk", slow.request))));
  slow.begun.wait();
  // The device goes on only when the thread that waits for it has done all of these.
  std::atomic<int> left = 100;
  std::function<void()> other = [&] {
    if (--left == 0) slow.let_go.count_down();
  };
  for (int i = 0; i < 100; ++i) Do(tasks.Submit(Get(tasks.Add({.work = Call(other)}))));
  REQUIRE_FALSE(tasks.IsComplete(use));
  Do(tasks.Wait(use));
  REQUIRE(order == "mru");
  REQUIRE(left == 0);
}

TEMPLATE_TEST_CASE("a task waits for a request that it has made", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = GENERATE(0u, 1u, 3u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  int read = 0, seen = 0;
  Asked asked([&]() -> Result<void> {
    read = 7;
    return {};
  });
  std::function<void()> load = [&] {
    const auto there = tasks.AddRequest("disk", asked.request);
    if (there && tasks.Wait(*there)) seen = read;
  };
  Do(tasks.Wait(Get(tasks.Add({.work = Call(load)}))));
  REQUIRE(seen == 7);
}

TEMPLATE_TEST_CASE("a request's result or exception is its answer", "", EACH_POLICY) {
  std::vector<std::string> thrown;
  const auto owned = MakePool<TestType>(
      {.devices = {"disk"}, .workers = 1, .on_throw = [&](TaskId, const char* what) {
         thrown.push_back(what);
       }});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Asked fails([]() -> Result<void> { return Fail(ErrorCode::kIo, "sector", 9, "unreadable"); });
  Asked throws([]() -> Result<void> { throw std::runtime_error("no such drive"); });
  Do(tasks.Wait(Get(tasks.AddRequest("disk", fails.request))));
  Do(tasks.Wait(Get(tasks.AddRequest("disk", throws.request))));
  REQUIRE(fails.request.answer().error() == Error{ErrorCode::kIo, "sector", 9, "unreadable"});
  REQUIRE(AnswerOf(throws.request) == "it threw");
  REQUIRE(thrown == std::vector<std::string>{"no such drive"});
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().threw == 1);
  REQUIRE(tasks.Counts().ran == 2);
}

TEMPLATE_TEST_CASE("a stopped device refuses requests that it has not begun, and new ones", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = GENERATE(0u, 1u)});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Stalled begun;
  std::atomic<int> served = 0;
  std::deque<Asked> asked;
  for (int i = 0; i < 10; ++i) {
    asked.emplace_back([&]() -> Result<void> {
      ++served;
      return {};
    });
  }
  Do(tasks.Submit(Get(tasks.AddRequest("disk", begun.request))));
  begun.begun.wait();
  for (int i = 0; i < 5; ++i) {
    Do(tasks.Submit(Get(tasks.AddRequest("disk", asked[static_cast<std::size_t>(i)].request))));
  }
  Do(tasks.StopDevice("disk"));
  begun.let_go.count_down();
  for (int i = 5; i < 10; ++i) {
    Do(tasks.Submit(Get(tasks.AddRequest("disk", asked[static_cast<std::size_t>(i)].request))));
  }
  for (Asked& each : asked) {
    Do(tasks.Wait(each.request.task()));
    REQUIRE(AnswerOf(each.request) == "the device stopped");
  }
  Do(begun.request.answer());
  REQUIRE(served == 0);
  Do(tasks.Close(TaskShutdown::kFinish));
  REQUIRE(tasks.Counts().cancelled == 10);
}

TEMPLATE_TEST_CASE("a shutdown that is refused stops no device", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  ErrorCode inside{}, outside{};
  std::function<void()> close = [&] { inside = CodeOf(tasks.Close(TaskShutdown::kCancel)); };
  Do(tasks.Wait(Get(tasks.Add({.work = Call(close)}))));
  CHECK(inside == ErrorCode::kWrongPhase);
  std::thread([&] { outside = CodeOf(tasks.Close(TaskShutdown::kCancel)); }).join();
  CHECK(outside == ErrorCode::kNotOwner);
  Asked asked([]() -> Result<void> { return {}; });
  Do(tasks.Wait(Get(tasks.AddRequest("disk", asked.request))));
  Do(asked.request.answer());
}

TEMPLATE_TEST_CASE("a refused request says why it cannot be made", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = 0, .capacity = 8});
  TestType& tasks = *owned;
  Asked asked([]() -> Result<void> { return {}; });
  REQUIRE(CodeOf(tasks.AddRequest("disk", asked.request)) == ErrorCode::kNotOwner);
  const auto here = Get(tasks.Register("main"));
  REQUIRE(CodeOf(tasks.AddRequest("tape", asked.request)) == ErrorCode::kNotFound);
  REQUIRE(CodeOf(tasks.StopDevice("tape")) == ErrorCode::kNotFound);
  REQUIRE(CodeOf(tasks.Register("disk")) == ErrorCode::kNotFound);
  REQUIRE(CodeOf(tasks.AffinityTo("disk")) == ErrorCode::kNotFound);

  // More than can be open: the error comes when one is made, and names the capacity.
  Stalled slow;
  const TaskId first = Get(tasks.AddRequest("disk", slow.request));
  Do(tasks.Submit(first));
  slow.begun.wait();
  std::deque<Asked> many;
  Result<TaskId> last = first;
  while (last) {
    many.emplace_back([]() -> Result<void> { return {}; });
    last = tasks.AddRequest("disk", many.back().request);
    if (last) Do(tasks.Submit(*last));
  }
  REQUIRE(last.error().code == ErrorCode::kCapacity);
  REQUIRE(last.error().subject == std::string("open tasks"));
  many.pop_back();
  REQUIRE(many.size() >= 7);
  slow.let_go.count_down();
  for (Asked& each : many) {
    Do(tasks.Wait(each.request.task()));
    Do(each.request.answer());
  }
  // A request may be made again.
  Do(tasks.Wait(Get(tasks.AddRequest("disk", many.front().request))));
  Do(many.front().request.answer());

  const TaskId held = Get(tasks.AddRequest("disk", asked.request));
  REQUIRE(Get(tasks.Cancel(held)));
  Do(tasks.Wait(held));
  REQUIRE(AnswerOf(asked.request) == "cancelled");
}

TEMPLATE_TEST_CASE("shut down, a pool has every request answered", "", EACH_POLICY) {
  const auto how = GENERATE(TaskShutdown::kFinish, TaskShutdown::kCancel);
  const bool by_destructor = GENERATE(false, true);
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  Stalled slow;
  std::atomic<int> served = 0;
  std::deque<Asked> asked;
  for (int i = 0; i < 20; ++i) {
    asked.emplace_back([&]() -> Result<void> {
      ++served;
      return {};
    });
  }
  Asked after_task([]() -> Result<void> { return {}; });
  std::jthread later;
  {
    const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = workers});
    TestType& tasks = *owned;
    const auto here = Get(tasks.Register("main"));
    Do(tasks.Submit(Get(tasks.AddRequest("disk", slow.request))));
    slow.begun.wait();
    for (Asked& each : asked) Do(tasks.Submit(Get(tasks.AddRequest("disk", each.request))));
    // Handed over only while the pool is being closed.
    Do(tasks.Submit(Get(tasks.AddRequest("disk", after_task.request, {}, slow.request.task()))));
    // The device goes on when the others may have begun to wait for it.
    later = std::jthread([&] { slow.let_go.count_down(); });
    if (!by_destructor) Do(tasks.Close(how));
  }
  Do(slow.request.answer());
  for (Asked& each : asked) {
    if (!by_destructor && how == TaskShutdown::kFinish) {
      Do(each.request.answer());
    } else if (!each.request.answer()) {
      REQUIRE(AnswerOf(each.request) == "the device stopped");
    }
  }
  if (!by_destructor && how == TaskShutdown::kFinish) {
    REQUIRE(served == 20);
    Do(after_task.request.answer());
  }
}

Error Refusal(const char* why) { return {ErrorCode::kWrongPhase, "request", 0, why}; }

TEMPLATE_TEST_CASE("a request that no device has served says in its answer why", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  int served = 0;
  Asked asked([&]() -> Result<void> {
    ++served;
    return {};
  });
  CHECK(asked.request.answer().error() == Refusal("cancelled"));  // before it is made
  const TaskId held = Get(tasks.AddRequest("disk", asked.request));
  CHECK(Get(tasks.Cancel(held)));
  Do(tasks.Wait(held));
  CHECK(asked.request.answer().error() == Refusal("cancelled"));
  Asked throws([]() -> Result<void> { throw 7; });
  Do(tasks.Wait(Get(tasks.AddRequest("disk", throws.request))));
  CHECK(throws.request.answer().error() == Refusal("it threw"));
  Do(tasks.StopDevice("disk"));
  Do(tasks.Wait(Get(tasks.AddRequest("disk", asked.request))));
  CHECK(asked.request.answer().error() == Refusal("the device stopped"));
  CHECK(served == 0);
}

TEMPLATE_TEST_CASE("a request that is made again has none of its last answer", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk", "net"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  std::thread::id first, second;
  std::thread::id* on = &first;
  Asked asked([&]() -> Result<void> {
    *on = std::this_thread::get_id();
    return {};
  });
  const TaskId before = Get(tasks.AddRequest("disk", asked.request));
  Do(tasks.Wait(before));
  Do(asked.request.answer());
  const TaskId again = Get(tasks.AddRequest("disk", asked.request));
  CHECK(asked.request.task() == again);
  CHECK_FALSE(again == before);
  CHECK(Get(tasks.Cancel(again)));
  Do(tasks.Wait(again));
  CHECK(asked.request.answer().error() == Refusal("cancelled"));
  // Also by another device.
  on = &second;
  Do(tasks.Wait(Get(tasks.AddRequest("net", asked.request))));
  Do(asked.request.answer());
  CHECK(first != second);
}

TEMPLATE_TEST_CASE("a request that waits for a task is cancelled with the pool, and not served", "",
                   EACH_POLICY) {
  const bool by_destructor = GENERATE(false, true);
  int served = 0;
  Asked asked([&]() -> Result<void> {
    ++served;
    return {};
  });
  {
    const auto owned = MakePool<TestType>({.devices = {"disk"}, .workers = 0});
    const auto here = Get(owned->Register("main"));
    const TaskId before = Get(owned->Add({.work = {[](void*) {}, nullptr}}));
    Do(owned->Submit(before));
    Do(owned->Submit(Get(owned->AddRequest("disk", asked.request, {}, before))));
    if (!by_destructor) Do(owned->Close(TaskShutdown::kCancel));
  }
  CHECK(served == 0);
  CHECK(asked.request.answer().error() == Refusal("cancelled"));
}

TEMPLATE_TEST_CASE("one device stops and another goes on", "", EACH_POLICY) {
  const auto owned = MakePool<TestType>({.devices = {"disk", "net"}, .workers = 0});
  TestType& tasks = *owned;
  const auto here = Get(tasks.Register("main"));
  Do(tasks.StopDevice("net"));
  Asked to_disk([]() -> Result<void> { return {}; }), to_net(to_disk.serve);
  Do(tasks.Wait(Get(tasks.AddRequest("disk", to_disk.request))));
  Do(tasks.Wait(Get(tasks.AddRequest("net", to_net.request))));
  Do(to_disk.request.answer());
  CHECK(AnswerOf(to_net.request) == "the device stopped");
}

TEST_CASE("a request that is refused leaves no span, and is counted as cancelled, not as run") {
  Profile profile({});
  const auto owned = MakePool({.devices = {"disk"}, .workers = 0, .profile = &profile});
  const auto here = Get(owned->Register("main"));
  Asked asked([]() -> Result<void> { return {}; });
  Do(owned->StopDevice("disk"));
  Do(owned->Wait(Get(owned->AddRequest("disk", asked.request))));
  Do(owned->Close(TaskShutdown::kFinish));
  CHECK(profile.lanes().back().name == "disk");
  CHECK(profile.lanes().back().spans.empty());
  CHECK(owned->Counts().cancelled == 1);
  CHECK(owned->Counts().ran == 0);
}

TEST_CASE("a device's thread is put before others, where the system grants that") {
  int before = 0, after = 0;
  bool put = false;
  std::jthread([&] {
    before = getpriority(PRIO_PROCESS, 0);
    put = EngineSync::PutThreadFirst();
    after = getpriority(PRIO_PROCESS, 0);
  }).join();
  REQUIRE(after == (put ? -10 : before));
}

TEST_CASE("a device has a lane of its own, with its requests' names") {
  Profile profile({});
  {
    const auto owned = MakePool({.devices = {"disk"}, .workers = 1, .profile = &profile});
    TaskPool& tasks = *owned;
    const auto here = Get(tasks.Register("main"));
    Asked asked([]() -> Result<void> { return {}; });
    Do(tasks.Wait(Get(tasks.AddRequest("disk", asked.request))));
    Do(tasks.Close(TaskShutdown::kFinish));
  }
  REQUIRE(profile.lanes().size() == 3);
  const Lane& disk = profile.lanes()[2];
  REQUIRE(disk.name == "disk");
  REQUIRE(disk.spans.size() == 1);
  REQUIRE(disk.spans[0].name == std::string("ask"));
}

}  // namespace
}  // namespace nowait
