// WorkGraph: the work of all threads in a stretch of time, and what each part of it came after.
//
//   const WorkGraph graph = MakeWorkGraph(profile, frame_begin, frame_end);
//   FindCriticalPath(graph); Simulate(graph, {.threads = 4}); ...
//
// A piece of work is a time in which a thread is in a span and in no other one inside of it; a span
// whose name begins with the word "wait" is no work, and a span without length is in no piece. A
// step is the pieces of one run of a task, of one visit to a list of jobs, or of a thread outside
// of both, from one wait to the next one. It comes after
//   - the part of a step that made its task: all of it, unless the task began before its end
//   - the task's dependency, and a task that was awaited, each with its children
//   - the step before it in the same run; of a list, the visits that ended before it began
// No step comes after itself. A join stands for the moment at which a task is complete. Where no
// record says what a step came after (a lock, a device, work outside tasks, a thread that slept),
// the piece on any thread that ended last before it began stands for it: the cause had ended by
// then, and not later than that.
//
// Thread safety: one thread, while no thread writes the lanes. It may throw std::bad_alloc.
// Complexity: O((n + m) log n) for n spans and m links between tasks. src/live/page/work_graph.js
// is the same for the viewer's page. Test: tests/profile/work_graph_test.cc.
// Source: [bitsquid2010], "Task Management -- A Practical Example". Lecture: reading a frame.
#ifndef NOWAIT_SRC_PROFILE_WORK_GRAPH_H_
#define NOWAIT_SRC_PROFILE_WORK_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/profile/profile.h"

namespace nowait {

struct WorkGraph {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Piece {
    std::size_t lane;
    Span span;  // the part of it that is this piece's
    std::uint32_t step;
    std::uint64_t before;  // nanoseconds of work in its step before it
  };
  // A node comes after so much of another one's work.
  struct Cause {
    std::uint32_t node;
    std::uint64_t work;
  };
  struct Node {
    bool is_step = true;  // or a join, without work
    std::size_t lane = 0;
    std::uint64_t begin = 0;  // as recorded; of a join, its end
    std::uint64_t end = 0;
    std::uint64_t work = 0;
    std::vector<std::uint32_t> pieces = {};  // in order
    std::vector<Cause> causes = {};
    std::uint32_t follows = kNone;  // the step before it in the same run, whose thread goes on
    bool bound = false;             // to the thread of its lane
    bool by_times = false;          // a cause of it is known by times alone
    std::uint8_t priority = 0;      // of its task
    std::uint64_t made = 0;         // when its task was made; otherwise its begin
  };

  std::vector<Piece> pieces;          // by lane and time
  std::vector<std::uint32_t> by_end;  // their numbers, by end, begin and lane
  std::vector<Node> nodes;            // steps, then joins

  // The moment at which so much of a node's work was done.
  std::uint64_t TimeOf(const Cause& cause) const;
  // The piece that ended last before `time`; of several, that of the lane. kNone: there is no such
  // piece.
  std::uint32_t LastBefore(std::uint64_t time, std::size_t lane) const;
};

// begin, end: nanoseconds of the profile's clock, begin < end. Spans that reach beyond are cut off.
WorkGraph MakeWorkGraph(const Profile& profile, std::uint64_t begin, std::uint64_t end);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_WORK_GRAPH_H_
