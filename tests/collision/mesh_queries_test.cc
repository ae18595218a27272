// Rays, casts and distances against meshes: beside all triangles, one by one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/core_distance.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/collision/shape_geometry.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::BoxMesh;
using test::kConvex;
using test::MeshData;
using test::MeshOf;
using test::Shapes;
using test::Sheet;
using test::Soup;

// In doubles: where the ray meets the plane of the triangle from the front, and by how much the
// place is inside the triangle, as a part of it; negative outside.
struct PlaneHit {
  double fraction, inside;
};
std::optional<PlaneHit> HitOf(const Double3& from, const Double3& along,
                              const std::array<Vec3, 3>& places) {
  const Double3 a = ToDouble(places[0]), b = ToDouble(places[1]), c = ToDouble(places[2]);
  const Double3 normal = Cross(b - a, c - a);
  const double rate = Dot(along, normal);
  if (!(rate < 0.0)) return std::nullopt;
  const double fraction = Dot(a - from, normal) / rate;
  if (!(fraction >= 0.0 && fraction <= 1.0)) return std::nullopt;
  const Double3 p = from + along * fraction;
  const double area = LengthSquared(normal);
  const double u = Dot(Cross(b - a, p - a), normal) / area;
  const double v = Dot(Cross(c - b, p - b), normal) / area;
  const double w = Dot(Cross(a - c, p - c), normal) / area;
  return PlaneHit{fraction, std::min({u, v, w})};
}

TEST_CASE("a ray meets the first triangle that it meets one by one") {
  Random random(81);
  int hits = 0;
  for (int round = 0; round < 6; ++round) {
    const MeshData data = Soup(round < 3 ? 40 : 2000, round % 2 == 0 ? 0.4f : 0.1f, 80u + round);
    const auto mesh = MeshOf(data);
    const Shape shape = Shape::Mesh(mesh.get());
    const Vec3 position = random.InBox({-5, -5, -5}, {5, 5, 5});
    const Quat rotation = random.Rotation();
    const Placed placed(shape, position, rotation);
    for (int ray = 0; ray < 400; ++ray) {
      // Some from far away: the part near the mesh is found in doubles.
      const float far = ray % 4 == 0 ? 1000.0f : 2.5f;
      const Vec3 from = random.Direction() * far, to = random.InBox({-1, -1, -1}, {1, 1, 1});
      const RayCast cast{placed.ToWorld(from), placed.rotation * ((to - from) * 2.0f)};
      const auto hit = CastAgainstShape(cast, 1.0f, shape, position, rotation);
      const Double3 origin = ToDouble(placed.ToLocal(cast.origin));
      const Double3 along = ToDouble(TransposeTimes(placed.rotation, cast.translation));
      double surely = 2.0, perhaps = 2.0;  // the first hit; and of those at the very rim
      for (std::size_t i = 0; i < data.triangles(); ++i) {
        const auto of = HitOf(origin, along, data.PlacesOf(i));
        if (!of) continue;
        const double rim = far > 100.0f ? 0.02 : 1e-3;
        if (of->inside > rim) surely = std::min(surely, of->fraction);
        if (of->inside > -rim) perhaps = std::min(perhaps, of->fraction);
      }
      CAPTURE(round, ray, surely, perhaps);
      if (!hit) {
        CHECK(surely == 2.0);
        continue;
      }
      ++hits;
      const double slack = far > 100.0f ? 1e-6 : 1e-5;
      CHECK(hit->fraction >= perhaps - slack);
      CHECK(hit->fraction <= surely + slack);
      CHECK(Dot(hit->normal, cast.translation) < 0.0f);
      CHECK(std::abs(Length(hit->normal) - 1.0f) < 1e-5f);
    }
  }
  CHECK(hits > 500);
}

TEST_CASE("no ray slips between the triangles of a sheet, and no ray from behind meets it") {
  const auto mesh = MeshOf(Sheet(20, 0.1f, 0.02f));
  const Shape shape = Shape::Mesh(mesh.get());
  Random random(82);
  for (int i = 0; i < 4000; ++i) {
    Vec3 at = random.InBox({-0.95f, 0, -0.95f}, {0.95f, 0, 0.95f});
    if (i % 2 == 0) at.x = 0.1f * static_cast<float>(random.Below(19)) - 0.9f;  // along edges
    if (i % 4 == 0) at.z = 0.1f * static_cast<float>(random.Below(19)) - 0.9f;  // through vertices
    CAPTURE(i, at.x, at.z);
    CHECK(CastAgainstShape({at + Vec3{0, 1, 0}, {0, -2, 0}}, 1.0f, shape, {}, {}));
    CHECK(!CastAgainstShape({at - Vec3{0, 1, 0}, {0, 2, 0}}, 1.0f, shape, {}, {}));
  }
}

TEST_CASE("no long slanting ray slips between the triangles of a large sheet") {
  constexpr std::uint32_t kCells = 200;
  const float spacing = GENERATE(0.01f, 1.0f, 10.0f);
  CAPTURE(spacing);
  const float half = 0.5f * spacing * static_cast<float>(kCells);
  MeshData data = Sheet(kCells, spacing, 0.05f * spacing);
  // A high post beside it, so that a long part of each ray is within the mesh's box.
  const auto post = static_cast<std::uint32_t>(data.vertices.size());
  data.vertices.insert(
      data.vertices.end(),
      {{-half, half, -half}, {-half - spacing, half, -half}, {-half, half + spacing, -half}});
  data.AddTriangle(post, post + 1, post + 2);
  const auto mesh = MeshOf(data);
  const Shape shape = Shape::Mesh(mesh.get());
  Random random(83);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t row = kCells + 1;
    const std::uint32_t at = (1 + random.Below(kCells - 2)) * row + 1 + random.Below(kCells - 2);
    const std::uint32_t next = at + (i % 3 == 0 ? 1 : i % 3 == 1 ? row : row + 1);
    const Vec3 edge = data.vertices[next] - data.vertices[at];
    const Vec3 target = data.vertices[at] + edge * random.Between(0, 1);
    const Vec3 up = random.InBox({-1, 0.5f, -1}, {1, 1, 1}) * half;
    CAPTURE(i, at, next);
    CHECK(CastAgainstShape({target + up, up * -2.0f}, 1.0f, shape, {}, {}));
  }
}

TEST_CASE("a ray meets the very rim of a mesh, on every side and wherever the mesh is") {
  for (const float off : {0.0f, 0.1f, 77.7f, 9000.0f}) {
    for (const float spacing : {0.01f, 0.07f, 0.9f}) {
      MeshData data = Sheet(30, spacing);
      for (Vec3& vertex : data.vertices) vertex += Vec3{off, 0.3f * off, -off};
      const auto mesh = MeshOf(data);
      const Shape shape = Shape::Mesh(mesh.get());
      for (const Vec3& vertex : data.vertices) {
        CAPTURE(off, spacing, vertex.x, vertex.z);
        CHECK(CastAgainstShape({vertex + Vec3{0, 1, 0}, {0, -2, 0}}, 1.0f, shape, {}, {}));
      }
    }
  }
}

TEST_CASE("rays along a flat mesh, without length, and out of its reach") {
  const auto mesh = MeshOf(Sheet(4, 1.0f));
  const Shape shape = Shape::Mesh(mesh.get());
  const auto cast = [&](Vec3 from, Vec3 along, float most = 1.0f) {
    return CastAgainstShape({from, along}, most, shape, {}, {});
  };
  CHECK(!cast({-5, 0, 0.3f}, {10, 0, 0}));  // in the plane
  CHECK(!cast({-5, 0.1f, 0}, {10, 0, 0}));  // over it
  CHECK(!cast({0.2f, 0, 0.3f}, {}));        // a surface has no inside
  CHECK(!cast({0.2f, 1, 0.3f}, {0, -4, 0}, 0.2f));
  const auto hit = cast({0.2f, 1, 0.3f}, {0, -4, 0}, 0.25f);
  REQUIRE(hit);
  CHECK(hit->fraction == 0.25f);
  CHECK(hit->normal == Vec3{0, 1, 0});
  CHECK(!IsInside({0.2f, 0, 0.3f}, shape, {}, {}));
  // So nearly parallel to an axis that the way along it is no number of steps.
  CHECK(cast({0.2f, 1, 0.3f}, {-1e-36f, -4, 1e-38f}));
  // From beyond what floats can follow.
  const auto far = cast({0.2f, 3e8f, 0.3f}, {0, -4e8f, 0});
  REQUIRE(far);
  CHECK(far->fraction == Approx(0.75).margin(1e-6));
}

Core TriangleOf(const MeshData& data, std::size_t i) {
  return Core::OfTriangle(data.PlacesOf(i), {}, {});
}

TEST_CASE("the distance of a shape from a mesh is that from its nearest triangle") {
  Random random(83);
  Shapes shapes;
  for (int round = 0; round < 150; ++round) {
    const MeshData data = Soup(200, 0.2f, 90u + round % 5);
    const auto mesh = MeshOf(data);
    const Shape of_mesh = Shape::Mesh(mesh.get());
    const Placed placed(of_mesh, random.InBox({-3, -3, -3}, {3, 3, 3}), random.Rotation());
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random, 0.5f);
    const Placed seen(shape, random.Direction() * random.Between(1.8f, 4.0f), random.Rotation());
    Placed body = seen;
    body.position = placed.ToWorld(seen.position);
    body.rotation = placed.rotation * seen.rotation;
    double nearest = 1e30;
    for (std::size_t i = 0; i < data.triangles(); ++i) {
      nearest = std::min(nearest, DistanceOf(Core(seen, {}), TriangleOf(data, i)).distance);
    }
    CAPTURE(round, nearest);
    const auto points = FindClosestPoints(body, placed, 100.0f);
    REQUIRE(points);
    if (nearest < 0.0) {
      CHECK(points->distance <= 0.0f);
      continue;
    }
    CHECK(points->distance == Approx(nearest).margin(2e-5));
    CHECK(Length(points->on_b - points->on_a) == Approx(nearest).margin(2e-5));
    CHECK(!FindClosestPoints(body, placed, 0.99f * points->distance - 1e-4f));
  }
}

TEST_CASE("a shape that is cast stops at the first front, where it touches") {
  Random random(84);
  Shapes shapes;
  int hits = 0;
  for (int round = 0; round < 150; ++round) {
    const MeshData data = Soup(60, 0.4f, 100u + round % 5);
    const auto mesh = MeshOf(data);
    const Shape of_mesh = Shape::Mesh(mesh.get());
    const Placed placed(of_mesh, random.InBox({-3, -3, -3}, {3, 3, 3}), random.Rotation());
    const Shape shape = shapes.Draw(kConvex[round % kConvex.size()], random, 0.3f);
    const Placed seen(shape, random.Direction() * 3.0f, random.Rotation());
    const Vec3 along = (random.InBox({-1, -1, -1}, {1, 1, 1}) - seen.position) * 1.5f;
    Placed body = seen;
    body.position = placed.ToWorld(seen.position);
    body.rotation = placed.rotation * seen.rotation;
    const auto hit = CastShapeAgainst(body, placed.rotation * along, 1.0f, placed);
    // Each triangle alone, as a mesh of its own.
    float first = 2.0f;
    for (std::size_t i = 0; i < data.triangles(); ++i) {
      const auto [a, b, c] = data.PlacesOf(i);
      const auto alone = MeshOf({{a, b, c}, {0, 1, 2}});
      const Shape triangle = Shape::Mesh(alone.get());
      const auto of = CastShapeAgainst(seen, along, 1.0f, Placed(triangle, {}, {}));
      if (of) first = std::min(first, of->fraction);
    }
    CAPTURE(round, first);
    REQUIRE(hit.has_value() == (first <= 1.0f));
    if (!hit) continue;
    ++hits;
    CHECK(hit->fraction == Approx(first).margin(1e-5));
    body.position = body.position + placed.rotation * along * hit->fraction;
    const auto there = FindClosestPoints(body, placed, 1.0f);
    REQUIRE(there);
    CHECK(there->distance < 3e-4f);  // it may have passed through the backs of others
    CHECK(Dot(hit->normal, placed.rotation * along) < 0.0f);
  }
  CHECK(hits > 80);
}

TEST_CASE("the box around a mesh has all its vertices, wherever it stands") {
  Random random(85);
  const MeshData data = Soup(50, 0.5f, 7);
  const auto mesh = MeshOf(data);
  const Shape shape = Shape::Mesh(mesh.get());
  for (int round = 0; round < 50; ++round) {
    const Vec3 position = random.InBox({-9, -9, -9}, {9, 9, 9});
    const Quat rotation = random.Rotation();
    const Placed placed(shape, position, rotation);
    const Bounds<3> box = BoundsOf(shape, position, rotation);
    const Vec3 rounding{1e-5f, 1e-5f, 1e-5f};
    for (const Vec3& vertex : data.vertices) {
      const Vec3 at = placed.ToWorld(vertex);
      CHECK(Contains(box, ToBounds(at + rounding, at - rounding)));
    }
  }
}

}  // namespace
}  // namespace nowait
