// Points of any bits: refused with one line and an element, or a hull that is whole.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/shape_geometry.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

// The closed surface of a sphere: each edge once in each direction, and Euler's number.
void CheckSurface(const ConvexHull& hull) {
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t face = 0; face < hull.planes().size(); ++face) {
    const auto corners = hull.CornersOf(face);
    fuzz::Promise(corners.size() >= 3, "a face has three corners");
    for (std::size_t i = 0; i < corners.size(); ++i) {
      fuzz::Promise(corners[i] < hull.vertices().size(), "a corner is a vertex");
      ++edges[{corners[i], corners[(i + 1) % corners.size()]}];
    }
  }
  for (const auto& [edge, times] : edges) {
    fuzz::Promise(times == 1 && edges.contains({edge.second, edge.first}), "a surface is closed");
  }
  fuzz::Promise(hull.vertices().size() + hull.planes().size() == edges.size() / 2 + 2,
                "a surface is a sphere");
}

void Check(std::span<const Vec3> points) {
  const auto hull = ConvexHull::Create({.points = points});
  if (!hull) {
    fuzz::PromiseOneLine(ToString(hull.error()));
    const std::int64_t amount = hull.error().amount;
    fuzz::Promise(amount >= 0 && amount <= 65'536, "an error has an element or a count");
    return;
  }
  CheckSurface(**hull);
  for (const HullPlane& plane : (*hull)->planes()) {
    fuzz::Promise(std::abs(Length(plane.normal) - 1.0f) < 1e-3f, "a normal has length one");
    const bool all_below = std::ranges::all_of((*hull)->vertices(), [&](const Vec3& vertex) {
      return Dot(plane.normal, vertex) <= plane.offset;
    });
    fuzz::Promise(all_below, "a plane has all vertices below it");
  }
  const MassProperties mass = MassOf(Shape::Hull(hull->get()), 1000.0f);
  fuzz::Promise(mass.mass > 0.0f && std::isfinite(mass.mass), "a hull has a mass");
  fuzz::Promise(mass.inertia.x > 0.0f && mass.inertia.y > 0.0f && mass.inertia.z > 0.0f,
                "a hull has an inertia");
}

}  // namespace
}  // namespace nowait

// The first byte chooses: floats as they are, or a byte a coordinate, on a lattice.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  std::vector<nowait::Vec3> points;
  const bool is_lattice = data[0] % 2 == 0;
  const std::size_t each = is_lattice ? 3 : sizeof(nowait::Vec3);
  for (std::size_t at = 1; at + each <= size; at += each) {
    if (is_lattice) {
      points.push_back({static_cast<float>(data[at]), static_cast<float>(data[at + 1]),
                        static_cast<float>(data[at + 2])});
    } else {
      nowait::Vec3 point;
      std::memcpy(&point, data + at, sizeof point);
      points.push_back(point);
    }
  }
  nowait::Check(points);
  return 0;
}
