// The motion of one body against the other, and the points that follow it.
//
// One of the two is the base, and the other the mover. All vectors are in the world as it was when
// the points were found, with the base where it was then. In that picture only the mover moves, and
// by little: differences of places that are far from the world's origin are taken first, where they
// are exact.
#include "src/dynamics/contact_recycling.h"

#include <algorithm>

#include "src/bodies/shape.h"
#include "src/collision/compound_shape.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

// Exactly none for a body that has not turned.
Quat TurnBetween(Quat from, Quat to) { return from == to ? Quat{} : to * Conjugate(from); }

// A body, and where it was.
struct Moved {
  const Body& body;
  const BodyPlace& then;

  Vec3 way() const { return body.position - then.position; }
  Quat turn() const { return TurnBetween(then.rotation, body.rotation); }
};

// All of its surface is plane. A surface is made of triangles.
bool IsFaceted(const Shape& shape) {
  return shape.kind == ShapeKind::kBox || shape.kind == ShapeKind::kHull || IsSurface(shape) ||
         (shape.kind == ShapeKind::kCompound && shape.compound->is_faceted());
}

// The smaller one of the two moves: its surface is nearer to its centre, so that a turn of it moves
// a point by less. A surface, which has no size, never does.
bool IsMover(const Body& body, const Body& other) {
  if (IsSurface(body.shape) || IsSurface(other.shape)) return IsSurface(other.shape);
  return body.radii.outer < other.radii.outer;
}

class Motion {
 public:
  Motion(const ContactOrigin& origin, const Body& a, const Body& b)
      : a_moves_(IsMover(a, b)),
        mover_(a_moves_ ? Moved{a, origin.a} : Moved{b, origin.b}),
        base_(a_moves_ ? Moved{b, origin.b} : Moved{a, origin.a}),
        base_way_(base_.way()),
        base_turn_(base_.turn()) {
    const Quat back = Conjugate(base_turn_);
    const Vec3 way = mover_.way() - base_way_;
    way_ = way + Displacement(back) * (way + (mover_.then.position - base_.then.position));
    turn_ = back * mover_.turn();
  }

  // At least as long as the way of any point of the mover's surface.
  float Length() const {
    return nowait::Length(way_) +
           2.0f * nowait::Length(Vec3{turn_.x, turn_.y, turn_.z}) * mover_.body.radii.outer;
  }
  float radius() const { return mover_.body.radii.outer; }

  void Apply(std::span<const ContactPoint> points, Manifold& to) const {
    const Mat3 turn = Displacement(turn_), base_turn = Displacement(base_turn_);
    for (const ContactPoint& point : points) {
      // From the mover's surface to the base's.
      const Vec3 out = a_moves_ ? point.normal : -point.normal;
      const Vec3 arm = point.position - out * (0.5f * point.separation) - mover_.then.position;
      const Vec3 moved = way_ + turn * arm;
      const Vec3 middle = point.position + 0.5f * moved;
      ContactPoint now = point;
      now.separation = point.separation - Dot(out, moved);
      now.position = middle + (base_way_ + base_turn * (middle - base_.then.position));
      now.normal = point.normal + base_turn * point.normal;
      to.Add(now);
    }
  }

 private:
  bool a_moves_;
  Moved mover_;
  Moved base_;
  Vec3 base_way_;
  Quat base_turn_;
  Vec3 way_;   // of the mover's centre
  Quat turn_;  // of the mover about it
};

bool IsAt(const BodyPlace& place, const Body& body) {
  return place.position == body.position && place.rotation == body.rotation;
}

}  // namespace

bool AreFaceted(const Shape& a, const Shape& b) { return IsFaceted(a) && IsFaceted(b); }

float LeastSeparation(std::span<const ContactPoint> points) {
  return std::ranges::min_element(points, {}, &ContactPoint::separation)->separation;
}

ContactOrigin OriginOf(const Body& a, const Body& b, std::span<const ContactPoint> points) {
  return {{a.position, a.rotation}, {b.position, b.rotation}, LeastSeparation(points)};
}

bool MayRecycle(const Contact& contact, const Body& a, const Body& b) {
  const Motion motion(contact.origin, a, b);
  const float length = motion.Length();
  // False for a motion that is not a number.
  return length <= std::min(kMostRecycled, kMostRecycledOfRadius * motion.radius()) &&
         contact.origin.separation + length <= kContactMargin;
}

std::span<const ContactPoint> PointsNow(const Contact& contact, const Body& a, const Body& b,
                                        Manifold& room) {
  const std::span<const ContactPoint> points = contact.manifold.points();
  if (IsAt(contact.origin.a, a) && IsAt(contact.origin.b, b)) return points;
  const Motion motion(contact.origin, a, b);
  room.Clear();
  motion.Apply(points, room);
  return room.points();
}

}  // namespace nowait
