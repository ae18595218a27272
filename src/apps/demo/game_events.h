// Events that the demo's game posts, beside those of the physics (world_events.h).
#ifndef NOWAIT_SRC_APPS_DEMO_GAME_EVENTS_H_
#define NOWAIT_SRC_APPS_DEMO_GAME_EVENTS_H_

#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/events/event.h"
#include "src/game/object_table.h"
#include "src/math/vec3.h"

namespace nowait {

struct RaySaw {
  static constexpr std::uint32_t kType = FourCharacters("RSaw");
  BodyId mover;
  BodyId seen;
  Vec3 point;
  float fraction;  // of the ray
};
static_assert(sizeof(RaySaw) == 2 * sizeof(BodyId) + sizeof(Vec3) + sizeof(float));

struct BatchAdded {
  static constexpr std::uint32_t kType = FourCharacters("BtAd");
  BodyId first;
  std::uint64_t bodies;
};
struct BatchRemoved {
  static constexpr std::uint32_t kType = FourCharacters("BtRm");
  BodyId first;
  std::uint64_t bodies;
};

// Of the herd (herd.h).
struct HorsesSwapped {
  static constexpr std::uint32_t kType = FourCharacters("HSwp");
  ObjectHandle rider_a;
  ObjectHandle rider_b;
};
static_assert(Event<RaySaw> && Event<BatchAdded> && Event<BatchRemoved> && Event<HorsesSwapped>);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_GAME_EVENTS_H_
