#include "src/jobs/job_batch.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "src/jobs/task_pool.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

TEMPLATE_TEST_CASE("every piece of a loop runs exactly once, with any number of workers", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u, 7u);
  const std::uint32_t count = GENERATE(0u, 1u, 63u, 64u, 1000u);
  const auto owned = MakePool<TestType>({.workers = workers});
  TestType& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(32);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> touched(count, 0);
    auto body = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
    };
    REQUIRE(batch.AddLoop(count, 7, body).has_value());
    REQUIRE(batch.Run(pool).has_value());
    REQUIRE(touched == std::vector<int>(count, 1));
  }
}

TEMPLATE_TEST_CASE("several threads may run batches at once, more than there is room to hang", "",
                   EACH_POLICY) {
  constexpr std::uint32_t kCallers = TestType::kMaxLists + 4;
  std::vector<std::string> names;
  for (std::uint32_t t = 0; t < kCallers; ++t) names.push_back(std::to_string(t));
  const auto owned = MakePool<TestType>({.main_threads = names, .workers = 2});
  TestType& pool = *owned;
  std::atomic<int> sum{0};
  std::atomic<int> failed{0};
  std::vector<std::jthread> callers;
  for (std::uint32_t t = 0; t < kCallers; ++t) {
    callers.emplace_back([&, t] {
      const auto here = pool.Register(names[t]);
      JobBatch batch(8);
      auto one = [&] { sum.fetch_add(1, std::memory_order::relaxed); };
      for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 4; ++i) static_cast<void>(batch.Add(one));
        if (!batch.Run(pool)) ++failed;
      }
    });
  }
  callers.clear();
  REQUIRE(failed == 0);
  REQUIRE(sum == static_cast<int>(kCallers) * 50 * 4);
}

TEMPLATE_TEST_CASE("a batch is a task between others, and is used again", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const auto pool = MakePool<TestType>({.workers = workers});
  const auto here = pool->Register("main");
  JobBatch batch(32);
  constexpr std::uint32_t kCount = 500;
  for (int round = 0; round < 20; ++round) {
    // Plain data: the loop comes after the task before it, and the task after it sees all pieces.
    std::vector<int> values;
    int sum = 0;
    auto body = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) values[i] += static_cast<int>(i);
    };
    const auto before = pool->Add([&values] { values.resize(kCount, 1); });
    REQUIRE(before);
    REQUIRE(batch.AddLoop(kCount, 7, body));
    const auto loop = batch.AddTo(*pool, {.dependency = *before});
    REQUIRE(loop);
    const auto after = pool->Add(
        [&values, &sum] {
          for (const int value : values) sum += value;
        },
        {.dependency = *loop});
    REQUIRE(after);
    REQUIRE(pool->Wait(*after));
    REQUIRE(batch.Collect(*pool));
    REQUIRE(sum == static_cast<int>(kCount + kCount * (kCount - 1) / 2));
  }
}

TEST_CASE("a batch that is a task is not run, added or collected before its time") {
  const auto pool = MakePool({.workers = 0});
  const auto here = pool->Register("main");
  JobBatch batch(2);
  int ran = 0;
  auto body = [&] { ++ran; };
  CHECK(batch.Collect(*pool).error() ==
        Error{ErrorCode::kWrongPhase, "job batch", 0, "it is no task that is complete"});
  REQUIRE(batch.Add(body));
  const auto node = batch.AddTo(*pool);
  REQUIRE(node);
  const Error already{ErrorCode::kWrongPhase, "job batch", 0, "it is a task already"};
  CHECK(batch.AddTo(*pool).error() == already);
  CHECK(batch.Run(*pool).error() == already);
  auto loop = [&](std::uint32_t begin, std::uint32_t end) { ran += static_cast<int>(end - begin); };
  CHECK(batch.Add(body).error() == already);
  CHECK(batch.AddLoop(1, 1, loop).error() == already);
  CHECK(batch.AddSyncPoint().error() == already);
  CHECK(batch.Collect(*pool).error().code == ErrorCode::kWrongPhase);
  REQUIRE(pool->Wait(*node));
  CHECK(ran == 1);
  REQUIRE(batch.Collect(*pool));
}

TEST_CASE("a batch that the pool refuses as a task keeps what it has") {
  const auto pool = MakePool({.workers = 0, .capacity = 1});
  const auto here = pool->Register("main");
  JobBatch batch(4);
  int ran = 0;
  auto body = [&] { ++ran; };
  auto loop = [&](std::uint32_t begin, std::uint32_t end) { ran += static_cast<int>(end - begin); };
  REQUIRE(batch.Add(body));
  REQUIRE(batch.AddLoop(10, 2, loop));
  CHECK(batch.AddTo(*pool, {.priority = 7}).error().code == ErrorCode::kInvalidArgument);
  TaskId held;
  for (auto task = pool->AddEmpty(); task; task = pool->AddEmpty()) held = *task;
  CHECK(batch.AddTo(*pool).error().code == ErrorCode::kCapacity);
  REQUIRE(pool->Wait(held));
  REQUIRE(batch.Run(*pool));
  CHECK(ran == 11);
}

TEST_CASE("a batch says how many of its jobs threw when it is collected") {
  const auto pool = MakePool({.workers = 1});
  const auto here = pool->Register("main");
  JobBatch batch(4);
  int ran = 0;
  auto bad = [] { throw 1; };
  auto good = [&] { ++ran; };
  REQUIRE(batch.Add(bad));
  REQUIRE(batch.Add(good));
  auto node = batch.AddTo(*pool);
  REQUIRE(node);
  REQUIRE(pool->Wait(*node));
  CHECK(batch.Collect(*pool).error() ==
        Error{ErrorCode::kWrongPhase, "job batch", 1, "jobs threw"});
  CHECK(ran == 1);
  REQUIRE(batch.Add(good));
  node = batch.AddTo(*pool);
  REQUIRE(node);
  CHECK(pool->Cancel(*node) == Result<bool>(true));
  REQUIRE(pool->Wait(*node));
  CHECK(batch.Collect(*pool).error() ==
        Error{ErrorCode::kWrongPhase, "job batch", 0, "it was cancelled"});
  REQUIRE(batch.Add(good));
  REQUIRE(batch.Run(*pool));
  CHECK(ran == 2);
}

TEST_CASE("a full batch says so and keeps what it has") {
  JobBatch batch(2);
  int ran = 0;
  auto body = [&] { ++ran; };
  REQUIRE(batch.Add(body).has_value());
  REQUIRE(batch.Add(body).has_value());
  const auto third = batch.Add(body);
  REQUIRE(third.error() == Error{ErrorCode::kCapacity, "job batch", 2});
  const auto owned = MakePool({.workers = 0});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  REQUIRE(batch.Run(pool).has_value());
  REQUIRE(ran == 2);
}

TEST_CASE("a batch on a thread that may not wait says so, and keeps what it has") {
  JobBatch batch(1);
  int ran = 0;
  auto body = [&] { ++ran; };
  REQUIRE(batch.Add(body).has_value());
  const auto owned = MakePool({.workers = 0});
  TaskPool& pool = *owned;
  REQUIRE(batch.Run(pool).error().code == ErrorCode::kNotOwner);
  const auto here = pool.Register("main");
  ErrorCode refused{};
  std::function<void()> named = [&] { refused = batch.Run(pool).error().code; };
  const auto task = pool.Add(
      {.work = {[](void* data) { (*static_cast<std::function<void()>*>(data))(); }, &named},
       .affinity = 1});
  REQUIRE(pool.Wait(*task).has_value());
  REQUIRE(refused == ErrorCode::kWrongPhase);
  REQUIRE(ran == 0);
  REQUIRE(batch.Run(pool).has_value());
  REQUIRE(ran == 1);
}

TEST_CASE("a batch that is cleared has room again, and runs nothing of what it had") {
  JobBatch batch(1, 1);
  int ran = 0;
  auto first = [&] { ran += 1; };
  auto second = [&] { ran += 10; };
  REQUIRE(batch.Add(first).has_value());
  REQUIRE(batch.AddSyncPoint().has_value());
  batch.Clear();
  REQUIRE(batch.Add(second).has_value());
  REQUIRE(batch.AddSyncPoint().has_value());
  const auto owned = MakePool({.workers = 0});
  const auto here = owned->Register("main");
  REQUIRE(batch.Run(*owned).has_value());
  REQUIRE(ran == 10);
}

TEST_CASE("a batch that has run on a small pool gives each thread of a larger one its hand") {
  JobBatch batch(16);
  std::vector<int> touched(300, 0);
  auto body = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) ++touched[i];
  };
  int runs = 0;
  for (const std::uint32_t workers : {0u, 3u, 0u, 7u}) {
    CAPTURE(workers);
    const auto pool = MakePool({.workers = workers});
    const auto here = pool->Register("main");
    REQUIRE(batch.AddLoop(200, 3, body));
    REQUIRE(batch.AddLoop(300, 1, body));
    REQUIRE(batch.Run(*pool));
    runs += 1;
    CHECK(std::count(touched.begin(), touched.begin() + 200, 2 * runs) == 200);
    CHECK(std::count(touched.begin() + 200, touched.end(), runs) == 100);
  }
}

TEST_CASE("a batch for which the pool makes no task is done by the caller") {
  const auto owned = MakePool({.workers = 2, .capacity = 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(8);
  std::atomic<int> ran{0};
  auto body = [&] { ++ran; };
  const auto add = [&] {
    for (int i = 0; i < 8; ++i) REQUIRE(batch.Add(body).has_value());
  };
  SECTION("because it is full") {
    const auto all = pool.AddEmpty();
    while (pool.Add({.parent = *all})) {
    }
    add();
    REQUIRE(batch.Run(pool).has_value());
  }
  SECTION("because it has been shut down") {
    REQUIRE(pool.Close(TaskShutdown::kFinish).has_value());
    add();
    REQUIRE(batch.Run(pool).has_value());
  }
  SECTION("because that one is a job") {
    JobBatch outer(1);
    auto run = [&] {
      add();
      static_cast<void>(batch.Run(pool));
    };
    REQUIRE(outer.Add(run).has_value());
    REQUIRE(outer.Run(pool).has_value());
  }
  REQUIRE(ran == 8);
}

TEMPLATE_TEST_CASE(
    "an exception of a job or of a loop's piece is counted, reported, and returned to the caller",
    "", EACH_POLICY) {
  std::atomic<int> told{0};
  const auto owned = MakePool<TestType>(
      {.workers = GENERATE(0u, 1u, 3u), .on_throw = [&](TaskId, const char*) { ++told; }});
  TestType& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(16);
  std::atomic<int> ran{0};
  const auto throw_some = [&](std::uint32_t i) {
    if (i % 4 == 1) throw std::runtime_error("no such mesh");
    ++ran;
  };
  auto piece = [&](std::uint32_t begin, std::uint32_t) { throw_some(begin); };
  auto job = [&](std::uint32_t i) { throw_some(i); };
  SECTION("pieces") { REQUIRE(batch.AddLoop(16, 1, piece).has_value()); }
  SECTION("jobs") { REQUIRE(batch.AddEach(16, job).has_value()); }
  REQUIRE(batch.Run(pool).error() == Error{ErrorCode::kWrongPhase, "job batch", 4, "jobs threw"});
  REQUIRE(ran == 12);
  REQUIRE(told == 4);
  REQUIRE(batch.AddLoop(1, 1, piece).has_value());
  REQUIRE(batch.Run(pool).has_value());
  REQUIRE(pool.Close(TaskShutdown::kFinish).has_value());
  REQUIRE(pool.Counts().threw == 4);
}

TEMPLATE_TEST_CASE("jobs and loops of one batch run once each, in whatever room there is", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint32_t capacity = GENERATE(5u, 6u, 64u);
  const auto owned = MakePool<TestType>({.workers = workers});
  TestType& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(capacity);
  std::vector<int> items(100, 0), others(33, 0), each(2, 0);
  int ones = 0;
  auto one = [&] { ++ones; };
  auto loop = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) ++items[i];
  };
  auto other = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) ++others[i];
  };
  auto job = [&](std::uint32_t i) { ++each[i]; };
  for (int round = 1; round <= 3; ++round) {
    REQUIRE(batch.Add(one).has_value());
    REQUIRE(batch.AddLoop(100, 3, loop).has_value());
    REQUIRE(batch.AddEach(2, job).has_value());
    REQUIRE(batch.AddLoop(0, 3, other).has_value());
    REQUIRE(batch.AddLoop(33, 0, other).has_value());
    if (capacity == 5) {
      REQUIRE(batch.Add(one).error() == Error{ErrorCode::kCapacity, "job batch", 5});
      REQUIRE(batch.AddEach(1, job).error().code == ErrorCode::kCapacity);
      REQUIRE(batch.AddLoop(1, 1, loop).error().code == ErrorCode::kCapacity);
      REQUIRE(batch.AddEach(0, job).has_value());
    }
    REQUIRE(batch.Run(pool).has_value());
    REQUIRE(ones == round);
    REQUIRE(items == std::vector<int>(100, round));
    REQUIRE(others == std::vector<int>(33, round));
    REQUIRE(each == std::vector<int>(2, round));
  }
}

TEMPLATE_TEST_CASE("jobs behind a sync point see the effects of those in front of it", "",
                   EACH_POLICY) {
  const auto owned = MakePool<TestType>({.workers = GENERATE(0u, 1u, 3u)});
  TestType& pool = *owned;
  const auto here = pool.Register("main");
  constexpr std::uint32_t kCount = 1000;
  JobBatch batch(16, 2);
  std::vector<int> first(kCount, 0), second(kCount, 0);
  int sum = 0;
  auto fill = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) ++first[i];
  };
  auto reverse = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) second[i] = first[kCount - 1 - i];
  };
  auto add_up = [&] {
    for (const int value : second) sum += value;
  };
  for (int round = 1; round <= 20; ++round) {
    REQUIRE(batch.AddSyncPoint().has_value());  // nothing is in front of it
    REQUIRE(batch.AddLoop(kCount, 7, fill).has_value());
    REQUIRE(batch.AddSyncPoint().has_value());
    REQUIRE(batch.AddSyncPoint().has_value());  // says nothing new
    REQUIRE(batch.AddLoop(kCount, 7, reverse).has_value());
    REQUIRE(batch.AddSyncPoint().has_value());
    REQUIRE(batch.Add(add_up).has_value());
    REQUIRE(batch.AddSyncPoint().error() ==
            Error{ErrorCode::kCapacity, "job batch's sync points", 2});
    sum = 0;
    REQUIRE(batch.Run(pool).has_value());
    REQUIRE(sum == round * static_cast<int>(kCount));
  }
}

TEST_CASE("jobs that are added together begin in their order") {
  const auto owned = MakePool({.workers = 0});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(8);
  std::vector<std::uint32_t> order;
  auto job = [&](std::uint32_t i) { order.push_back(i); };
  REQUIRE(batch.AddEach(8, job).has_value());
  REQUIRE(batch.Run(pool).has_value());
  REQUIRE(order == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

}  // namespace
}  // namespace nowait
