#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "src/jobs/global_queue.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_queue.h"
#include "src/jobs/work_stealing.h"

namespace nowait {
namespace {

TaskId Id(std::uint16_t slot, std::uint32_t generation = 1) { return TaskId(1, slot, generation); }

ReadyTask Task(std::uint16_t slot, Priority priority = Priority::kHigh) {
  return {.id = Id(slot), .priority = static_cast<std::uint8_t>(priority)};
}

const auto always = [](TaskId) { return true; };

template <class Queues>
std::vector<std::uint16_t> PopAll(Queues& queues, std::uint32_t thread) {
  std::vector<std::uint16_t> slots;
  TaskId task;
  for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
    while (queues.Pop(thread, priority, &task)) slots.push_back(task.slot());
  }
  return slots;
}

TEST_CASE("a queue of tasks makes room by dropping stale entries, and keeps the others in order") {
  constexpr std::uint16_t kOpen = 8;
  TaskQueue<> queue(kOpen);
  REQUIRE(queue.capacity() == 2 * kOpen);
  // Each slot's first two tasks have been started by helpers; the third ones may start.
  std::uint32_t current = 0;
  const auto may_start = [&](TaskId task) { return task.generation() == current; };
  for (current = 1; current <= 3; ++current) {
    for (std::uint16_t slot = 0; slot < kOpen; ++slot) queue.Push(Id(slot, current), may_start);
  }
  current = 3;
  std::vector<std::uint16_t> slots;
  TaskId task;
  while (queue.Pop(&task)) {
    if (may_start(task)) slots.push_back(task.slot());
  }
  REQUIRE(slots == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE(
    "a queue of tasks has room for half as many stale entries as tasks can be open, or more") {
  for (std::uint32_t open = 1; open < 1000; ++open) {
    const std::size_t capacity = TaskQueue<>(open).capacity();
    REQUIRE(2 * capacity >= 3 * open);
    REQUIRE(capacity < 3 * std::size_t{open} + 1);
  }
  // A power of two, and what a few threads keep for themselves: two cells for each of those, not
  // four.
  REQUIRE(TaskQueue<>(8192 + 64).capacity() == 2 * 8192);
}

TEST_CASE("a full queue whose oldest entries may start keeps them all") {
  TaskQueue<> queue(4);
  std::set<std::uint64_t> started;
  const auto may_start = [&](TaskId task) { return !started.contains(task.bits()); };
  for (std::uint16_t slot = 0; slot < 8; ++slot) queue.Push(Id(slot), may_start);
  for (std::uint16_t slot = 3; slot < 8; ++slot) started.insert(Id(slot).bits());
  queue.Push(Id(8), may_start);
  std::set<std::uint16_t> left;
  TaskId task;
  while (queue.Pop(&task)) {
    if (may_start(task)) left.insert(task.slot());
  }
  REQUIRE(left == std::set<std::uint16_t>{0, 1, 2, 8});
}

TEST_CASE("the global queue: by priority, then first in, first out") {
  GlobalQueue<> queue(2, 16);
  queue.Push(0, Task(1, Priority::kLow), always);
  queue.Push(1, Task(2, Priority::kNormal), always);
  queue.Push(2, Task(3, Priority::kHigh), always);
  queue.Push(0, Task(4, Priority::kNormal), always);
  REQUIRE(PopAll(queue, 1) == std::vector<std::uint16_t>{3, 2, 4, 1});
}

TEST_CASE("work stealing: one's own newest, then what came from outside, then others' oldest") {
  WorkStealing<> queues(3, 16);
  queues.Push(0, Task(1), always);
  queues.Push(0, Task(2), always);
  queues.Push(1, Task(3), always);
  queues.Push(1, Task(4), always);
  queues.Push(3, Task(5), always);  // no worker
  queues.Push(2, Task(6, Priority::kLow), always);
  SECTION("a worker") {
    REQUIRE(PopAll(queues, 0) == std::vector<std::uint16_t>{2, 1, 5, 3, 4, 6});
  }
  SECTION("a worker without its own") {
    REQUIRE(PopAll(queues, 2) == std::vector<std::uint16_t>{5, 1, 2, 3, 4, 6});
  }
  SECTION("another thread") { REQUIRE(PopAll(queues, 3).size() == 6); }
}

TEST_CASE("work stealing: more than a deque has room for goes to the entry queue") {
  constexpr std::uint16_t kTasks = 2 * WorkStealing<>::kOwn;
  WorkStealing<> queues(1, kTasks);
  for (std::uint16_t i = 0; i < kTasks; ++i) queues.Push(0, Task(i), always);
  const auto slots = PopAll(queues, 0);
  REQUIRE(std::set<std::uint16_t>(slots.begin(), slots.end()).size() == kTasks);
}

TEST_CASE("work stealing: the longest waiting task, beginning with another place in each turn") {
  WorkStealing<> queues(2, 64);
  for (std::uint16_t n : {1, 2, 3}) queues.Push(0, Task(n), always);
  for (std::uint16_t n : {4, 5}) queues.Push(1, Task(n), always);
  for (std::uint16_t n : {6, 7}) queues.Push(2, Task(n), always);  // no owner: the entry queue
  std::vector<int> slots;
  TaskId task;
  for (std::uint32_t turn = 0; queues.PopOldest(turn, 0, &task); ++turn) {
    slots.push_back(task.slot());
  }
  REQUIRE(slots == std::vector<int>{1, 4, 6, 2, 5, 7, 3});
}

TEMPLATE_TEST_CASE("the longest waiting task of a priority is looked for in that alone", "",
                   GlobalQueue<>, WorkStealing<>) {
  TestType queues(1, 16);
  for (const std::uint32_t thread : {0u, 1u}) {  // an owner, and another thread
    queues.Push(thread, Task(1, Priority::kLow), always);
    queues.Push(thread, Task(2, Priority::kNormal), always);
    queues.Push(thread, Task(3, Priority::kLow), always);
    TaskId task;
    for (std::uint32_t turn = 0; turn < 2; ++turn) {
      CHECK_FALSE(queues.PopOldest(turn, 0, &task));
      REQUIRE(queues.PopOldest(turn, 2, &task));
      CHECK(task.slot() == (turn == 0 ? 1 : 3));
    }
    CHECK_FALSE(queues.PopOldest(0, 2, &task));
    REQUIRE(queues.PopOldest(0, 1, &task));
    CHECK(task.slot() == 2);
  }
}

TEMPLATE_TEST_CASE("a priority's pop takes nothing of another's", "", GlobalQueue<>,
                   WorkStealing<>) {
  TestType queues(2, 16);
  for (const std::uint32_t thread : {0u, 2u}) {
    CAPTURE(thread);
    TaskId task;
    queues.Push(thread, Task(1, Priority::kNormal), always);
    for (const std::uint32_t by : {0u, 1u, 2u}) {
      CHECK_FALSE(queues.Pop(by, 0, &task));
      CHECK_FALSE(queues.Pop(by, 2, &task));
    }
    CHECK(queues.Pop(1, 1, &task));
    CHECK(task == Id(1));
  }
}

TEST_CASE("the global queue: no thread has tasks of its own") {
  GlobalQueue<> queue(2, 16);
  TaskId task;
  bool put_back = false;
  queue.Push(0, Task(1), always);
  CHECK_FALSE(queue.PopOwn(0, always, always, &task, &put_back));
  CHECK_FALSE(put_back);
  CHECK(PopAll(queue, 0) == std::vector<std::uint16_t>{1});
}

TEST_CASE("work stealing: of one's own wanted tasks the most urgent, and of those the newest") {
  WorkStealing<> queues(1, 16);
  queues.Push(0, Task(1, Priority::kLow), always);
  queues.Push(0, Task(2, Priority::kNormal), always);
  queues.Push(0, Task(3, Priority::kNormal), always);
  std::vector<std::uint16_t> slots;
  TaskId task;
  bool put_back = false;
  while (queues.PopOwn(0, always, always, &task, &put_back)) slots.push_back(task.slot());
  CHECK(slots == std::vector<std::uint16_t>{3, 2, 1});
  CHECK_FALSE(put_back);
}

TEST_CASE("work stealing: an unwanted task that was put back is the next one again") {
  WorkStealing<> queues(1, 16);
  queues.Push(0, Task(1), always);
  queues.Push(0, Task(2), always);
  TaskId task;
  bool put_back = false;
  const auto wants_1 = [](TaskId own) { return own.slot() == 1; };
  CHECK_FALSE(queues.PopOwn(0, wants_1, always, &task, &put_back));
  CHECK(put_back);
  CHECK(PopAll(queues, 0) == std::vector<std::uint16_t>{2, 1});
}

TEST_CASE("work stealing: of one's own only what is wanted is taken") {
  WorkStealing<> queues(1, 16);
  TaskId task;
  bool put_back = false;
  const auto wants_2 = [](TaskId own) { return own.slot() == 2; };
  const auto not_9 = [](TaskId own) { return own.slot() != 9; };
  REQUIRE_FALSE(queues.PopOwn(0, wants_2, always, &task, &put_back));
  REQUIRE_FALSE(put_back);
  queues.Push(0, Task(1), always);
  queues.Push(0, Task(2, Priority::kNormal), always);
  queues.Push(0, Task(9, Priority::kNormal), always);
  REQUIRE(queues.PopOwn(0, wants_2, not_9, &task, &put_back));
  REQUIRE(task.slot() == 2);
  REQUIRE(put_back);
  REQUIRE_FALSE(queues.PopOwn(1, wants_2, not_9, &task, &put_back));  // its own queue is empty
  REQUIRE(PopAll(queues, 0) == std::vector<std::uint16_t>{1});
}

}  // namespace
}  // namespace nowait
