// Simulate: how long a frame's work takes on so many threads, with these or other priorities.
//
//   const WorkGraph graph = MakeWorkGraph(profile, frame_begin, frame_end);
//   Simulate(graph, {.threads = 4}).length;                                 as they were set
//   Simulate(graph, {.threads = 4, .priorities = SimulatedPriorities::kByPath}).length;
//   LongestChain(graph);                   the work takes at least so long on any number of threads
//
// A list schedule: whenever a thread is free and a step is ready, the thread begins the most urgent
// one, and of several the one that was ready first. Steps last as long as they did, and are not
// divided anew: a loop and a list are as many steps as threads have taken part in them. A thread
// goes on with the work that it is bound to (its own outside tasks, and the rest of a task that
// waited) before anything else. The simulation knows no cost of the scheduler, no time in which no
// span was, no caches; and a thread that waits in a task helps with everything, where the pool's
// helps with what it waits for.
//
// Thread safety: one thread. It may throw std::bad_alloc. Complexity: O((n + m) log n) for n nodes
// with m causes. src/live/page/schedule.js is the same for the viewer's page. Test:
// tests/profile/schedule_test.cc.
// Source: [bitsquid2010], "Task Management -- A Practical Example": priorities from the critical
// path. Lecture: reading a frame.
#ifndef NOWAIT_SRC_PROFILE_SCHEDULE_H_
#define NOWAIT_SRC_PROFILE_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "src/profile/work_graph.h"

namespace nowait {

enum class SimulatedPriorities : std::uint8_t {
  kAsSet,
  kByPath,  // the longest chain that begins with a step
  kOne,     // the same one for all
};

struct SimulationDef {
  std::uint32_t threads = 1;  // at least 1
  SimulatedPriorities priorities = SimulatedPriorities::kAsSet;
};

struct Schedule {
  std::uint64_t length = 0;            // nanoseconds, until the last step has ended
  std::vector<std::uint64_t> begins;   // by node
  std::vector<std::uint32_t> threads;  // by node; of a join without meaning
};

Schedule Simulate(const WorkGraph& graph, const SimulationDef& def);

// The longest chain of steps that come after each other.
std::uint64_t LongestChain(const WorkGraph& graph);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_SCHEDULE_H_
