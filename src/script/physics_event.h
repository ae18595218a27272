// PhysicsEvent: news of the physics about an object's body, as the object's script gets it.
//
//   function on_contact(self, contact)            -- Lua; in C++ it is NowaitScript::physics
//     if contact.kind == "began" and contact.other then send(contact.other, "hit", 1) end
//   end
//
// World's events are about bodies (src/world/world_events.h); this one is about objects. A
// WorldManager makes these from those (world_manager.h).
//
// Thread safety: plain data. Source: [bitsquid2010], "Events".
#ifndef NOWAIT_SRC_SCRIPT_PHYSICS_EVENT_H_
#define NOWAIT_SRC_SCRIPT_PHYSICS_EVENT_H_

#include <cstdint>

#include "src/game/object_table.h"
#include "src/math/vec3.h"

namespace nowait {

// The functions of a script that the physics calls, as bits of a set.
enum PhysicsCallback : std::uint8_t {
  kNoCallback = 0,
  kOnContact = 1,
  kOnJoint = 2,
  kOnSleep = 4,
};

struct PhysicsEvent {
  enum class Kind : std::uint8_t {
    kContactBegan,
    kContactPersists,  // once an update, for as long as a contact that had begun has not ended
    kContactEnded,
    kJointBroke,
    kJointGone,  // the joint ended with one of its bodies, or a gear with one of its joints
    kWoke,
    kFellAsleep,
  };
  Kind kind = Kind::kContactBegan;
  ObjectHandle to = {};
  ObjectHandle other = {};  // of the other body; a handle of no object if that body is not bound
  // Of a contact that began; otherwise zero. As ContactHit, but for the direction of the normal.
  Vec3 place = {};
  Vec3 normal = {};  // away from the other body
  float speed = 0.0f;
  float slide = 0.0f;
};

constexpr PhysicsCallback CallbackOf(PhysicsEvent::Kind kind) {
  switch (kind) {
    case PhysicsEvent::Kind::kContactBegan:
    case PhysicsEvent::Kind::kContactPersists:
    case PhysicsEvent::Kind::kContactEnded:
      return kOnContact;
    case PhysicsEvent::Kind::kJointBroke:
    case PhysicsEvent::Kind::kJointGone:
      return kOnJoint;
    case PhysicsEvent::Kind::kWoke:
    case PhysicsEvent::Kind::kFellAsleep:
      return kOnSleep;
  }
  return kNoCallback;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_SCRIPT_PHYSICS_EVENT_H_
