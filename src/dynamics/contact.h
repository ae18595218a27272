// Contact: two bodies that touch, and the impulses that kept them apart in the last sub-step.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_H_

#include <array>
#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/collision/manifold.h"
#include "src/dynamics/contact_material.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// Bodies closer than this have contact points; metres. The solver lets them close the gap and no
// more, so a gap that a step and one sub-step more would leave open does not change the motion.
inline constexpr float kContactMargin = 0.02f;

// The sort key of a pair: the slots, the lower one first. Of two bodies that have one slot at
// different times at most one takes part in a step.
inline std::uint64_t PairKey(BodyId a, BodyId b) {
  return std::uint64_t{a.slot()} << 32 | b.slot();
}

// Where a body is.
struct BodyPlace {
  Vec3 position;
  Quat rotation;
};

// Where two bodies were when the narrow phase found the points of their contact.
struct ContactOrigin {
  BodyPlace a;
  BodyPlace b;
  float separation = 0.0f;  // the least one of the points
};

// The impulse at one point. Friction is kept as a vector in the world, because the tangents that it
// was solved along are chosen anew in each step.
struct PointImpulse {
  float normal = 0.0f;
  Vec3 friction;
};

struct Contact : ContactMaterial {
  BodyId a;
  BodyId b;
  ContactOrigin origin;
  Manifold manifold;  // as it was there; PointsNow (contact_recycling.h) carries its points along
  std::array<PointImpulse, Manifold::kMaxPoints> impulses{};  // by point of the manifold
  Vec3 rolling_impulse;
  bool sensor = false;

  void Take(const ContactMaterial& material) { ContactMaterial::operator=(material); }
};

// A contact that the narrow phase found in this step; a < b.
struct FoundContact {
  BodyId a;
  BodyId b;
  ContactMaterial material = {};
  bool sensor = false;  // one of the two is a sensor: it is not solved
  // The contact that goes on with its points (contact_recycling.h): what follows is empty.
  // Null: the points were found anew.
  const Contact* recycled = nullptr;
  ContactOrigin origin = {};
  Manifold manifold;

  std::uint64_t key() const { return PairKey(a, b); }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_H_
