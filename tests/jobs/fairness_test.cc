// No task waits for ever beside endless others; counted in tasks and on one thread.
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>

#include "src/jobs/global_queue.h"
#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"
#include "src/jobs/work_stealing.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kWorkers = 2;
// Two deques, the main thread's, and the entry queue.
constexpr std::uint32_t kPlaces = 4;

// A worker in an endless row of tasks, each of which makes the next in another way.
template <class Queues>
class Endless {
 public:
  using Scheduler = TaskScheduler<StdSync, Queues>;
  enum class Next { kKept, kOwn };

  explicit Endless(Next next) : next_(next) {}

  void Begin(typename Scheduler::Thread& by) { Add(by, {.work = {&Run, this}}); }
  // A task that writes down how many have been begun before it.
  TaskId Other(typename Scheduler::Thread& by, std::uint8_t priority = 0) {
    return Add(by, {.work = {&RunOther, this}, .priority = priority});
  }
  // Until the other has been begun, or the row has become too long.
  void Work(std::uint64_t most) {
    const auto done = [&] { return begun_before_ != 0 || begun_ >= most; };
    REQUIRE(scheduler.DoWorkWhileWaitingFor(worker, done));
  }
  std::uint64_t begun_before_other() const { return begun_before_; }

  Scheduler scheduler{
      {.graph = {.capacity = 64, .threads = 3, .tag = 1}, .workers = kWorkers, .names = 1}};
  typename Scheduler::Thread worker{scheduler, 0}, second{scheduler, 1}, main{scheduler, 2, 1};

 private:
  TaskId Add(typename Scheduler::Thread& by, const TaskDef& def) {
    const auto task = scheduler.Add(by, def);
    REQUIRE(task);
    REQUIRE(scheduler.Submit(by, *task));
    return *task;
  }
  static void Run(void* data) {
    auto& all = *static_cast<Endless*>(data);
    ++all.begun_;
    TaskDef next{.work = {&Run, data}};
    if (all.next_ == Next::kKept) next.dependency = all.worker.current();
    all.Add(all.worker, next);
  }
  static void RunOther(void* data) {
    auto& all = *static_cast<Endless*>(data);
    all.begun_before_ = all.begun_;
  }

  const Next next_;
  std::uint64_t begun_ = 0;
  std::uint64_t begun_before_ = 0;
};

TEMPLATE_TEST_CASE("a task from outside is begun beside an endless row of a worker's", "",
                   WorkStealing<>, GlobalQueue<>) {
  using All = Endless<TestType>;
  constexpr std::uint64_t kBound = kPlaces * All::Scheduler::kTurn;
  for (const auto next : {All::Next::kKept, All::Next::kOwn}) {
    All all(next);
    all.Begin(all.worker);
    all.Work(2);  // in the middle of the row
    all.Other(all.main);
    all.Work(10 * kBound);
    CHECK(all.begun_before_other() != 0);
    CHECK(all.begun_before_other() <= 2 + kBound);
  }
}

TEMPLATE_TEST_CASE("a less urgent task waits as long as there are more urgent ones", "",
                   WorkStealing<>, GlobalQueue<>) {
  using All = Endless<TestType>;
  All all(All::Next::kOwn);
  all.Begin(all.worker);
  all.Work(2);
  all.Other(all.main, 1);
  all.Work(10 * kPlaces * All::Scheduler::kTurn);
  CHECK(all.begun_before_other() == 0);  // the row is more urgent, and has no end
}

TEST_CASE("the oldest task of an owner's deque, or of another's, is begun beside its newest") {
  using All = Endless<WorkStealing<>>;
  constexpr std::uint64_t kBound = kPlaces * All::Scheduler::kTurn;
  for (const bool own : {true, false}) {
    All all(All::Next::kOwn);
    all.Other(own ? all.worker : all.second);
    all.Begin(all.worker);
    all.Work(10 * kBound);
    CHECK(all.begun_before_other() != 0);
    CHECK(all.begun_before_other() <= kBound);
  }
}

}  // namespace
}  // namespace nowait
