// GJK and EPA against the separating axis test, for hulls of 4 to 64 points.
#include "tests/collision/hull_sat.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/collision/core_distance.h"
#include "src/math/random.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

using test::FindSatAxis;
using test::HullEdges;
using test::SatAxis;

// Of hulls of metres, in floats.
constexpr double kAccuracy = 1e-5;
// The normals of an axis that is not the only one nearly as good may differ.
constexpr double kSameAxis = 1.0 - 1e-5;

struct Stone {
  Stone(std::uint32_t count, Random& random) {
    const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
    std::vector<Vec3> points;
    while (points.size() < count) {
      const Vec3 n = random.Direction();
      points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
    }
    hull = test::HullOf(points);
    edges = std::make_unique<HullEdges>(*hull);
    shape = Shape::Hull(hull.get());
  }
  std::unique_ptr<const ConvexHull> hull;
  std::unique_ptr<HullEdges> edges;
  Shape shape;
};

struct Counts {
  int faces = 0, edges = 0, apart = 0;
};

void Compare(const Stone& stone_a, const Placed& a, const Stone& stone_b, const Placed& b,
             Counts& counts) {
  const CoreDistance gjk = DistanceOf(Core(a, {}), Core(b, {}));
  const SatAxis sat = FindSatAxis(a, *stone_a.edges, b, *stone_b.edges, 10.0f);
  const double separation = double{sat.separation};
  if (gjk.distance > kAccuracy) {
    // Of hulls that are nearest at a corner no face or edge is the axis: it separates less.
    CHECK(separation > 0.0);
    CHECK(separation < gjk.distance + kAccuracy);
    ++counts.apart;
    return;
  }
  CHECK(separation == Approx(gjk.distance).margin(kAccuracy));
  // Along either normal the other's depth is a way out, too.
  const Core core_a(a, {}), core_b(b, {});
  const Double3 normal = ToDouble(sat.normal);
  const double way = Dot(normal, core_a.Support(normal) - core_b.Support(-normal));
  CHECK(way == Approx(-gjk.distance).margin(kAccuracy));
  if (Dot(normal, gjk.normal) < kSameAxis) return;
  ++(sat.kind == SatAxis::Kind::kEdges ? counts.edges : counts.faces);
}

TEST_CASE("GJK, EPA and SAT find the same depth of hulls") {
  Random random(171);
  Counts counts;
  constexpr int kRounds = 4000;
  for (int round = 0; round < kRounds; ++round) {
    const Stone one(4 + random.Below(61), random), other(4 + random.Below(61), random);
    const Placed a(one.shape, {}, random.Rotation());
    Placed b(other.shape, random.Direction(), random.Rotation());
    const CoreDistance from = DistanceOf(Core(a, {}), Core(b, {}));
    // Mostly near touching, some deep, some far.
    const float most = round % 4 == 0 ? 0.3f : 0.02f;
    const float by = random.Between(-most, most) - static_cast<float>(from.distance);
    b.position = b.position + ToFloat(from.normal) * by;
    CAPTURE(round);
    Compare(one, a, other, b, counts);
  }
  // All kinds of answers are there.
  CHECK(counts.apart > kRounds / 4);
  CHECK(counts.faces > kRounds / 8);
  CHECK(counts.edges > kRounds / 8);
}

TEST_CASE("GJK, EPA and SAT agree on a hull that lies with a face on a face") {
  Random random(172);
  Counts counts;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    const Stone one(4 + random.Below(61), random), other(4 + random.Below(61), random);
    const auto face_a = random.Below(static_cast<std::uint32_t>(one.hull->planes().size()));
    const auto face_b = random.Below(static_cast<std::uint32_t>(other.hull->planes().size()));
    const Vec3 out = one.hull->planes()[face_a].normal, in = other.hull->planes()[face_b].normal;
    const Placed a(one.shape, {}, {});
    const Vec3 axis = NormaliseOr(Cross(in, -out), {1, 0, 0});
    const float angle = std::acos(std::clamp(-Dot(in, out), -1.0f, 1.0f));
    Placed b(other.shape, {}, FromAxisAngle(axis, angle));
    const Vec3 corner = one.hull->vertices()[one.hull->CornersOf(face_a)[0]];
    const Vec3 other_corner = other.hull->vertices()[other.hull->CornersOf(face_b)[0]];
    b.position = corner - b.rotation * other_corner - out * random.Between(-0.001f, 0.002f);
    CAPTURE(round);
    Compare(one, a, other, b, counts);
  }
  CHECK(counts.faces > kRounds / 4);
}

}  // namespace
}  // namespace nowait
