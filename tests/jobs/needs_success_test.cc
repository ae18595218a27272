// A task that needs success is cancelled when its dependency has failed: by an exception, by a
// cancellation, or through a group; and every other task is run.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

#define EACH_POLICY TaskPool, OneQueueTaskPool

void Throw(void*) { throw 1; }

struct Counted {
  TaskId Add(const TaskDef& def) {
    const auto task = pool->Add([this] { ++ran; }, def);
    REQUIRE(task);
    return *task;
  }
  TaskId AddBad(const TaskDef& def = {}) {
    const auto task = pool->Add([] { throw 1; }, def);
    REQUIRE(task);
    return *task;
  }
  // Whether a task that needs the success of this one is run.
  bool Succeeds(TaskId dependency) {
    bool runs = false;
    const auto then =
        pool->Add([&runs] { runs = true; }, {.dependency = dependency, .needs_success = true});
    REQUIRE(then);
    REQUIRE(pool->Wait(*then));
    return runs;
  }
  std::unique_ptr<TaskPool> pool = MakePool({.workers = 0, .capacity = 256});
  Result<TaskPool::Registration> here = pool->Register("main");
  int ran = 0;
};

TEST_CASE(
    "work of each kind that throws fails its task, and in the next task of a slot it does not") {
  Counted all;
  for (int round = 0; round < 200; ++round) {
    CHECK_FALSE(all.Succeeds(all.AddBad()));
    CHECK(all.Succeeds(all.Add({})));
  }
  SECTION("the hand-over of an external task") {
    const auto task = all.pool->Add({.work = {&Throw, nullptr}, .kind = TaskKind::kExternal});
    REQUIRE(task);
    CHECK_FALSE(all.Succeeds(*task));
  }
  SECTION("a job of a list") {
    JobList<> list(2);
    REQUIRE(list.Add({[](void*) {}, nullptr}));
    REQUIRE(list.Add({&Throw, nullptr}));
    const auto task = all.pool->AddList(list);
    REQUIRE(task);
    CHECK_FALSE(all.Succeeds(*task));
  }
  SECTION("an idempotent job") {
    const bool computes = GENERATE(true, false);
    const auto nothing = [](void*, int) {};
    const auto bad = [](void*, int) { throw 1; };
    IdempotentJob job{.compute = computes ? +bad : +nothing,
                      .commit = computes ? +nothing : +bad,
                      .release = [](void*) {}};
    const auto task = all.pool->AddIdempotent(job);
    REQUIRE(task);
    CHECK_FALSE(all.Succeeds(*task));
  }
}

TEST_CASE("a task that was cancelled has failed") {
  Counted all;
  const TaskId task = all.Add({});
  REQUIRE(all.pool->Cancel(task) == Result<bool>(true));
  CHECK_FALSE(all.Succeeds(task));
  CHECK(all.ran == 0);
}

TEST_CASE("a task that was cancelled has failed when its children are complete, too") {
  Counted all;
  const bool submits = GENERATE(true, false);
  const TaskId task = all.Add({});
  all.Add({.parent = task});
  const TaskId then = all.Add({.dependency = task, .needs_success = true});
  const TaskId always = all.Add({.dependency = then});
  REQUIRE(all.pool->Cancel(task) == Result<bool>(true));
  if (submits) REQUIRE(all.pool->Submit(task));
  REQUIRE(all.pool->Wait(always));
  CHECK(all.ran == 2);  // its child, and the one that needs no success
}

TEST_CASE("a group fails with any of its children, a task with work only by its own") {
  Counted all;
  const auto group = all.pool->AddEmpty();
  REQUIRE(group);
  const auto inner = all.pool->Add({.parent = *group});
  REQUIRE(inner);
  all.Add({.parent = *inner});
  all.AddBad({.parent = *inner});
  CHECK_FALSE(all.Succeeds(*group));
  const TaskId parent = all.Add({});
  all.AddBad({.parent = parent});
  CHECK(all.Succeeds(parent));
}

TEST_CASE("a failure goes through WhenAll, whichever of the tasks it was, and along a row") {
  Counted all;
  const int bad = GENERATE(-1, 0, 1, 2);
  std::array<TaskId, 3> tasks;
  for (int i = 0; i < 3; ++i) tasks[i] = i == bad ? all.AddBad() : all.Add({});
  const auto both = all.pool->WhenAll(tasks);
  REQUIRE(both);
  const TaskId next = all.Add({.dependency = *both, .needs_success = true});
  const TaskId last = all.Add({.dependency = next, .needs_success = true});
  const TaskId always = all.Add({.dependency = last});
  REQUIRE(all.pool->Wait(always));
  CHECK(all.ran == (bad < 0 ? 6 : 3));
}

// A task of a graph made at random, and the oracle's opinion of it.
struct Node {
  TaskId task;
  bool throws = false;
  bool fails = false;
  bool runs = true;
  std::atomic<int> ran{0};
};

TEMPLATE_TEST_CASE("in random graphs just the tasks are run whose needs have succeeded", "",
                   EACH_POLICY) {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  const std::uint64_t seed = GENERATE(11u, 12u, 13u);
  CAPTURE(seed);
  Random random(seed);
  const auto pool = MakePool<TestType>({.workers = workers, .capacity = 2048});
  const auto here = pool->Register("main");
  for (int round = 0; round < 60; ++round) {
    std::vector<Node> nodes(1 + random.Below(50));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      node.throws = random.Below(6) == 0;
      const bool needs_success = random.Below(2) == 0;
      std::vector<TaskId> ids;
      bool failed = false;
      for (std::uint32_t k = i == 0 ? 0 : random.Below(4); k > 0; --k) {
        const Node& need = nodes[random.Below(static_cast<std::uint32_t>(i))];
        ids.push_back(need.task);
        failed = failed || need.fails;
      }
      node.runs = !(needs_success && failed);
      node.fails = !node.runs || node.throws;
      TaskId dependency = ids.size() == 1 ? ids[0] : TaskId();
      if (ids.size() > 1) {
        const auto all = pool->WhenAll(ids);
        REQUIRE(all);
        dependency = *all;
      }
      const auto task = pool->Add(
          [&node] {
            ++node.ran;
            if (node.throws) throw 1;
          },
          {.dependency = dependency, .needs_success = needs_success});
      REQUIRE(task);
      node.task = *task;
    }
    // Before the first is submitted: a failure of a task that is complete is not known any more.
    for (const Node& node : nodes) REQUIRE(pool->Wait(node.task));
    for (const Node& node : nodes) REQUIRE(node.ran == (node.runs ? 1 : 0));
  }
}

}  // namespace
}  // namespace nowait
