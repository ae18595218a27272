// OpenWorld: the world of the broad phase's benchmarks, for any tree and any locks.
//
// Boxes of half extent 1 that are made once; only their place in a tree comes and goes. They
// have positions that are written under a lock and read by the narrow phase, so a tree that is
// measured here has to come with its way of locking bodies too. Random, from a seed.
//
// Thread safety: positions as the locks of the tree have it; the rest does not change.
#ifndef NOWAIT_TESTS_BENCH_OPEN_WORLD_H_
#define NOWAIT_TESTS_BENCH_OPEN_WORLD_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "src/bodies/shape.h"
#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {

// The narrow phase's data of a body: copied under its lock, used without.
struct PlacedShape {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

struct OpenBody {
  PlacedShape placed;
  bool dynamic;
};

inline constexpr Vec3 kOpenBodyHalf{1.0f, 1.0f, 1.0f};

inline Bounds<3> OpenBoxAt(Vec3 at) { return ToBounds(at - kOpenBodyHalf, at + kOpenBodyHalf); }

inline OpenBody OpenBodyAt(Vec3 at, bool dynamic) {
  return {{Shape::Box(kOpenBodyHalf), at, Quat{}}, dynamic};
}

// The closest hit so far of one ray: the narrow phase of all trees.
class ClosestHit {
 public:
  explicit ClosestHit(const RayCast& ray) : ray_(ray) {}

  // Returns where the ray ends from now on.
  float Try(std::uint32_t body, const PlacedShape& placed) {
    const std::optional<ShapeHit> hit =
        CastAgainstShape(ray_, fraction_, placed.shape, placed.position, placed.rotation);
    if (hit) {
      fraction_ = hit->fraction;
      body_ = body;
    }
    return fraction_;
  }

  float fraction() const { return fraction_; }
  std::optional<std::uint32_t> body() const { return body_; }

 private:
  RayCast ray_;
  float fraction_ = 1.0f;
  std::optional<std::uint32_t> body_;
};

// A ray down into the world from a height of 25 m, at full length.
inline RayCast OpenRay(Random& random, float width, float depth) {
  const float x = random.Between(0, width);
  const float z = random.Between(0, depth);
  const float u = random.Between(0, 100);
  const float v = random.Between(0, 100);
  return {{x, 25, z}, {u - 50, -30, v - 50}};
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OPEN_WORLD_H_
