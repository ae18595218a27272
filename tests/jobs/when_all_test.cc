// WhenAll: a task that comes after several others starts after all of them, in graphs made at
// random; and the calls that are refused leave the tasks and the pool as they were.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/jobs/job.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

// A task of a graph: what it needs, and whether all of that was done when it ran.
struct Node {
  static void Run(void* data) {
    auto& node = *static_cast<Node*>(data);
    for (const Node* need : node.needs) node.too_early += need->runs == 1 ? 0 : 1;
    ++node.runs;
  }
  std::vector<Node*> needs;
  TaskId task;
  int runs = 0;  // plain: TSan finds a task that does not come after what it needs
  int too_early = 0;
};

TEMPLATE_TEST_CASE("each task of a random graph comes after all that it needs", "", EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  Random random(seed);
  const auto pool = MakePool<TestType>({.workers = workers, .capacity = 2048});
  const auto here = pool->Register("main");
  for (int round = 0; round < 30; ++round) {
    std::vector<Node> nodes(1 + random.Below(60));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      std::vector<TaskId> ids;
      for (std::uint32_t k = i == 0 ? 0 : random.Below(6); k > 0; --k) {
        node.needs.push_back(&nodes[random.Below(static_cast<std::uint32_t>(i))]);
        ids.push_back(node.needs.back()->task);  // some twice
      }
      const auto all = pool->WhenAll(ids);
      REQUIRE(all);
      const auto added = pool->Add({.work = {&Node::Run, &node}, .dependency = *all});
      REQUIRE(added);
      node.task = *added;
      // Some of what later tasks need is running, or complete.
      if (random.Below(4) == 0) REQUIRE(pool->Submit(node.task));
      if (random.Below(16) == 0) REQUIRE(pool->Wait(node.task));
    }
    for (const Node& node : nodes) {
      REQUIRE(pool->Wait(node.task));
      REQUIRE(node.runs == 1);
      REQUIRE(node.too_early == 0);
    }
  }
}

// A pool without workers, and tasks that count their runs.
struct Counted {
  TaskId Add(const TaskDef& def = {}) {
    const auto task = pool->Add([this] { ++ran; }, def);
    REQUIRE(task);
    return *task;
  }
  std::unique_ptr<TaskPool> pool = MakePool({.workers = 0, .capacity = 256});
  Result<TaskPool::Registration> here = pool->Register("main");
  int ran = 0;
};

TEST_CASE("no task at all, and tasks that are complete, hold nothing") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add();
  REQUIRE(all.pool->Wait(first));
  REQUIRE(all.pool->Wait(second));
  for (const std::vector<TaskId>& tasks : {std::vector<TaskId>(), std::vector{first, second}}) {
    const auto none = all.pool->WhenAll(tasks);
    REQUIRE(none);
    CHECK(all.pool->IsComplete(*none));
  }
}

TEST_CASE("a task below a running one comes after several of its siblings") {
  Counted all;
  int order = 0, left = 0, right = 0, last = 0;
  const auto tick = all.pool->Add([&] {
    const TaskId current = *all.pool->Current();
    const auto one = all.pool->Add([&] { left = ++order; }, {.parent = current});
    const auto two = all.pool->Add([&] { right = ++order; }, {.parent = current});
    if (!one || !two) return;
    const auto both = all.pool->WhenAll(std::array{*one, *two});
    if (!both) return;
    static_cast<void>(  // checked by the order
        all.pool->Add([&] { last = ++order; }, {.parent = current, .dependency = *both}));
  });
  REQUIRE(tick);
  REQUIRE(all.pool->Wait(*tick));
  CHECK(left + right == 3);
  CHECK(last == 3);
}

TEST_CASE("a cycle through several tasks is refused, and all tasks are run") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), third = all.Add();
  REQUIRE(all.pool->DependsOn(second, first));
  REQUIRE(all.pool->DependsOn(third, second));
  const auto both = all.pool->WhenAll(std::array{all.Add(), third});
  REQUIRE(both);
  // It would wait for itself; and a submitted task needs it already.
  const auto closed = all.pool->DependsOn(first, *both);
  CHECK(closed.error().code == ErrorCode::kCycle);
  REQUIRE(all.pool->Wait(*both));
  CHECK(all.ran == 4);
}

TEST_CASE("ids of another pool, and no task, are refused, and nothing is made") {
  Counted all, others;
  const TaskId own = all.Add(), stranger = others.Add();
  for (const TaskId bad : {stranger, TaskId()}) {
    for (int i = 0; i < 1000; ++i) {  // more than the capacity
      REQUIRE(all.pool->WhenAll(std::array{own, bad}).error().code == ErrorCode::kInvalidArgument);
    }
  }
  REQUIRE(all.pool->Wait(own));
  CHECK(all.ran == 1);
}

TEST_CASE("a task that is held gets no dependency after it is one of several") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), third = all.Add();
  const auto both = all.pool->WhenAll(std::array{first, second});
  REQUIRE(both);
  CHECK(all.pool->DependsOn(second, third).error().code == ErrorCode::kWrongPhase);
  REQUIRE(all.pool->Wait(*both));
  REQUIRE(all.pool->Wait(third));
  CHECK(all.ran == 3);
}

TEST_CASE("a pool without room says so, and what was made is complete by itself") {
  const auto pool = MakePool({.workers = 0, .capacity = 4});
  const auto here = pool->Register("main");
  int ran = 0;
  std::vector<TaskId> tasks;
  for (auto task = pool->Add([&ran] { ++ran; }); task; task = pool->Add([&ran] { ++ran; })) {
    tasks.push_back(*task);
  }
  REQUIRE(tasks.size() >= 3);
  CHECK(pool->WhenAll(tasks).error().code == ErrorCode::kCapacity);
  const std::size_t all = tasks.size();
  REQUIRE(pool->Cancel(tasks.back()));
  REQUIRE(pool->Submit(tasks.back()));
  tasks.pop_back();
  // Room for one of the tasks that it needs, not for all.
  CHECK(pool->WhenAll(std::span<const TaskId>(tasks)).error().code == ErrorCode::kCapacity);
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(ran == static_cast<int>(all) - 1);
}

}  // namespace
}  // namespace nowait
