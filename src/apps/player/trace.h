// Trace: the states of a run, frame by frame, small enough to keep: a hash of each body. Two runs
// that should be the same are compared by their traces, and the first frame and body in which they
// are not is where to look.
//
//   play pile --headless --threads 1 --trace one.trace
//   play pile --headless --threads 8 --trace eight.trace
//   play --compare one.trace eight.trace
//
// A trace is a blob of kind "TRCE" (src/resource/blob.h): the frames, and the bodies of all frames
// in a row, by ascending slot. The name of a body is its slot and generation, which equal runs have
// in common. The number of its world is left out.
//
// Thread safety: one thread.
#ifndef NOWAIT_SRC_APPS_PLAYER_TRACE_H_
#define NOWAIT_SRC_APPS_PLAYER_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/world/world.h"

namespace nowait {

struct TracedBody {
  std::uint32_t slot;
  std::uint32_t generation;
  std::uint64_t hash;  // of place, velocities and sleep

  friend bool operator==(const TracedBody&, const TracedBody&) = default;
};

struct TracedFrame {
  std::uint64_t state_hash;  // World::StateHash
  std::uint64_t bodies;
};

class TraceWriter {
 public:
  // After a frame.
  void Add(const World& world);
  // The trace; the writer is empty then. kCapacity "blob bytes" or "memory".
  Result<std::vector<std::byte>> Finish();

 private:
  std::vector<TracedFrame> frames_;
  std::vector<TracedBody> bodies_;
  std::vector<BodySnapshot> snapshot_;
};

// A view of a trace's bytes.
class Trace {
 public:
  // kCorrupt, with the reason.
  static Result<Trace> Open(std::span<const std::byte> bytes);

  std::span<const TracedFrame> frames() const { return frames_; }
  std::span<const TracedBody> BodiesOf(std::size_t frame) const {
    return bodies_.subspan(starts_[frame], frames_[frame].bodies);
  }

 private:
  std::span<const TracedFrame> frames_;
  std::span<const TracedBody> bodies_;
  std::vector<std::size_t> starts_;  // by frame
};

// Where two runs part.
struct Divergence {
  std::size_t frame = 0;           // from 1
  std::optional<TracedBody> body;  // the lowest slot; none: joints alone differ, or a run has ended
  std::size_t bodies = 0;          // how many differ, or are in one run alone
  bool is_end = false;             // one run has no such frame
};

// Nothing if the runs are the same.
std::optional<Divergence> FirstDivergence(const Trace& one, const Trace& other);

// One line.
std::string ToString(const Divergence& divergence);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_TRACE_H_
