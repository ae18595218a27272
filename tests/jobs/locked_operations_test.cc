// How many locked operations a task costs, on one thread and with the policy of the engine: what
// oneTBB and others are compared by (README.md, Jobs and tasks beside oneTBB). The counts are
// exact. One that rises fails here, one that falls is to be written down.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "src/jobs/global_queue.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"
#include "src/jobs/work_stealing.h"
#include "tests/whole/counting_sync.h"

namespace nowait {
namespace {

constexpr std::uint32_t kTasks = 4096;

// One thread that does everything. Its calls are made in tasks and outside of them.
template <class Queues>
struct Alone {
  using Scheduler = TaskScheduler<CountingSync, Queues>;

  TaskId Add(const TaskDef& def) {
    const auto task = scheduler.Add(me, def);
    REQUIRE(task);
    return *task;
  }
  void Wait(TaskId task) { REQUIRE(scheduler.Wait(me, task)); }

  // A parent with so many children.
  void Fan(std::uint32_t children) {
    const TaskId all = Add({});
    for (std::uint32_t i = 0; i < children; ++i) Add({.work = {&Nothing, this}, .parent = all});
    Wait(all);
  }
  void Chain(std::uint32_t length) {
    TaskId last;
    for (std::uint32_t i = 0; i < length; ++i) {
      last = Add({.work = {&Nothing, this}, .dependency = last});
    }
    Wait(last);
  }
  // Tasks that each make two and wait for them.
  struct Fib {
    Alone* alone;
    std::uint32_t n;
  };
  void RunFib(std::uint32_t n) {
    ++ran;
    if (n < 2) return;
    Fib left{this, n - 1}, right{this, n - 2};
    const TaskId both = Add({});
    for (Fib* half : {&left, &right}) {
      Add({.work = {[](void* data) {
                      const Fib& fib = *static_cast<Fib*>(data);
                      fib.alone->RunFib(fib.n);
                    },
                    half},
           .parent = both});
    }
    Wait(both);
  }
  void List() {
    JobList<CountingSync> list(1);
    REQUIRE(list.Add({&Nothing, this}));
    const auto task = scheduler.AddList(me, list, {});
    REQUIRE(task);
    Wait(*task);
  }
  static void Nothing(void* data) { ++static_cast<Alone*>(data)->ran; }

  // Locked operations for each task that ran, in hundredths, rounded down.
  template <class Call>
  std::uint64_t Cost(const Call& call) {
    call();  // what is made once has been made
    ran = 0;
    const OperationCounts counts = CountOperations(call);
    REQUIRE(counts.yields == 0);
    return 100 * counts.locked / ran;
  }

  Scheduler scheduler{
      {.graph = {.capacity = 2 * kTasks, .threads = 1, .tag = 1}, .workers = 0, .names = 1}};
  typename Scheduler::Thread me{scheduler, 0, 1};
  std::uint64_t ran = 0;
};

// The most that is allowed, in hundredths of an operation a task.
struct Most {
  std::uint64_t fan_of_16, fan_of_4096, chain, fib, list;
};
template <class Queues>
constexpr Most kMost{};
template <>
constexpr Most kMost<WorkStealing<CountingSync>>{318, 318, 318, 484, 500};
template <>
constexpr Most kMost<GlobalQueue<CountingSync>>{318, 318, 318, 529, 500};

TEMPLATE_TEST_CASE("a task costs no more locked operations than it did", "",
                   WorkStealing<CountingSync>, GlobalQueue<CountingSync>) {
  Alone<TestType> alone;
  constexpr const Most& most = kMost<TestType>;
  CHECK(alone.Cost([&] { alone.Fan(16); }) <= most.fan_of_16);
  CHECK(alone.Cost([&] { alone.Fan(kTasks); }) <= most.fan_of_4096);
  CHECK(alone.Cost([&] { alone.Chain(kTasks); }) <= most.chain);
  CHECK(alone.Cost([&] { alone.RunFib(12); }) <= most.fib);
  CHECK(alone.Cost([&] { alone.List(); }) <= most.list);
}

}  // namespace
}  // namespace nowait
