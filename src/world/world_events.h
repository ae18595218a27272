// World's events: what the physics did, for a stream (src/events/stream.h).
//
//   auto section = lanes->Open(kPhysics);                           if (!section) ...
//   PostEvents(*world, *section);   // after an Update, on the thread that called it
//
// Ids name bodies that are there or gone (ContactEvent, SleepEvent). An id has its world's number:
// a stream that is read in another process, or against another world, is about slots and
// generations alone.
//
// Inside of the update they are lists and no stream: one thread makes them, sorted, and merges
// those of contacts in place, for which a stream has no random access; and a step makes room for
// its lists before it changes anything. A stream begins where the world's knowledge ends.
//
// Source: [bitsquid2010], "Events". Test: tests/world/events_test.cc.
#ifndef NOWAIT_SRC_WORLD_WORLD_EVENTS_H_
#define NOWAIT_SRC_WORLD_WORLD_EVENTS_H_

#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/dynamics/joint_id.h"
#include "src/events/event.h"
#include "src/events/lanes.h"
#include "src/math/vec3.h"
#include "src/resource/blob_data.h"
#include "src/world/world.h"

namespace nowait {

struct ContactBegan {
  static constexpr std::uint32_t kType = FourCharacters("CtHt");
  BodyId a;  // a < b
  BodyId b;
  Vec3 place;  // and the rest as ContactHit has it
  Vec3 normal;
  float speed;
  float slide;
};
struct ContactEnded {
  static constexpr std::uint32_t kType = FourCharacters("CtEn");
  BodyId a;  // a < b
  BodyId b;
};
struct BodyWoke {
  static constexpr std::uint32_t kType = FourCharacters("Woke");
  BodyId body;
};
struct BodyFellAsleep {
  static constexpr std::uint32_t kType = FourCharacters("Slpt");
  BodyId body;
};
struct JointBodyGone {
  static constexpr std::uint32_t kType = FourCharacters("JtGn");
  JointId joint;
  BodyId a;  // one of the two is gone
  BodyId b;
};
struct JointBroke {
  static constexpr std::uint32_t kType = FourCharacters("JtBr");
  JointId joint;
  BodyId a;
  BodyId b;
};
struct JointPartnerGone {
  static constexpr std::uint32_t kType = FourCharacters("JtPg");
  JointId joint;  // a gear, of which a joint is gone
  BodyId a;
  BodyId b;
};
static_assert(sizeof(ContactBegan) == 2 * sizeof(BodyId) + 8 * sizeof(float));
static_assert(Event<ContactBegan> && Event<ContactEnded> && Event<BodyWoke> &&
              Event<BodyFellAsleep> && Event<JointBodyGone> && Event<JointBroke> &&
              Event<JointPartnerGone>);

// Those of the last Update: first of contacts, then of sleep, then of joints, each in the order of
// its list. Same thread as Update, or ordered after it; before the next one.
void PostEvents(const World& world, EventLanes::Section& section);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_EVENTS_H_
