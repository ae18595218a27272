// ContactMaterial: how two surfaces that touch act on each other beside the normal.
//
// Friction and restitution are shared by the rules that the two bodies name (combine_rule.h). Where
// one of the two is a surface with materials of its parts (surface_materials.h), each point has the
// part's number by the same rule: as if the surface's body had that friction, or bounced as much.
//
// Thread safety: pure functions; any thread. Determinism: the result depends on the arguments
// alone, and does not change when the two bodies are exchanged.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_

#include <algorithm>
#include <cmath>
#include <span>

#include "src/bodies/body.h"
#include "src/bodies/combine_rule.h"
#include "src/bodies/shape.h"
#include "src/collision/manifold.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

inline constexpr float kMostFriction = 100.0f;

struct ContactMaterial {
  float friction = 0.0f;        // Coulomb's coefficient, 0 .. kMostFriction
  float restitution = 0.0f;     // 0 .. 1
  float rolling_length = 0.0f;  // the lever arm of the rolling resistance, metres, 0 .. 1e6
  // That of the second body's surface less that of the first one's, metres a second in the world.
  // The part along the normal has no effect.
  Vec3 surface_velocity;
};

inline CombineRule FrictionRuleOf(const Body& a, const Body& b) {
  return RuleOfBoth(a.friction_rule, b.friction_rule, CombineRule::kGeometricMean);
}
inline CombineRule RestitutionRuleOf(const Body& a, const Body& b) {
  return RuleOfBoth(a.restitution_rule, b.restitution_rule, CombineRule::kMaximum);
}
// A product may be beyond the range of its factors.
inline float CombinedFriction(CombineRule rule, float a, float b) {
  return std::min(Combined(rule, a, b), kMostFriction);
}

// Of bodies a and b, as BodyDef says.
inline ContactMaterial MaterialOf(const Body& a, const Body& b) {
  const auto rolling_length = [](const Body& body) {
    // Zero for a shape that does not roll: it has no radius.
    return body.rolling_resistance * body.shape.radius;
  };
  const auto surface_velocity = [](const Body& body) {
    const bool stands = body.surface_velocity == Vec3{};
    return stands ? Vec3{} : Rotate(body.rotation, body.surface_velocity);
  };
  return {CombinedFriction(FrictionRuleOf(a, b), a.friction, b.friction),
          Combined(RestitutionRuleOf(a, b), a.restitution, b.restitution),
          std::max(rolling_length(a), rolling_length(b)),
          surface_velocity(b) - surface_velocity(a)};
}

// Gives points as Collide made them, with the materials of a surface's parts, what ContactPoint
// says: a factor of the pair's friction, and the least that the pair bounces there. Points of two
// bodies without such materials stay as they are. Linear in the points.
inline void ShareMaterials(const Body& a, const Body& b, std::span<ContactPoint> points) {
  const bool is_first = IsSurface(a.shape);
  if (!is_first && !IsSurface(b.shape)) return;
  const Body& surface = is_first ? a : b;
  const Body& other = is_first ? b : a;
  const CombineRule rule = FrictionRuleOf(a, b), bounce = RestitutionRuleOf(a, b);
  const float of_pair = CombinedFriction(rule, surface.friction, other.friction);
  for (ContactPoint& point : points) {
    if (rule == CombineRule::kGeometricMean) {
      point.friction = std::sqrt(point.friction);  // exact also where the pair's is zero
      if (of_pair * point.friction > kMostFriction) point.friction = kMostFriction / of_pair;
    } else if (of_pair > 0.0f) {
      const float of_part = point.friction * surface.friction;
      point.friction = CombinedFriction(rule, of_part, other.friction) / of_pair;
    }
    if (bounce == CombineRule::kMaximum) continue;  // the part's own is the least
    const bool adds = point.restitution > surface.restitution;
    point.restitution = adds ? Combined(bounce, point.restitution, other.restitution) : 0.0f;
  }
}

// Whether the solver can work with it: all numbers are within their ranges.
inline bool IsPossible(const ContactMaterial& material) {
  const auto is_within = [](float value, float most) { return value >= 0.0f && value <= most; };
  const Vec3 speed = Abs(material.surface_velocity);
  return is_within(material.friction, kMostFriction) && is_within(material.restitution, 1.0f) &&
         is_within(material.rolling_length, 1e6f) && is_within(speed.x, 1e5f) &&
         is_within(speed.y, 1e5f) && is_within(speed.z, 1e5f);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_
