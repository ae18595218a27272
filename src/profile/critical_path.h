// FindCriticalPath: the chain of work that the end of a stretch of time has waited for.
//
//   const CriticalPath path = FindCriticalPath(profile, frame_begin, frame_end);
//   for (const auto& piece : path.pieces) ...      only a shorter one ends the frame sooner
//
// A piece of work is a time in which a thread is in a span and in no other one inside of it; a span
// whose name begins with the word "wait" is no work, and a span without length is in no piece. A
// profile has no dependencies: the chain is made of times. Its last piece is the one that ended
// last. Before each piece stands the one that ended last before that piece began, on any thread; of
// several, the same thread's. The cause that held a piece up had ended by then, and not later than
// the chosen one. The viewer's page draws the same path (src/live/page/critical_path.js).
//
// Thread safety: one thread, while no thread writes the lanes. It may throw std::bad_alloc.
// Complexity: O(n log n) for n spans. Test: tests/profile/critical_path_test.cc.
// Source: [bitsquid2010], "Task Management -- A Practical Example": tasks on the critical path.
// Lecture: reading a frame.
#ifndef NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_
#define NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/profile/profile.h"

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

// begin, end: nanoseconds of the profile's clock, begin < end. Spans that reach beyond are cut off.
CriticalPath FindCriticalPath(const Profile& profile, std::uint64_t begin, std::uint64_t end);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_CRITICAL_PATH_H_
