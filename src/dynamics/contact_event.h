// ContactEvent: two bodies began or ceased to touch, that is, to have contact points.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_EVENT_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_EVENT_H_

#include <cstdint>

#include "src/bodies/body_id.h"

namespace nowait {

// Ordered by step, then by (a, b); a < b. Sensors have them, too. Within a step each pair of ids
// occurs once. Either body of an ended contact may be gone; where slots were reused, the earlier
// bodies come first.
struct ContactEvent {
  enum class Kind : std::uint8_t { kBegan, kEnded } kind;
  BodyId a;
  BodyId b;

  friend bool operator==(const ContactEvent&, const ContactEvent&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_EVENT_H_
