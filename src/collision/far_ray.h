// FarRay: a ray so long, or beginning so far away, that floats cannot follow it to a shape.
//
// Casts in float square lengths and subtract places; from 1e19 metres on the squares are infinite,
// and long before that the difference between two bodies is rounded away. A FarRay relies on exact
// operations: products of floats are exact in double, so the cross product of the origin and the
// direction says how far the ray passes from the world's origin with a relative error of a few
// 2^-53, from any distance. Then it works with places near the shape, and passes the part of the
// ray that is near the shape to the ordinary cast.
//
// It measures the way along the ray in metres from the point closest to the world's origin, not in
// fractions: the values of two bodies a metre apart differ even when the ray is 1e30 metres long.
//
// Accuracy: a shape within R metres of the world's origin is hit to within R * 1e-7, that is, to
// the rounding of its own float coordinates; and to 6e-7 of its radius, which is walked in floats.
//
// Thread safety: immutable; any thread. No allocation.
#ifndef NOWAIT_SRC_COLLISION_FAR_RAY_H_
#define NOWAIT_SRC_COLLISION_FAR_RAY_H_

#include <cstdint>
#include <optional>

#include "src/bodies/shape.h"
#include "src/collision/ray_cast.h"
#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

class FarRay {
 public:
  // Whether a cast in floats may be off by more than three millimetres along `ray`: it is longer
  // than 10 km. Also where it begins farther than 10,000 km from the world's origin.
  static bool IsFar(const RayCast& ray);

  // ray: finite.
  explicit FarRay(const RayCast& ray);

  struct Hit {
    double along;  // metres from the point of the line that is closest to the world's origin
    Vec3 normal;
    // As ShapeHit has them.
    std::uint32_t child = 0;
    std::uint8_t material = 0;
  };

  // The ends of the ray, in metres along.
  double begin() const { return begin_; }
  double end() const { return begin_ + length_; }

  // The first hit at most at `max_along`. As CastAgainstShape otherwise.
  std::optional<Hit> Cast(double max_along, const Shape& shape, Vec3 position, Quat rotation) const;

  // As a RayHit. The fraction is rounded up, so that a search limited to it misses nothing at the
  // same place.
  float FractionAt(double along) const;
  Vec3 PointAt(double along) const;

 private:
  std::optional<Hit> CastAtPlane(double max_along, const Shape& plane, Vec3 position,
                                 Quat rotation) const;

  RayCast ray_;
  double length_;
  Double3 direction_;  // of length one; zero for a ray without length
  Double3 moment_;     // origin x direction
  double begin_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_FAR_RAY_H_
