// Plane against any convex shape: the corners of the shape's face that points most against the
// plane, and its deepest point.
//
// A plane has no edges that could cut that face, and its normal is the axis of least penetration,
// however deep the shape is. So nothing is searched and nothing is clipped. The deepest point is
// taken as well if the face does not have it: the face of a hull with the nearest normal need not
// end in the lowest vertex.
//
// Source: manifolds from a supporting face: [bergen2003], chapter 4. Lecture: the narrow phase.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "src/collision/half_space.h"
#include "src/collision/reduce.h"
#include "src/collision/supporting_face.h"

namespace nowait {
namespace {

constexpr double kRounding = 1e-4;

// Features: the number of the shape's face, then the corner, or this for the deepest point.
constexpr std::uint32_t kDeepest = 511;

}  // namespace

void CollidePlaneConvex(const Placed& plane, const Placed& convex, float margin,
                        Manifold& manifold) {
  const Vec3 origin = convex.position;
  const HalfSpace space(plane, origin);
  const Core core(convex, origin);
  const CoreDistance deepest = DistanceOf(core, space);
  if (deepest.distance > double{margin}) return;
  const Vec3 normal = ToFloat(space.normal());
  const SupportingFace face = SupportingFaceOf(convex, origin, -normal);
  std::array<ContactPoint, SupportingFace::kMaxCorners + 1> points;
  std::size_t count = 0;
  const auto add = [&](const Double3& on_shape, double above, std::uint32_t corner) {
    if (above > double{margin}) return;
    const Double3 midway = on_shape - space.normal() * (0.5 * above);
    points[count++] = {origin + ToFloat(midway), normal, static_cast<float>(above),
                       face.number << 9 | corner};
  };
  double least = margin;
  for (std::uint32_t i = 0; i < face.count; ++i) {
    const Double3 on_shape = ToDouble(face.corners[i]) - space.normal() * core.radius();
    const double above = space.DistanceOf(on_shape);
    least = std::min(least, above);
    add(on_shape, above, i);
  }
  if (deepest.distance < least - kRounding) add(deepest.on_a, deepest.distance, kDeepest);
  Reduce(std::span(points).first(count), manifold);
}

}  // namespace nowait
