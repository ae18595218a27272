// FindCriticalPath: the chain of work that the end of a stretch of time has waited for.
//
//   const CriticalPath path = FindCriticalPath(MakeWorkGraph(profile, frame_begin, frame_end));
//   for (const auto& piece : path.pieces) ...      only a shorter one ends the frame sooner
//
// The last piece is the one that ended last. Before each one stands, of all that it came after
// (src/profile/work_graph.h), the piece that ended last; of several, the same thread's. If the
// thread was at work until later than that, its last piece stands there: the work was ready, and
// waited for a thread. In the time between two pieces the work was ready and the thread was free.
// Where a graph has no records of tasks, the chain is made of times. The viewer's page draws the
// same path (src/live/page/critical_path.js).
//
// Thread safety: one thread. It may throw std::bad_alloc. Complexity: linear in the path's causes,
// for each lane. Test: tests/profile/critical_path_test.cc.
// Source: [bitsquid2010], "Task Management -- A Practical Example": tasks on the critical path.
// Lecture: reading a frame.
#ifndef NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_
#define NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/profile/profile.h"
#include "src/profile/work_graph.h"

namespace nowait {

struct CriticalPath {
  struct Piece {
    std::size_t lane;  // its index
    Span span;         // the part of it that is this piece's
  };
  std::vector<Piece> pieces;  // from first to last
  std::uint64_t work = 0;     // nanoseconds, in the pieces
  std::uint64_t between = 0;  // and from each to the next one
};

CriticalPath FindCriticalPath(const WorkGraph& graph);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_
