// LiveParts: the parts that a viewer may request in addition to bodies and spans.
//
// Trees, links and the ray cost the engine a walk in each frame, and are copied only while some
// viewer shows them. Threads are in the copies of the bodies anyway, and cost bytes on the wire.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_LIVE_PARTS_H_
#define NOWAIT_SRC_LIVE_PARTS_H_

#include <cstddef>
#include <cstdint>

namespace nowait {

struct LiveParts {
  static constexpr std::uint32_t kTree = 1;     // the boxes of the broad phase
  static constexpr std::uint32_t kLinks = 2;    // the links of the islands
  static constexpr std::uint32_t kThreads = 4;  // the thread that moved each body
  static constexpr std::uint32_t kRay = 8;      // the way of a ray through the trees
  static constexpr std::uint32_t kAll = kTree | kLinks | kThreads | kRay;

  static constexpr std::size_t kMostBoxes = 1024;   // of one layer's tree, per frame
  static constexpr std::size_t kMostLinks = 8192;   // per frame
  static constexpr std::size_t kMostVisits = 1024;  // of the ray, per frame

  std::uint32_t bits = 0;

  bool tree() const { return (bits & kTree) != 0; }
  bool links() const { return (bits & kLinks) != 0; }
  bool ray() const { return (bits & kRay) != 0; }
  bool threads() const { return (bits & kThreads) != 0; }

  friend bool operator==(const LiveParts&, const LiveParts&) = default;
  friend LiveParts operator|(LiveParts a, LiveParts b) { return {a.bits | b.bits}; }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_PARTS_H_
