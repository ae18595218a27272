// A search shortens its ray to each hit that it finds. The answer of another shape must not depend
// on it: the limited cast finds the hit of the whole ray, to the last bit, or nothing.
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

}  // namespace
}  // namespace nowait::test
