// LinkSnapshot: the links that make islands of bodies, copied for a viewer or for a person.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_WORLD_LINK_SNAPSHOT_H_
#define NOWAIT_SRC_WORLD_LINK_SNAPSHOT_H_

#include <compare>
#include <cstdint>
#include <vector>

namespace nowait {

// Two dynamic bodies that touch, or that a joint connects.
struct BodyLink {
  std::uint32_t a;  // slots, a < b
  std::uint32_t b;
  bool joint;

  friend auto operator<=>(const BodyLink&, const BodyLink&) = default;
};

struct LinkSnapshot {
  std::vector<BodyLink> links;  // ascending, each once
  std::uint32_t left_out = 0;   // for want of room
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_LINK_SNAPSHOT_H_
