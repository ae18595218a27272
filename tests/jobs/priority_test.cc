// The effect of a priority, on one thread: also among tasks with a name, and when lists have been
// run.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "src/jobs/global_queue.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"
#include "src/jobs/work_stealing.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// A policy that counts the tasks that go through it.
template <class Queues>
struct Counted : Queues {
  using Queues::Queues;
  template <class MayStart>
  void Push(std::uint32_t thread, const ReadyTask& task, const MayStart& may_start) {
    ++pushed;
    Queues::Push(thread, task, may_start);
  }
  template <class MayStart>
  void PushMany(std::uint32_t thread, std::uint32_t priority, const TaskId* tasks,
                std::size_t count, const MayStart& may_start) {
    pushed += count;
    Queues::PushMany(thread, priority, tasks, count, may_start);
  }
  static inline std::uint64_t pushed = 0;
};

// A main thread without workers, and what its tasks write down.
template <class Queues>
class Main {
 public:
  using Scheduler = TaskScheduler<StdSync, Queues>;

  TaskId Add(const TaskDef& def) {
    const auto task = scheduler.Add(me, def);
    REQUIRE(task);
    return *task;
  }
  // A task that writes down its letter.
  TaskId Letter(char letter, std::uint8_t priority, std::uint8_t name, TaskId parent,
                TaskId dependency = {}) {
    letters_.push_back({this, letter});
    return Add({.work = {&Write, &letters_.back()},
                .parent = parent,
                .dependency = dependency,
                .priority = priority,
                .affinity = name});
  }
  void Wait(TaskId task) { REQUIRE(scheduler.Wait(me, task)); }
  // A row of tasks, each of which makes the next one ready.
  void Row(std::uint32_t length) {
    TaskId last;
    for (std::uint32_t i = 0; i < length; ++i) {
      last = Add({.work = {&Nothing, nullptr}, .dependency = last});
    }
    Wait(last);
  }
  void List(std::uint32_t jobs) {
    JobList<StdSync> list(jobs);
    for (std::uint32_t i = 0; i < jobs; ++i) REQUIRE(list.Add({&Nothing, nullptr}));
    const auto task = scheduler.AddList(me, list, {});
    REQUIRE(task);
    Wait(*task);
  }

  Scheduler scheduler{
      {.graph = {.capacity = 64, .threads = 1, .tag = 1}, .workers = 0, .names = 1}};
  typename Scheduler::Thread me{scheduler, 0, 1};
  std::string written;

 private:
  struct Writer {
    Main* all;
    char letter;
  };
  static void Write(void* data) {
    const Writer& writer = *static_cast<Writer*>(data);
    writer.all->written += writer.letter;
  }
  static void Nothing(void*) {}

  std::deque<Writer> letters_;
};

TEMPLATE_TEST_CASE("tasks with a name are begun by priority, beside those of others", "",
                   WorkStealing<>, GlobalQueue<>) {
  Main<TestType> main;
  const TaskId all = main.Add({});
  main.Letter('f', 2, 1, all);
  main.Letter('d', 1, 1, all);
  main.Letter('e', 1, 0, all);
  main.Letter('b', 0, 0, all);
  main.Letter('a', 0, 1, all);
  main.Letter('g', 2, 0, all);
  main.Letter('c', 0, 0, all);
  main.Wait(all);
  // Of one priority first the tasks with the name, then in the order of submission.
  CHECK(main.written == "abcdefg");
}

TEMPLATE_TEST_CASE("a wait inside a task begins tasks with the thread's affinity by priority", "",
                   WorkStealing<>, GlobalQueue<>) {
  struct Outer {
    static void Run(void* data) {
      auto& outer = *static_cast<Outer*>(data);
      const TaskId all = outer.main.Add({});
      outer.main.Letter('c', 2, 1, all);
      outer.main.Letter('b', 1, 1, all);
      outer.main.Letter('a', 0, 1, all);
      outer.main.Wait(all);
    }
    Main<TestType> main;
  } outer;
  outer.main.Wait(outer.main.Add({.work = {&Outer::Run, &outer}}));
  CHECK(outer.main.written == "abc");
}

TEMPLATE_TEST_CASE("a task that another makes ready goes behind more urgent ones that wait", "",
                   WorkStealing<>, GlobalQueue<>) {
  for (const std::uint8_t priority : {1, 2}) {
    CAPTURE(int{priority});
    Main<TestType> main;
    const TaskId all = main.Add({});
    const TaskId first = main.Letter('a', 0, 0, all);
    main.Letter('c', priority, 0, all, first);
    main.Letter('b', static_cast<std::uint8_t>(priority - 1), 0, all);
    main.Wait(all);
    CHECK(main.written == "abc");
  }
}

TEMPLATE_TEST_CASE("a task that waits for children goes before less urgent ones when the last ends",
                   "", WorkStealing<>, GlobalQueue<>) {
  // Which of the two ends last depends on the policy. One of them has a dependent, and its end is
  // no item that the thread keeps back.
  for (const bool first_has_dependent : {false, true}) {
    CAPTURE(first_has_dependent);
    Main<TestType> main;
    const TaskId all = main.Add({});
    const TaskId parent = main.Add({.parent = all});
    const TaskId first = main.Letter('a', 0, 0, parent);
    const TaskId second = main.Letter('a', 0, 0, parent);
    main.Letter('b', 1, 0, all, parent);
    main.Letter('c', 2, 0, all);
    main.Letter('d', 2, 0, all, first_has_dependent ? first : second);
    main.Wait(all);
    CHECK(main.written == "aabcd");
  }
}

TEMPLATE_TEST_CASE("tasks of a row go through no queue, also after a list of their priority", "",
                   WorkStealing<>, GlobalQueue<>) {
  using Policy = Counted<TestType>;
  Main<Policy> main;
  constexpr std::uint32_t kLength = 20;  // fewer than there are looks between two at the oldest
  const auto pushed = [&] {
    Policy::pushed = 0;
    main.Row(kLength);
    return Policy::pushed;
  };
  CHECK(pushed() == 1);  // the first
  main.List(4);
  CHECK(pushed() == 1);
}

}  // namespace
}  // namespace nowait
