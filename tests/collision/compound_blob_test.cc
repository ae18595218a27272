// Compounds as blobs: an opened one is the one that was saved, bit by bit, and each kind of damage
// is refused and names its element.
#include "src/collision/compound_blob.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/ray_cast.h"
#include "src/math/random.h"
#include "tests/collision/blob_bytes.h"
#include "tests/collision/compounds.h"

namespace nowait {
namespace {

using test::At;
using test::Bytes;
using test::CompoundOf;
using test::Good;
using test::With;

using Hulls = std::vector<const ConvexHull*>;

Hulls HullsOf(const CompoundShape& compound) {
  Hulls hulls;
  for (const CompoundShape::Child& child : compound.children()) {
    if (child.shape.kind == ShapeKind::kHull) hulls.push_back(child.shape.hull);
  }
  return hulls;
}

bool AreSame(const CompoundShape::Child& a, const CompoundShape::Child& b) {
  return a.shape == b.shape && a.position == b.position && a.rotation == b.rotation &&
         a.number == b.number && a.density == b.density && a.radii.inner == b.radii.inner &&
         a.radii.outer == b.radii.outer && a.radii.reach == b.radii.reach &&
         a.frame.x == b.frame.x && a.frame.y == b.frame.y && a.frame.z == b.frame.z;
}

void CheckSame(const CompoundShape& a, const CompoundShape& b) {
  CHECK(std::ranges::equal(a.children(), b.children(), AreSame));
  const auto nodes = std::as_bytes(a.tree().nodes()), others = std::as_bytes(b.tree().nodes());
  CHECK(std::ranges::equal(nodes, others));
  CHECK(a.tree().step() == b.tree().step());
  CHECK(a.radii().inner == b.radii().inner);
  CHECK(a.radii().outer == b.radii().outer);
  CHECK(a.radii().reach == b.radii().reach);
  CHECK(a.is_faceted() == b.is_faceted());
  CHECK(a.mass() == b.mass());
  CHECK(a.inertia() == b.inertia());
  CHECK(a.centre() == b.centre());
  CHECK(a.rotation() == b.rotation());
}

void CheckRoundTrip(const CompoundShape& compound) {
  const Hulls hulls = HullsOf(compound);
  const Bytes bytes = Good(MakeCompoundBlob(compound, hulls));
  const auto opened = OpenCompoundBlob(bytes, hulls);
  if (!opened) FAIL(ToString(opened.error()));
  CheckSame(compound, **opened);
  CHECK(Good(MakeCompoundBlob(**opened, hulls)) == bytes);
}

TEST_CASE("a compound from a blob is the one that was saved, bit by bit") {
  Random random(7);
  test::Compounds compounds;
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t count = round % 20 == 0 ? 256 : 1 + random.Below(40);
    const auto children = compounds.DrawChildren(random, count);
    const auto compound = CompoundOf(children);
    CheckRoundTrip(*compound);
    // An edited one has numbers of its own, in another order.
    const std::array removed = {random.Below(count)};
    const std::array added = {CompoundChild{.shape = Shape::Sphere(0.25f), .position = {1, 2, 3}}};
    const auto edited = compound->Edited({.removed = removed, .added = added});
    REQUIRE(edited);
    CheckRoundTrip(**edited);
  }
}

TEST_CASE("a compound of far, thin, heavy and light children goes through a blob") {
  const std::array far = {CompoundChild{.shape = Shape::Sphere(0.001f), .position = {9999, 0, 0}},
                          CompoundChild{.shape = Shape::Box({1000, 0.001f, 1}),
                                        .position = {-9999, 9999, -9999},
                                        .density = 1000.0f},
                          CompoundChild{.shape = Shape::Cylinder(0.001f, 5000),
                                        .position = {0, -9999, 0},
                                        .rotation = {0.6f, 0, 0, 0.8f},
                                        .density = 0.001f}};
  CheckRoundTrip(*CompoundOf(far));
  // All moments are equal: any axes are principal ones.
  const std::array ball = {CompoundChild{.shape = Shape::Sphere(1)}};
  CheckRoundTrip(*CompoundOf(ball));
  // A rod whose own thickness is a millionth of the whole.
  const std::array rod = {
      CompoundChild{.shape = Shape::Capsule(100, 0.001f), .position = {0, 100, 0}},
      CompoundChild{.shape = Shape::Capsule(100, 0.001f), .position = {0, -100, 0}}};
  CheckRoundTrip(*CompoundOf(rod));
}

TEST_CASE("an opened compound answers rays as the one that was saved") {
  Random random(8);
  test::Compounds compounds;
  int met = 0;
  for (int round = 0; round < 40; ++round) {
    const auto compound = CompoundOf(compounds.DrawChildren(random, 1 + random.Below(30)));
    const Hulls hulls = HullsOf(*compound);
    const auto opened = OpenCompoundBlob(Good(MakeCompoundBlob(*compound, hulls)), hulls);
    REQUIRE(opened);
    for (int i = 0; i < 50; ++i) {
      const Vec3 from = random.Direction() * 20.0f;
      const RayCast ray{from, random.InBox({-1, -1, -1}, {1, 1, 1}) - from};
      const auto was = CastAgainstShape(ray, 1.0f, Shape::Compound(compound.get()), {}, {});
      const auto is = CastAgainstShape(ray, 1.0f, Shape::Compound(opened->get()), {}, {});
      REQUIRE(was.has_value() == is.has_value());
      if (!was) continue;
      ++met;
      CHECK((was->fraction == is->fraction && was->child == is->child));
    }
  }
  CHECK(met > 500);
}

std::string ErrorOf(const Bytes& bytes, const Hulls& hulls) {
  const auto opened = OpenCompoundBlob(bytes, hulls);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  return std::string(opened.error().subject) + " " + std::to_string(opened.error().amount);
}

// A box, a hull and a sphere, and a blob of them to damage.
struct Three {
  Three() {
    hull = test::HullOf(test::CornersOfBox({0.5f, 0.25f, 0.75f}));
    const std::array children = {
        CompoundChild{.shape = Shape::Box({1, 0.5f, 0.25f})},
        CompoundChild{.shape = Shape::Hull(hull.get()), .position = {2, 0.5f, 0}},
        CompoundChild{.shape = Shape::Sphere(0.5f), .position = {0, 3, 1}}};
    compound = CompoundOf(children);
    hulls = {hull.get()};
    good = Good(MakeCompoundBlob(*compound, hulls));
    header = At<CompoundBlobHeader>(good, sizeof(BlobHeader));
  }

  template <class Change>
  Bytes WithHeader(Change change) const {
    CompoundBlobHeader changed = header;
    change(changed);
    return With(good, sizeof(BlobHeader), changed);
  }
  template <class Change>
  std::string WithChild(std::size_t i, Change change) const {
    const std::size_t at = header.children.at + i * sizeof(CompoundBlobChild);
    auto changed = At<CompoundBlobChild>(good, at);
    change(changed);
    return ErrorOf(With(good, at, changed), hulls);
  }
  std::size_t PlaceOf(ShapeKind kind) const {
    const auto children = compound->children();
    const auto place =
        std::ranges::find(children, kind, [](const auto& child) { return child.shape.kind; });
    return static_cast<std::size_t>(place - children.begin());
  }
  std::string NumberOf(ShapeKind kind) const {
    return " " + std::to_string(compound->children()[PlaceOf(kind)].number);
  }

  std::unique_ptr<const ConvexHull> hull;
  std::unique_ptr<const CompoundShape> compound;
  Hulls hulls;
  Bytes good;
  CompoundBlobHeader header;
};

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("a damaged child is refused with its number") {
  const Three three;
  const std::size_t hull = three.PlaceOf(ShapeKind::kHull);
  const std::size_t ball = three.PlaceOf(ShapeKind::kSphere);
  const std::string of_hull = three.NumberOf(ShapeKind::kHull);
  const std::string of_ball = three.NumberOf(ShapeKind::kSphere);
  CHECK(three.WithChild(hull, [](auto& c) { c.hull = 1; }) == "child hull" + of_hull);
  CHECK(ErrorOf(three.good, {}) == "child hull" + of_hull);
  for (const ShapeKind kind : {ShapeKind::kHeightField, ShapeKind::kMesh, ShapeKind::kCompound,
                               ShapeKind::kPlane, static_cast<ShapeKind>(77)}) {
    CHECK(three.WithChild(ball, [&](auto& c) { c.kind = static_cast<std::uint32_t>(kind); }) ==
          "child shape" + of_ball);
  }
  for (const float bad : {kNaN, 0.0f, -1.0f, 1e9f}) {
    CHECK(three.WithChild(ball, [&](auto& c) { c.radius = bad; }) == "radius" + of_ball);
  }
  CHECK(three.WithChild(ball, [](auto& c) { c.position.y = kNaN; }) == "child position" + of_ball);
  CHECK(three.WithChild(ball, [](auto& c) { c.position.z = 5e4f; }) == "child position" + of_ball);
  CHECK(three.WithChild(ball, [](auto& c) { c.rotation.w = 2; }) == "child rotation" + of_ball);
  CHECK(three.WithChild(ball, [](auto& c) { c.density = 0; }) == "child density" + of_ball);
  CHECK(three.WithChild(ball, [](auto& c) { c.number = 256; }) == "child number 256");
  const std::uint32_t other = three.compound->children()[hull].number;
  CHECK(three.WithChild(ball, [&](auto& c) { c.number = other; }) == "child number" + of_hull);
}

TEST_CASE("a frame that is not that of the children is refused") {
  const Three three;
  const auto error = [&](auto change) { return ErrorOf(three.WithHeader(change), three.hulls); };
  for (const float bad : {kNaN, 0.0f, -1.0f, 1.01f * three.header.mass}) {
    CHECK(error([&](auto& h) { h.mass = bad; }) == "compound mass 0");
  }
  for (const float bad : {kNaN, 0.0f, -1.0f, 2.0f * three.header.inertia.y}) {
    CHECK(error([&](auto& h) { h.inertia.y = bad; }) == "compound inertia 1");
  }
  CHECK(error([](auto& h) { h.centre.x = kNaN; }) == "compound centre 0");
  CHECK(error([](auto& h) { h.centre.x = -1e6f; }) == "compound centre 0");
  CHECK(error([](auto& h) {
          h.rotation = {};
          h.rotation.w = 1.1f;
        }) == "compound rotation 0");
  // A child that has moved: not the centre of mass any more, or not the axes.
  CHECK(three.WithChild(0, [](auto& c) { c.position.x += 0.1f; }) == "compound centre 0");
  const std::size_t box = three.PlaceOf(ShapeKind::kBox);
  CHECK(three
            .WithChild(box,
                       [](auto& c) {
                         c.rotation = Normalise(c.rotation * Quat{0.2f, 0.3f, 0.4f, 0.8f});
                       })
            .starts_with("compound "));
}

TEST_CASE("damaged lists and a tree that no build makes are refused") {
  const Three three;
  const auto error = [&](auto change) { return ErrorOf(three.WithHeader(change), three.hulls); };
  CHECK(error([](auto& h) { h.children.count = 0; }) == "compound children 0");
  CHECK(error([](auto& h) { h.children.count = 257; }).starts_with("blob"));
  CHECK(error([](auto& h) { h.nodes.count = 0; }) == "compound nodes 0");
  CHECK(error([](auto& h) { h.nodes.at += 16; }).starts_with("blob"));
  const std::size_t leaf = three.header.nodes.at + offsetof(MeshNode, children);
  CHECK(ErrorOf(With(three.good, leaf, std::uint32_t{0}), three.hulls) == "compound node 0");
  CHECK(ErrorOf(With(three.good, leaf, ~std::uint32_t{0}), three.hulls) == "compound node 0");
  CHECK(ErrorOf(With(three.good, three.header.nodes.at, std::uint16_t{9}), three.hulls) ==
        "compound node 0");
  // One child less, with a tree that has it.
  CHECK(error([](auto& h) { --h.children.count; }).starts_with("compound"));
}

TEST_CASE("each cut and each kind of other bytes is refused") {
  const Three three;
  for (std::size_t size = 0; size < three.good.size(); size += 16) {
    const auto opened = OpenCompoundBlob(std::span(three.good).first(size), three.hulls);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == ErrorCode::kCorrupt);
  }
  const auto shifted = OpenCompoundBlob(std::span(three.good).subspan(4), three.hulls);
  REQUIRE_FALSE(shifted);
  CHECK(shifted.error().code == ErrorCode::kInvalidArgument);
  CHECK(ErrorOf(With(three.good, offsetof(BlobHeader, kind), std::uint32_t{1}), three.hulls)
            .starts_with("blob"));
  const auto unknown = MakeCompoundBlob(*three.compound, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::kNotFound);
  CHECK(unknown.error().subject == std::string("child hull"));
}

}  // namespace
}  // namespace nowait
