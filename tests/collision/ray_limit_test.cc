// Rays at the limits of their length and of their direction.
//
// A search shortens its ray to each hit that it finds. The answer of another shape must not depend
// on it: the limited cast finds the hit of the whole ray, to the last bit, or nothing. And a ray
// that is parallel to an axis but for a trifle meets what the parallel one meets, although the
// square of the trifle is no float any more.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/math/random.h"
#include "tests/collision/compounds.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait::test {
namespace {

constexpr std::uint32_t kSamples = 6;

struct AllKinds {
  AllKinds(Random& random) {
    std::vector<float> heights(kSamples * kSamples);
    for (float& height : heights) height = random.Between(-0.2f, 0.2f);
    field = std::move(*HeightField::Create({kSamples, kSamples, 1.0f, heights}));
    mesh = MeshOf(Sheet(kSamples - 1, 1.0f, 0.2f, random.Below(1000)));
    compound = CompoundOf(compounds.DrawChildren(random, 4));
    for (const ShapeKind kind : kConvex) all.push_back(convex.Draw(kind, random));
    all.push_back(Shape::Ground(field.get()));
    all.push_back(Shape::Mesh(mesh.get()));
    all.push_back(Shape::Compound(compound.get()));
    all.push_back(Shape::Plane({0, 1, 0}, 0.1f));
  }
  std::unique_ptr<const HeightField> field;
  std::unique_ptr<const TriangleMesh> mesh;
  Compounds compounds;
  std::unique_ptr<const CompoundShape> compound;
  Shapes convex;
  std::vector<Shape> all;
};

// A corner of a ground or a mesh, which the ray grazes; of another shape any point.
Vec3 Target(const Shape& shape, Random& random) {
  const auto i = random.Below(kSamples), k = random.Below(kSamples);
  if (shape.kind == ShapeKind::kHeightField) return shape.height_field->Sample(i, k);
  if (shape.kind == ShapeKind::kMesh) {
    const auto id = random.Below(shape.mesh->triangles());
    return shape.mesh->PlacesOf(id)[random.Below(3)];
  }
  return random.InBox({-1, -1, -1}, {1, 1, 1});
}

TEST_CASE("a limit changes no hit: the ray is hit there or, behind it, not at all") {
  constexpr int kRounds = 4000;
  int hits = 0;
  for (int round = 0; round < kRounds; ++round) {
    Random random(static_cast<std::uint64_t>(round) + 1);
    const AllKinds kinds(random);
    const Vec3 position = random.InBox({-3, -3, -3}, {3, 3, 3});
    for (const Shape& shape : kinds.all) {
      const bool turned = shape.kind != ShapeKind::kHeightField && random.Below(2) == 0;
      const Quat rotation = turned ? random.Rotation() : Quat{};
      const Vec3 at = position + Rotate(rotation, Target(shape, random));
      const Vec3 from = at + random.InBox({-9, 0.5f, -9}, {9, 9, 9});
      const RayCast ray{from, (at - from) * random.Between(1.0f, 3.0f)};
      CAPTURE(round, static_cast<int>(shape.kind), from.x, from.y, from.z, at.x, at.y, at.z);
      const auto whole = CastAgainstShape(ray, 1.0f, shape, position, rotation);
      const float end = whole ? whole->fraction : random.Between(0.0f, 1.0f);
      for (const float limit : {end, std::nextafter(end, 0.0f), std::nextafter(end, 2.0f),
                                0.5f * end, 0.5f * (1.0f + end), random.Between(0.0f, 1.0f)}) {
        const auto limited = CastAgainstShape(ray, limit, shape, position, rotation);
        CAPTURE(limit);
        REQUIRE(limited.has_value() == (whole && whole->fraction <= limit));
        if (limited) REQUIRE(limited->fraction == whole->fraction);
        if (limited) REQUIRE(limited->normal == whole->normal);
      }
      hits += whole ? 1 : 0;
    }
  }
  CHECK(hits > kRounds);
}

// Whether the shape is met a millimetre beside the ray, too, or is missed there, too.
bool IsFarFromBorders(const RayCast& ray, int axis, const Shape& shape) {
  constexpr float kBeside = 1e-3f;
  const bool met = CastAgainstShape(ray, 1.0f, shape, {}, {}).has_value();
  for (int side = 0; side < 4; ++side) {
    RayCast beside = ray;
    const int across = (axis + 1 + side % 2) % 3;
    beside.origin.Set(across, ray.origin[across] + (side < 2 ? kBeside : -kBeside));
    if (CastAgainstShape(beside, 1.0f, shape, {}, {}).has_value() != met) return false;
  }
  return true;
}

TEST_CASE("a ray that leaves an axis by a trifle meets what the ray along the axis meets") {
  constexpr int kRounds = 4000;
  int met = 0, missed = 0;
  for (int round = 0; round < kRounds; ++round) {
    Random random(static_cast<std::uint64_t>(round) + 1);
    const AllKinds kinds(random);
    const int axis = static_cast<int>(random.Below(3));
    for (const Shape& shape : kinds.all) {
      RayCast ray{Target(shape, random) + random.InBox({-1, -1, -1}, {1, 1, 1}), {}};
      const float way = random.Below(2) == 0 ? 20.0f : -20.0f;
      ray.origin.Set(axis, ray.origin[axis] - 0.5f * way);
      ray.translation.Set(axis, way);
      if (!IsFarFromBorders(ray, axis, shape)) continue;
      const auto straight = CastAgainstShape(ray, 1.0f, shape, {}, {});
      Vec3 lean;
      for (int across = 0; across < 3; ++across) {
        const float trifle = std::pow(10.0f, random.Between(-46.0f, -8.0f));
        if (across != axis) lean.Set(across, random.Below(2) == 0 ? trifle : -trifle);
      }
      CAPTURE(round, static_cast<int>(shape.kind), axis, way, lean.x, lean.y, lean.z);
      const RayCast leaning{ray.origin, ray.translation + lean};
      const auto hit = CastAgainstShape(leaning, 1.0f, shape, {}, {});
      REQUIRE(hit.has_value() == straight.has_value());
      if (hit) REQUIRE(std::abs(hit->fraction - straight->fraction) < 1e-5f);
      // The shape leans instead of the ray.
      if (shape.kind == ShapeKind::kHeightField) continue;
      const Quat little{0.05f * lean.z, 0.05f * lean.x, -0.05f * lean.y, 1.0f};
      const auto turned = CastAgainstShape(ray, 1.0f, shape, {}, little);
      REQUIRE(turned.has_value() == straight.has_value());
      if (turned) REQUIRE(std::abs(turned->fraction - straight->fraction) < 1e-5f);
      ++(hit ? met : missed);
    }
  }
  CHECK(met > kRounds);
  CHECK(missed > kRounds);
}

}  // namespace
}  // namespace nowait::test
