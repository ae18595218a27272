// The cost of a wait in a task for each of very many children: counted, not timed.
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/jobs/global_queue.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"
#include "src/jobs/work_stealing.h"
#include "tests/whole/counting_sync.h"

namespace nowait {
namespace {

// A task that makes so many children and waits for them.
template <class Queues>
struct Fan {
  using Scheduler = TaskScheduler<CountingSync, Queues>;

  explicit Fan(std::uint32_t children) : children(children) {
    const auto outer = scheduler.Add(me, {.work = {&RunOuter, this}});
    REQUIRE(outer);
    REQUIRE(scheduler.Wait(me, *outer));
    REQUIRE(ran == children);
  }
  static void RunOuter(void* data) {
    auto& fan = *static_cast<Fan*>(data);
    const auto all = fan.scheduler.Add(fan.me, {});
    for (std::uint32_t i = 0; i < fan.children; ++i) {
      if (!fan.scheduler.Add(fan.me, {.work = {&RunChild, data}, .parent = *all})) return;
    }
    const OperationCounts counts =
        CountOperations([&] { fan.waited = fan.scheduler.Wait(fan.me, *all).has_value(); });
    fan.operations = counts.loads + counts.stores + counts.locked;
  }
  static void RunChild(void* data) { ++static_cast<Fan*>(data)->ran; }
  std::uint64_t for_each() const { return operations / children; }

  const std::uint32_t children;
  Scheduler scheduler{
      {.graph = {.capacity = children + 8, .threads = 1, .tag = 1}, .workers = 0, .names = 1}};
  typename Scheduler::Thread me{scheduler, 0, 1};
  std::uint32_t ran = 0;
  bool waited = false;
  std::uint64_t operations = 0;
};

TEMPLATE_TEST_CASE("a wait in a task costs as much for each child, however many there are", "",
                   WorkStealing<CountingSync>, GlobalQueue<CountingSync>) {
  const Fan<TestType> thousand(1'000), many(16'000);
  REQUIRE((thousand.waited && many.waited));
  CAPTURE(thousand.for_each(), many.for_each());
  // With a search from the first child on for each it is thousands.
  CHECK(thousand.for_each() <= 100);
  CHECK(many.for_each() <= 100);
}

}  // namespace
}  // namespace nowait
