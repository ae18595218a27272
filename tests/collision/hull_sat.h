// HullSat: the separating axis test of two hulls, with the Gauss map to leave out pairs of edges.
//
//   const HullEdges edges_a(*hull_a), edges_b(*hull_b);                            once a hull
//   const SatAxis axis = FindSatAxis(a, edges_a, b, edges_b, margin);
//
// The other way to what GJK and EPA find (src/collision/collide_convex.cc): an oracle of their
// tests, and their baseline in the benchmark. It asks each face of both hulls how far the other
// hull is beyond it, and likewise each pair of edges that make a face of the hulls' difference.
// Such a pair's arcs on the Gauss map cross: four products say it, of eight pairs at once.
//
// Thread safety: HullEdges is immutable; any thread.
// Complexity: the faces of each times the vertices of the other, and the product of the edges.
// Accuracy: faces in floats, a hundredth of a millimetre for hulls of metres; edges in doubles.
// Source: [gregorius2013]. Test: tests/collision/hull_sat_test.cc.
#ifndef NOWAIT_TESTS_COLLISION_HULL_SAT_H_
#define NOWAIT_TESTS_COLLISION_HULL_SAT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/placed.h"
#include "src/math/vec3.h"

namespace nowait::test {

// An edge, with the normals of the faces on both sides; `along` is parallel to their product.
struct HullEdge {
  Vec3 from, along;
  Vec3 left, right;
};

class HullEdges {
 public:
  explicit HullEdges(const ConvexHull& hull);
  const std::vector<HullEdge>& all() const { return edges_; }

 private:
  std::vector<HullEdge> edges_;
};

struct SatAxis {
  enum class Kind : std::uint8_t { kFaceOfA, kFaceOfB, kEdges };
  Kind kind = Kind::kFaceOfA;
  float separation = 0.0f;  // negative: the depth
  Vec3 normal;              // in the world, from a to b
};

// The axis along which the hulls overlap least. Of hulls that are apart, one along which they are:
// the first that separates them by more than `margin`.
SatAxis FindSatAxis(const Placed& a, const HullEdges& edges_a, const Placed& b,
                    const HullEdges& edges_b, float margin);

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_COLLISION_HULL_SAT_H_
