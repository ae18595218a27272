// A task with several dependencies starts after all of them, in graphs made at random; and the
// calls that are refused leave the task, the dependencies and the pool as they were.
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
      const auto added = pool->Add({.work = {&Node::Run, &node}});
      REQUIRE(added);
      node.task = *added;
      REQUIRE(pool->DependsOn(node.task, ids));
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

TEST_CASE("no dependencies hold nothing, and complete ones neither") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add();
  REQUIRE(all.pool->Wait(first));
  REQUIRE(all.pool->Wait(second));
  const TaskId none = all.Add(), old = all.Add();
  REQUIRE(all.pool->DependsOn(none, std::span<const TaskId>()));
  REQUIRE(all.pool->DependsOn(old, std::array{first, second}));
  REQUIRE(all.pool->Wait(old));
  REQUIRE(all.pool->Wait(none));
  CHECK(all.ran == 4);
}

TEST_CASE("a cycle through several dependencies is refused, and all tasks are run") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), third = all.Add();
  REQUIRE(all.pool->DependsOn(second, first));
  REQUIRE(all.pool->DependsOn(third, second));
  const auto closed = all.pool->DependsOn(first, std::array{all.Add(), third});
  CHECK(closed.error().code == ErrorCode::kCycle);
  const auto itself = all.pool->DependsOn(first, std::array{first, all.Add()});
  CHECK(itself.error().code == ErrorCode::kCycle);
  REQUIRE(all.pool->Wait(third));
  CHECK(all.ran == 3);
  REQUIRE(all.pool->Close(TaskShutdown::kFinish));
  CHECK(all.ran == 5);
}

TEST_CASE("a second set of dependencies is refused, and the first one stays") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), last = all.Add();
  REQUIRE(all.pool->DependsOn(last, std::array{first, second}));
  const auto again = all.pool->DependsOn(last, std::array{all.Add(), all.Add()});
  CHECK(again.error() == Error{ErrorCode::kInvalidArgument, "dependency",
                               static_cast<std::int64_t>(last.bits()), "a task has only one"});
  REQUIRE(all.pool->Wait(last));
  CHECK(all.ran >= 3);
}

TEST_CASE("ids of another pool, and no task, are refused") {
  Counted all, others;
  const TaskId own = all.Add(), task = all.Add(), stranger = others.Add();
  for (const TaskId bad : {stranger, TaskId()}) {
    const auto refused = all.pool->DependsOn(task, std::array{own, bad});
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(all.pool->DependsOn(bad, std::array{own, own}).error().code ==
          ErrorCode::kInvalidArgument);
  }
  // Nothing holds the task.
  REQUIRE(all.pool->Wait(task));
  CHECK(all.ran == 2);
}

TEST_CASE("a submitted task gets no dependencies") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), task = all.Add();
  REQUIRE(all.pool->Submit(task));
  CHECK(all.pool->DependsOn(task, std::array{first, second}).error().code ==
        ErrorCode::kWrongPhase);
  REQUIRE(all.pool->Wait(second));
  CHECK(all.ran == 3);
}

TEST_CASE("a dependency that is held gets none of its own afterwards") {
  Counted all;
  const TaskId first = all.Add(), second = all.Add(), third = all.Add(), last = all.Add();
  REQUIRE(all.pool->DependsOn(last, std::array{first, second}));
  CHECK(all.pool->DependsOn(second, third).error().code == ErrorCode::kWrongPhase);
  REQUIRE(all.pool->Wait(last));
  REQUIRE(all.pool->Wait(third));
  CHECK(all.ran == 4);
}

TEST_CASE("a pool without room for the dependencies says so, and the task has none of them") {
  const auto pool = MakePool({.workers = 0, .capacity = 4});
  const auto here = pool->Register("main");
  int ran = 0;
  std::vector<TaskId> tasks;
  for (auto task = pool->Add([&ran] { ++ran; }); task; task = pool->Add([&ran] { ++ran; })) {
    tasks.push_back(*task);
  }
  REQUIRE(tasks.size() >= 3);
  const auto full = pool->DependsOn(tasks[0], std::span<const TaskId>(tasks).subspan(1));
  CHECK(full.error().code == ErrorCode::kCapacity);
  REQUIRE(pool->Wait(tasks[0]));
  REQUIRE(pool->Close(TaskShutdown::kFinish));
  CHECK(ran == static_cast<int>(tasks.size()));
}

}  // namespace
}  // namespace nowait
