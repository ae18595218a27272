// Shapes with shared data as one set of blobs: in another program they are the same shapes.
#include "src/collision/shape_set.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/ray_cast.h"
#include "src/math/random.h"
#include "tests/collision/blob_bytes.h"
#include "tests/collision/compounds.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::At;
using test::Bytes;
using test::Good;
using test::With;

// A shape of each kind that has shared data; two compounds and a shape share a hull.
struct AllShapes {
  AllShapes() {
    hull = test::HullOf(test::CornersOfBox({0.5f, 0.25f, 0.75f}));
    other_hull = test::HullOf(test::CornersOfBox({0.25f, 0.25f, 0.25f}));
    mesh = test::MeshOf(test::Sheet(5, 1.0f, 0.2f, 3));
    std::vector<float> heights;
    for (int i = 0; i < 36; ++i) heights.push_back(0.1f * static_cast<float>(i * 7 % 5));
    field = *HeightField::Create({6, 6, 1.0f, heights});
    for (std::size_t i = 0; i < 2; ++i) {
      const std::array children = {
          CompoundChild{.shape = Shape::Hull(hull.get()), .position = {0, 1, 0}},
          CompoundChild{.shape = Shape::Hull(other_hull.get()),
                        .position = {1, static_cast<float>(i), 0}},
          CompoundChild{.shape = Shape::Capsule(0.5f, 0.25f), .position = {0, 0, 2}}};
      compounds[i] = test::CompoundOf(children);
    }
    all = {
        Shape::Compound(compounds[0].get()), Shape::Mesh(mesh.get()),    Shape::Hull(hull.get()),
        Shape::Compound(compounds[1].get()), Shape::Ground(field.get()), Shape::Hull(hull.get())};
  }

  std::unique_ptr<const ConvexHull> hull, other_hull;
  std::unique_ptr<const TriangleMesh> mesh;
  std::unique_ptr<const HeightField> field;
  std::array<std::unique_ptr<const CompoundShape>, 2> compounds;
  std::vector<Shape> all;
};

Result<ShapeSet> Open(const Bytes& bytes) {
  auto owner = std::make_shared<const Bytes>(bytes);
  BlobSequence sequence(*owner);
  auto set = ShapeSet::Take(sequence, owner);
  if (set) CHECK(sequence.place() == bytes.size());
  return set;
}

TEST_CASE("an opened set has the same shapes in the same order, and needs nothing else") {
  Bytes bytes;
  std::vector<std::optional<ShapeHit>> hits;
  const RayCast down{{1.3f, 30, 1.6f}, {0, -60, 0}};
  {
    const AllShapes shapes;
    bytes = Good(ShapeSet::ToBytes(shapes.all));
    for (const Shape& shape : shapes.all) {
      hits.push_back(CastAgainstShape(down, 1.0f, shape, {}, {}));
    }
  }
  const auto set = Open(bytes);
  if (!set) FAIL(ToString(set.error()));
  const auto shapes = set->shapes();
  REQUIRE(shapes.size() == 6);
  CHECK(shapes[0].kind == ShapeKind::kCompound);
  CHECK(shapes[1].kind == ShapeKind::kMesh);
  CHECK(shapes[2].kind == ShapeKind::kHull);
  CHECK(shapes[3].kind == ShapeKind::kCompound);
  CHECK(shapes[4].kind == ShapeKind::kHeightField);
  CHECK(shapes[5] == shapes[2]);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto hit = CastAgainstShape(down, 1.0f, shapes[i], {}, {});
    REQUIRE(hit.has_value() == hits[i].has_value());
    if (hit) CHECK((hit->fraction == hits[i]->fraction && hit->child == hits[i]->child));
  }
  CHECK(Good(ShapeSet::ToBytes(shapes)) == bytes);
}

TEST_CASE("a hull that several shapes and compounds share is one hull in the set") {
  const AllShapes shapes;
  const Bytes bytes = Good(ShapeSet::ToBytes(shapes.all));
  CHECK(At<ShapeSetHeader>(bytes, sizeof(BlobHeader)).hulls == 2);
  CHECK(At<ShapeSetHeader>(bytes, sizeof(BlobHeader)).others == 4);
  const auto set = Open(bytes);
  REQUIRE(set);
  const auto has = [&](const Shape& compound) {
    return std::ranges::count(compound.compound->children(), set->shapes()[2].hull,
                              [](const auto& child) { return child.shape.hull; });
  };
  CHECK(has(set->shapes()[0]) == 1);
  CHECK(has(set->shapes()[3]) == 1);
}

TEST_CASE("no shapes are a set, and a shape without shared data is refused") {
  const auto none = Open(Good(ShapeSet::ToBytes({})));
  REQUIRE(none);
  CHECK(none->shapes().empty());
  const AllShapes shapes;
  const std::array mixed = {shapes.all[2], Shape::Sphere(1)};
  const auto bytes = ShapeSet::ToBytes(mixed);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().code == ErrorCode::kInvalidArgument);
  CHECK(bytes.error().subject == std::string("shape"));
  CHECK(bytes.error().amount == 1);
}

std::string ErrorOf(const Bytes& bytes) {
  const auto set = Open(bytes);
  REQUIRE_FALSE(set);
  CHECK(set.error().code == ErrorCode::kCorrupt);
  return std::string(set.error().subject) + " " + std::to_string(set.error().amount);
}

// The first blob alone, sealed anew, and the others behind it.
template <class Change>
Bytes WithHeader(const Bytes& bytes, Change change) {
  const auto size = static_cast<std::ptrdiff_t>(At<BlobHeader>(bytes, 0).bytes);
  Bytes first(bytes.begin(), bytes.begin() + size);
  auto header = At<ShapeSetHeader>(first, sizeof(BlobHeader));
  change(header);
  first = With(first, sizeof(BlobHeader), header);
  first.insert(first.end(), bytes.begin() + size, bytes.end());
  return first;
}

TEST_CASE("a damaged set is refused") {
  const AllShapes shapes;
  const Bytes good = Good(ShapeSet::ToBytes(shapes.all));
  CHECK(ErrorOf(WithHeader(good, [](auto& h) { h.others = 5; })) == "shapes 6");
  CHECK(ErrorOf(WithHeader(good, [](auto& h) { h.others = 3; })) == "shape 4");
  CHECK(ErrorOf(WithHeader(good, [](auto& h) { h.hulls = ~0u; })).starts_with("blob"));
  CHECK(ErrorOf(WithHeader(good, [](auto& h) { h.hulls = 1; })).starts_with("blob"));
  CHECK(ErrorOf(WithHeader(good, [](auto& h) { h.shapes.count = 1000; })).starts_with("blob"));
  CHECK(ErrorOf({}) == "shapes 0");
  // Each cut between two blobs, and within one.
  for (std::size_t size = 16; size < good.size(); size += 16) {
    const auto set = Open({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    REQUIRE_FALSE(set);
    CHECK(set.error().code == ErrorCode::kCorrupt);
  }
  // A set after a set is not part of it.
  Bytes twice = good;
  twice.insert(twice.end(), good.begin(), good.end());
  BlobSequence sequence(twice);
  REQUIRE(ShapeSet::Take(sequence, {}));
  CHECK(sequence.place() == good.size());
  REQUIRE(ShapeSet::Take(sequence, {}));
  CHECK(sequence.place() == twice.size());
}

}  // namespace
}  // namespace nowait
