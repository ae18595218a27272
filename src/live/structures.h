// The structures of the engine on the wire: the boxes of the trees, the links of the islands, and
// the way of a ray through the trees.
//
// A viewer gets them while it shows them (LiveParts). StructuresWriter sends the changes since the
// viewer's previous message; LiveStructures is a viewer's knowledge of them.
//
// Thread safety: one thread. The functions may throw std::bad_alloc.
// Format: docs/live-wire.md, "LvTr", "LvLk" and "LvRa". Test: tests/live/structures_test.cc.
#ifndef NOWAIT_SRC_LIVE_STRUCTURES_H_
#define NOWAIT_SRC_LIVE_STRUCTURES_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/live/event_cursor.h"
#include "src/live/event_writer.h"
#include "src/live/frame.h"

namespace nowait {

// A node of a tree.
struct LiveBox {
  std::uint32_t word = 0;                 // never 0
  std::array<std::int32_t, 6> numbers{};  // min x, y, z, max x, y, z, in units of kLivePlaceUnit

  static LiveBox Of(const TreeBox& box);
  static std::array<std::int32_t, 6> NumbersOf(const Bounds<3>& box);

  std::uint32_t layer() const { return word >> 1 & 15; }
  bool open() const { return (word >> 5 & 1) != 0; }
  bool changed() const { return (word >> 6 & 1) != 0; }
  std::uint32_t bodies() const { return word >> 7 & 7; }
  std::uint32_t level() const { return word >> 10; }

  friend bool operator==(const LiveBox&, const LiveBox&) = default;
};

// A layer's tree.
struct LiveTree {
  std::uint32_t layer = 0;
  std::uint32_t rebuilds = 0;  // in the last update
  std::uint32_t refits = 0;    // likewise
  std::uint32_t staged = 0;    // see LayerTree, for this and the next one
  std::uint32_t left_out = 0;
};

// A link as one number, which keeps the order of the links: (a * 2^21 + b) * 2 + joint.
constexpr std::uint64_t KeyOf(const BodyLink& link) {
  return (std::uint64_t{link.a} << ProxyId::kSlotBits | link.b) << 1 | (link.joint ? 1 : 0);
}

// The way of a ray.
struct LiveRay {
  Vec3 origin;
  Vec3 translation;
  std::optional<std::uint32_t> hit;                // the slot of the first body
  float fraction = 1.0f;                           // of the translation, where the way ends
  std::uint32_t bodies = 0;                        // RayTrace::bodies
  std::uint32_t left_out = 0;                      // visits behind those below
  std::vector<std::array<std::int32_t, 6>> nodes;  // LiveBox::numbers, in the order of the visits
};

struct LiveStructures {
  std::map<std::uint32_t, LiveBox> boxes;  // by node
  std::vector<LiveTree> trees;
  std::set<std::uint64_t> links;  // KeyOf
  std::uint32_t links_left_out = 0;
  std::optional<LiveRay> ray;  // of the last message

  // Returns false if the event's content is wrong.
  bool ReadTree(EventCursor cursor);
  bool ReadLinks(EventCursor cursor);
  bool ReadRay(EventCursor cursor);
};

class StructuresWriter {
 public:
  // Adds the events of a frame. shown: the parts that the viewer requests; the frame may not have
  // them yet.
  void Write(LiveParts shown, const LiveFrame& frame, EventWriter& writer);

 private:
  struct Sent {
    std::uint32_t node;
    LiveBox box;
  };

  void WriteTree(const LiveFrame& frame, EventWriter& writer);
  void WriteLinks(const LiveFrame& frame, EventWriter& writer);
  static void WriteRay(const RayTrace& trace, EventWriter& writer);

  // The viewer's knowledge, ascending. A viewer that hides the parts keeps it.
  std::vector<Sent> boxes_;
  std::vector<std::uint64_t> links_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_STRUCTURES_H_
