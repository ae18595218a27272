// Schedules of graphs whose lengths are known: a chain, a fork, a diamond, and one in which the
// priorities decide; and the laws of list schedules for any recording.
#include "src/profile/schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "src/math/random.h"
#include "src/profile/profile.h"
#include "src/profile/work_graph.h"
#include "tests/profile/hand_made.h"

namespace nowait {
namespace {

using Kind = TaskRecord::Kind;

constexpr SimulatedPriorities kAll[] = {SimulatedPriorities::kAsSet, SimulatedPriorities::kByPath,
                                        SimulatedPriorities::kOne};

std::uint64_t Length(const WorkGraph& graph, std::uint32_t threads,
                     SimulatedPriorities priorities = SimulatedPriorities::kAsSet) {
  return Simulate(graph, {threads, priorities}).length;
}

// The main thread works for 10, has made all tasks by then, waits for the group 1, and works for 5.
// lengths: of tasks 2, 3, ... that were run one behind the other.
struct Frame : HandMade {
  explicit Frame(std::uint32_t lanes) : HandMade(lanes) {
    Make({.time = 1, .task = 1, .kind = Kind::kEmpty});
  }
  void Add(std::uint32_t task, std::uint64_t length, std::uint32_t dependency = TaskRecord::kNoTask,
           std::uint8_t priority = 0) {
    Make({.time = std::min(task, 9u),  // within "update"
          .task = task,
          .parent = 1,
          .dependency = dependency,
          .priority = priority});
    Task(0, task, at, at + length);
    at += length;
  }
  WorkGraph End() {
    Wait(0, 1, 10, at);
    Work(0, "update", 0, 10);
    Work(0, "render", at, at + 5);
    return MakeWorkGraph(profile, 0, at + 5);
  }
  std::uint64_t at = 10;
};

TEST_CASE("a chain takes the sum of its work, on any number of threads") {
  Frame frame(1);
  frame.Add(2, 7);
  frame.Add(3, 8, 2);
  frame.Add(4, 9, 3);
  const WorkGraph graph = frame.End();
  CHECK(LongestChain(graph) == 10 + 7 + 8 + 9 + 5);
  for (const std::uint32_t threads : {1u, 2u, 8u}) {
    for (const auto priorities : kAll) {
      CHECK(Length(graph, threads, priorities) == 10 + 7 + 8 + 9 + 5);
    }
  }
}

TEST_CASE("a fork takes as many turns as its tasks need on so many threads") {
  Frame frame(1);
  for (std::uint32_t task = 2; task < 12; ++task) frame.Add(task, 6);
  const WorkGraph graph = frame.End();
  CHECK(LongestChain(graph) == 10 + 6 + 5);
  for (std::uint32_t threads = 1; threads <= 12; ++threads) {
    const std::uint64_t turns = (10 + threads - 1) / threads;
    for (const auto priorities : kAll) {
      CHECK(Length(graph, threads, priorities) == 10 + 6 * turns + 5);
    }
  }
}

TEST_CASE("the two sides of a diamond go on at the same time, and its end comes after both") {
  Frame frame(1);
  frame.Add(2, 4);
  frame.Add(3, 20, 2);
  frame.Add(4, 12, 2);
  frame.Make({.time = 5, .task = 6, .kind = Kind::kEmpty});
  frame.Make({.time = 6, .task = 3, .parent = 6, .kind = Kind::kLink});  // later, by AddChild
  frame.Make({.time = 6, .task = 4, .parent = 6, .kind = Kind::kLink});
  frame.Add(7, 3, 6);
  const WorkGraph graph = frame.End();
  CHECK(LongestChain(graph) == 10 + 4 + 20 + 3 + 5);
  CHECK(Length(graph, 1) == 10 + 4 + 20 + 12 + 3 + 5);
  CHECK(Length(graph, 2) == 10 + 4 + 20 + 3 + 5);
  CHECK(Length(graph, 3) == 10 + 4 + 20 + 3 + 5);
}

TEST_CASE("a long task of the lowest priority is begun too late, and the path begins it first") {
  Frame frame(1);
  for (std::uint32_t task = 2; task < 6; ++task) frame.Add(task, 10, TaskRecord::kNoTask, 0);
  frame.Add(6, 20, TaskRecord::kNoTask, 2);
  const WorkGraph graph = frame.End();
  CHECK(Length(graph, 2, SimulatedPriorities::kAsSet) == 10 + 40 + 5);
  CHECK(Length(graph, 2, SimulatedPriorities::kByPath) == 10 + 30 + 5);
  CHECK(Length(graph, 2, SimulatedPriorities::kOne) == 10 + 40 + 5);  // it was made last
  CHECK(Length(graph, 1, SimulatedPriorities::kByPath) == 10 + 60 + 5);
}

TEST_CASE("with one priority for all, a long task that was made first is begun first") {
  Frame frame(1);
  frame.Add(2, 20, TaskRecord::kNoTask, 2);
  for (std::uint32_t task = 3; task < 7; ++task) frame.Add(task, 10, TaskRecord::kNoTask, 1);
  const WorkGraph graph = frame.End();
  CHECK(Length(graph, 2, SimulatedPriorities::kAsSet) == 10 + 40 + 5);
  CHECK(Length(graph, 2, SimulatedPriorities::kOne) == 10 + 30 + 5);
}

TEST_CASE("a task that began while its maker went on comes after a part of that alone") {
  HandMade frame(2);
  frame.Make({.time = 4, .task = 1});
  frame.Task(1, 1, 5, 30);
  frame.Work(0, "update", 0, 20);
  frame.Wait(0, 1, 20, 31);
  frame.Work(0, "render", 31, 40);
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 40);
  CHECK(LongestChain(graph) == 4 + 25 + 9);
  CHECK(Length(graph, 2) == 4 + 25 + 9);
  CHECK(Length(graph, 1) == 20 + 25 + 9);
}

TEST_CASE("the rest of a task that has waited goes on where it began, before anything else") {
  HandMade frame(2);
  frame.Make({.time = 1, .task = 1});
  frame.Make({.time = 2, .task = 2, .priority = 1});
  frame.Make({.time = 3, .task = 3, .priority = 1});
  frame.Make({.time = 21, .task = 4}, 1);  // by task 1
  // Task 1 waits for the task that it makes; the main thread runs that, and then 2 and 3.
  frame.Task(0, 4, 22, 28);
  frame.Task(0, 2, 40, 60);
  frame.Task(0, 3, 60, 80);
  frame.Wait(1, 4, 22, 30);
  frame.Task(1, 1, 20, 37);
  frame.Wait(0, 3, 10, 80);
  frame.Work(0, "update", 0, 10);
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 80);
  // On one thread: 10; 2 of the task, 6 of the one in it, 7 of its rest; and the other two.
  const Schedule alone = Simulate(graph, {.threads = 1});
  CHECK(alone.length == 10 + 2 + 6 + 7 + 20 + 20);
  const Schedule both = Simulate(graph, {.threads = 2});
  // Thread 0 has begun task 1, the other one task 2; then 0 runs 4, the rest of 1, and 3.
  CHECK(both.length == 10 + 2 + 6 + 7 + 20);
}

TEST_CASE("a list's visits go on at the same time, and a later one comes after an earlier end") {
  HandMade frame(2);
  frame.Make({.time = 5, .task = 1, .kind = Kind::kList, .priority = 1});
  frame.own[1]->AddSpan({"jobs", 11, 21, 1});
  frame.own[0]->AddSpan({"jobs", 10, 26, 1});
  frame.own[1]->AddSpan({"jobs", 27, 30, 1});  // behind a sync point
  frame.Wait(0, 1, 10, 31);
  frame.Work(0, "physics", 0, 40);
  const WorkGraph graph = MakeWorkGraph(frame.profile, 0, 40);
  CHECK(LongestChain(graph) == 10 + 16 + 3 + 9);
  CHECK(Length(graph, 2) == 10 + 16 + 3 + 9);
  CHECK(Length(graph, 1) == 10 + 10 + 16 + 3 + 9);
}

TEST_CASE("an empty graph takes no time, and a thread alone takes as long as its work") {
  Profile nothing({.lanes = 1});
  const WorkGraph empty = MakeWorkGraph(nothing, 0, 100);
  CHECK(LongestChain(empty) == 0);
  for (const auto priorities : kAll) CHECK(Length(empty, 3, priorities) == 0);
  HandMade alone(2);
  alone.Work(1, "work", 10, 30);
  alone.Work(1, "more", 50, 60);
  const WorkGraph graph = MakeWorkGraph(alone.profile, 0, 100);
  CHECK(Length(graph, 4) == 30);
}

// Tasks that lanes run one by one, most with an earlier one as dependency, as a scheduler
// would have run them; some of no known task, some with waits.
WorkGraph AnyGraph(Random& random) {
  constexpr std::uint32_t kLanes = 3, kTasks = 24;
  HandMade frame(kLanes);
  std::vector<std::uint64_t> ends(kTasks), free(kLanes, 10);
  frame.Work(0, "update", 0, 10);
  for (std::uint32_t task = 0; task < kTasks; ++task) {
    const bool depends = task > 0 && random.Below(3) != 0;
    const std::uint32_t before = depends ? random.Below(task) : TaskRecord::kNoTask;
    if (random.Below(6) != 0) {
      frame.Make({.time = 1 + task / 4,
                  .task = task,
                  .dependency = before,
                  .priority = static_cast<std::uint8_t>(random.Below(3)),
                  .bound = random.Below(8) == 0});
    }
    const std::uint32_t lane = random.Below(kLanes);
    std::uint64_t begin = std::max(free[lane], depends ? ends[before] : 10) + random.Below(3);
    ends[task] = free[lane] = begin + 1 + random.Below(20);
    frame.Task(lane, task, begin, ends[task]);
    if (random.Below(4) == 0) {
      frame.Work(lane, "more", free[lane], free[lane] + 3);
      free[lane] += 3;
    }
  }
  return MakeWorkGraph(frame.profile, 0, 1'000);
}

TEST_CASE(
    "any recording: nothing begins before its causes, no thread is in two steps, and no "
    "thread rests while work is ready") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const WorkGraph graph = AnyGraph(random);
    const std::uint32_t threads = 1 + random.Below(4);
    std::uint64_t work = 0;
    for (const auto& node : graph.nodes) work += node.work;
    for (const auto priorities : kAll) {
      const Schedule schedule = Simulate(graph, {threads, priorities});
      std::vector<std::uint64_t> ready(graph.nodes.size());
      std::vector<std::vector<std::uint32_t>> of_thread(threads);
      for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        for (const auto& [node, part] : graph.nodes[i].causes) {
          ready[i] = std::max(ready[i], schedule.begins[node] + part);
        }
        CHECK(schedule.begins[i] >= ready[i]);
        if (graph.nodes[i].is_step) of_thread[schedule.threads[i]].push_back(i);
      }
      for (auto& steps : of_thread) {
        std::ranges::sort(steps, {}, [&](std::uint32_t i) { return schedule.begins[i]; });
        std::uint64_t end = 0;
        for (const std::uint32_t i : steps) {
          CHECK(schedule.begins[i] >= end);
          // Until it began, a free step was waiting on each thread's work.
          if (!graph.nodes[i].bound) CHECK(std::max(end, ready[i]) == schedule.begins[i]);
          end = schedule.begins[i] + graph.nodes[i].work;
        }
      }
      CHECK(schedule.length >= LongestChain(graph));
      CHECK(schedule.length * threads >= work);
      if (threads == 1) CHECK(schedule.length == work);
    }
  }
}

}  // namespace
}  // namespace nowait
