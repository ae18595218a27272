// Compounds: refused definitions, their mass, and their contacts against those of their children.
#include "src/collision/compound_shape.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/triangles.h"
#include "tests/collision/compounds.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::ChildrenOf;
using test::CompoundOf;
using test::Compounds;

Error Refused(const std::vector<CompoundChild>& children) {
  const auto compound = CompoundShape::Create({.children = children});
  REQUIRE(!compound);
  return compound.error();
}

TEST_CASE("a compound of nothing, of too much or of wrong children is refused by name and number") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const CompoundChild good{.shape = Shape::Sphere(0.5f)};
  const auto is = [](const Error& error, std::string_view subject, std::int64_t amount) {
    CHECK(error.code == ErrorCode::kInvalidArgument);
    CHECK(error.subject == subject);
    CHECK(error.amount == amount);
  };
  is(Refused({}), "compound children", 0);
  is(Refused(std::vector(257, good)), "compound children", 257);
  CHECK(CompoundShape::Create({.children = std::vector(256, good)}).has_value());
  const auto with = [&](auto change) {
    CompoundChild bad = good;
    change(bad);
    return Refused({good, good, bad, good});
  };
  for (const float value : {kNaN, kInfinite, -2e4f}) {
    is(with([&](CompoundChild& child) { child.position.y = value; }), "child position", 2);
  }
  for (const Quat turn : {Quat{0, 0, 0, 0}, Quat{kNaN, 0, 0, 1}, Quat{1, 0, 0, 1}}) {
    is(with([&](CompoundChild& child) { child.rotation = turn; }), "child rotation", 2);
  }
  for (const float value : {0.0f, -1.0f, kNaN, kInfinite}) {
    is(with([&](CompoundChild& child) { child.density = value; }), "child density", 2);
    is(with([&](CompoundChild& child) { child.shape.radius = value; }), "radius", 2);
  }
  const auto inner = CompoundOf(std::array{good, good});
  is(with([&](CompoundChild& child) { child.shape = Shape::Compound(inner.get()); }), "child shape",
     2);
  is(with([&](CompoundChild& child) { child.shape = Shape::Mesh(nullptr); }), "child shape", 2);
  is(with([&](CompoundChild& child) { child.shape = Shape::Ground(nullptr); }), "child shape", 2);
  is(with([&](CompoundChild& child) { child.shape = Shape::Hull(nullptr); }), "hull", 2);
}

TEST_CASE("a box of eight boxes has the mass of the box, wherever its children are given") {
  const Vec3 half{0.5f, 0.8f, 1.3f}, at{5, -2, 7};
  const Quat turn = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  std::vector<CompoundChild> children;
  for (const Vec3 corner : test::CornersOfBox(half * 0.5f)) {
    children.push_back({Shape::Box(half * 0.5f), at + Rotate(turn, corner), turn});
  }
  const auto compound = CompoundOf(children);
  const MassProperties whole = MassOf(Shape::Box(half), 700.0f);
  const MassProperties found = MassOf(Shape::Compound(compound.get()), 700.0f);
  CHECK(found.mass == Approx(whole.mass));
  CHECK(Length(compound->centre() - at) < 1e-5f);
  // The axes come in any order.
  const auto sorted = [](Vec3 v) {
    std::array of = {v.x, v.y, v.z};
    std::ranges::sort(of);
    return of;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(sorted(found.inertia)[i] == Approx(sorted(whole.inertia)[i]).epsilon(1e-5));
  }
}

TEST_CASE("masses, centres and tensors of random compounds are the sums of their children's") {
  constexpr std::uint64_t kSeed = 71;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (int round = 0; round < 200; ++round) {
    Compounds compounds;
    const auto children = compounds.DrawChildren(random, 1 + random.Below(12));
    const auto compound = CompoundOf(children);
    double mass = 0.0;
    Double3 centre;
    for (const CompoundChild& child : children) {
      const double of_child = MassOf(child.shape, child.density).mass;
      mass += of_child;
      centre = centre + ToDouble(child.position) * of_child;
    }
    centre = centre * (1.0 / mass);
    CHECK(compound->mass() == Approx(mass));
    CHECK(Length(ToDouble(compound->centre()) - centre) < 1e-5);
    // Half the energy of a turn about any axis: w I w, child by child and as a whole.
    const Vec3 axis = random.Direction();
    double energy = 0.0;
    for (const CompoundChild& child : children) {
      const MassProperties of = MassOf(child.shape, child.density);
      const Vec3 own = Rotate(Conjugate(child.rotation), axis);
      const Double3 arm = ToDouble(child.position) - centre;
      energy +=
          Dot(Multiply(own, own), of.inertia) + of.mass * LengthSquared(Cross(ToDouble(axis), arm));
    }
    const Vec3 own = Rotate(Conjugate(compound->rotation()), axis);
    CHECK(Dot(Multiply(own, own), compound->inertia()) == Approx(energy).epsilon(1e-4));
  }
}

TEST_CASE("each child is where it was given, and the box and the ball around the whole have it") {
  constexpr std::uint64_t kSeed = 72;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (int round = 0; round < 100; ++round) {
    Compounds compounds;
    const auto children = compounds.DrawChildren(random, 1 + random.Below(20));
    const auto compound = CompoundOf(children);
    const Vec3 at = random.InBox({-9, -9, -9}, {9, 9, 9});
    const Quat turn = random.Rotation();
    const Shape whole = Shape::Compound(compound.get());
    const Bounds<3> box = BoundsOf(whole, at, turn);
    Bounds<3> all = Bounds<3>::Empty();
    for (const CompoundShape::Child& child : compound->children()) {
      const Vec3 given = children[child.number].position;
      const Vec3 found = compound->centre() + Rotate(compound->rotation(), child.position);
      CHECK(Length(given - found) < 1e-5f);
      CHECK(child.shape == children[child.number].shape);
      const Placed of_child = PlacedChild(Placed(whole, at, turn), child);
      all.Include(BoundsIn(child.shape, of_child.position, of_child.rotation));
      CHECK(Length(child.position) + RadiiOf(child.shape).outer <= compound->radii().outer);
      CHECK(compound->radii().inner <= RadiiOf(child.shape).inner);
    }
    CHECK(Length(MinOf(all) - MinOf(box)) < 1e-5f);
    CHECK(Length(MaxOf(all) - MaxOf(box)) < 1e-5f);
  }
}

float Deepest(const Manifold& manifold) {
  float least = 1e30f;
  for (const ContactPoint& point : manifold.points()) least = std::min(least, point.separation);
  return least;
}

// The partners of a compound: a convex shape, a field, a mesh and a compound.
class Others {
 public:
  Others() {
    Random random(5);
    std::vector<float> heights;
    for (int i = 0; i < 144; ++i) heights.push_back(random.Between(-0.4f, 0.4f));
    field_ = std::move(*HeightField::Create({12, 12, 1.0f, heights}));
    test::MeshData data;
    for (std::uint32_t k = 0; k < 12; ++k) {
      for (std::uint32_t i = 0; i < 12; ++i) {
        const auto at = static_cast<std::uint32_t>(data.vertices.size());
        data.vertices.push_back(field_->Sample(i, k) - Vec3{6, 0, 6});
        if (i == 11 || k == 11) continue;
        data.indices.insert(data.indices.end(), {at, at + 12, at + 13, at, at + 13, at + 1});
      }
    }
    mesh_ = test::MeshOf(data);
  }

  struct One {
    Shape shape;
    Vec3 position;
    Quat rotation;
  };
  One Draw(Random& random) {
    const Vec3 at = random.InBox({-2, -2, -2}, {2, 2, 2});
    switch (random.Below(4)) {
      case 0:
        return {Shape::Ground(field_.get()), at - Vec3{6, 0, 6}, {}};
      case 1:
        return {Shape::Mesh(mesh_.get()), at, random.Rotation()};
      case 2:
        return {compounds_.Draw(random, 1 + random.Below(12)), at, random.Rotation()};
      default:
        return {compounds_.shapes().Draw(test::kConvex[random.Below(5)], random), at,
                random.Rotation()};
    }
  }

 private:
  Compounds compounds_;
  std::unique_ptr<const HeightField> field_;
  std::unique_ptr<const TriangleMesh> mesh_;
};

TEST_CASE("contacts of a compound are those of its children, from both sides and anywhere") {
  constexpr std::uint64_t kSeed = 73;
  constexpr float kMargin = 0.02f;
  CAPTURE(kSeed);
  Random random(kSeed);
  Others others;
  Compounds compounds;
  int touching = 0;
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const Shape shape = compounds.Draw(random, 1 + random.Below(12));
    const Placed compound(shape, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Others::One one = others.Draw(random);
    const Placed other(one.shape, one.position, one.rotation);
    Manifold found, turned;
    Collide(compound, other, kMargin, found);
    Collide(other, compound, kMargin, turned);
    std::vector<Placed> of_other = {other};
    if (one.shape.kind == ShapeKind::kCompound) of_other = ChildrenOf(other);
    std::vector<ContactPoint> all;
    float deepest = 1e30f;
    for (const Placed& a : ChildrenOf(compound)) {
      for (const Placed& b : of_other) {
        Manifold pair;
        Collide(a, b, kMargin, pair);
        deepest = std::min(deepest, Deepest(pair));
        all.insert(all.end(), pair.points().begin(), pair.points().end());
      }
    }
    REQUIRE(found.empty() == all.empty());
    // Reduce takes a point for the deepest one that is two millimetres less deep.
    CHECK(Deepest(found) == Approx(deepest).margin(2e-3));
    CHECK(Deepest(turned) == Approx(deepest).margin(2e-3));
    std::set<std::uint32_t> features;
    for (const ContactPoint& point : found.points()) {
      features.insert(point.feature);
      CHECK(std::ranges::any_of(all, [&](const ContactPoint& other_point) {
        return other_point.position == point.position && other_point.normal == point.normal &&
               other_point.separation == point.separation;
      }));
    }
    CHECK(features.size() == found.count());
    if (!found.empty()) ++touching;
    // The same pair elsewhere. A field cannot be turned.
    if (one.shape.kind == ShapeKind::kHeightField) continue;
    const Quat turn = random.Rotation();
    const Vec3 by = random.InBox({-3, -3, -3}, {3, 3, 3});
    const auto moved = [&](const Placed& placed) {
      Placed there(*placed.shape, by + Rotate(turn, placed.position), {});
      there.rotation = ToMatrix(turn) * placed.rotation;
      return there;
    };
    Manifold there;
    Collide(moved(compound), moved(other), kMargin, there);
    if (std::abs(deepest - kMargin) < 1e-3f) continue;
    REQUIRE(there.empty() == found.empty());
    if (one.shape.kind != ShapeKind::kMesh) {
      CHECK(Deepest(there) == Approx(deepest).margin(4e-3));
    }
  }
  CHECK(touching > 500);
}

TEST_CASE("a table has the outer corners of its legs on a floor, with features that last") {
  std::vector<CompoundChild> children = {{Shape::Box({1, 0.05f, 0.6f}), {0, 0.75f, 0}}};
  for (const float x : {-0.9f, 0.9f}) {
    for (const float z : {-0.5f, 0.5f}) {
      children.push_back({Shape::Box({0.05f, 0.35f, 0.05f}), {x, 0.35f, z}});
    }
  }
  const auto table = CompoundOf(children);
  const Shape shape = Shape::Compound(table.get()), floor = Shape::Box({5, 1, 5});
  std::set<std::uint32_t> features;
  for (int step = 0; step < 20; ++step) {
    const Vec3 at = table->centre() + Vec3{0.003f * static_cast<float>(step), -0.001f, 0};
    Manifold found;
    Collide({shape, at, table->rotation()}, {floor, {0, -1, 0}, {}}, 0.02f, found);
    REQUIRE(found.count() == 4);
    for (const ContactPoint& point : found.points()) {
      features.insert(point.feature);
      CHECK(std::abs(point.position.x - 0.003f * static_cast<float>(step)) ==
            Approx(0.95f).margin(1e-4));
      CHECK(std::abs(point.position.z) == Approx(0.55f).margin(1e-4));
      CHECK(point.normal.y == Approx(-1.0f));
    }
  }
  CHECK(features.size() == 4);
}

TEST_CASE("the triangles of a compound are those of its children") {
  constexpr std::uint64_t kSeed = 74;
  CAPTURE(kSeed);
  Random random(kSeed);
  Compounds compounds;
  for (int round = 0; round < 50; ++round) {
    const Shape shape = compounds.Draw(random, 1 + random.Below(10));
    const Vec3 at = random.InBox({-1, -1, -1}, {1, 1, 1});
    const Quat turn = random.Rotation();
    const Vec3 low = random.InBox({-2, -2, -2}, {0, 0, 0});
    const Bounds<3> box = ToBounds(low, low + random.InBox({0.1f, 0.1f, 0.1f}, {4, 4, 4}));
    int whole = 0, parts = 0;
    VisitTriangles(shape, at, turn, box, [&](Vec3, Vec3, Vec3) { ++whole; });
    VisitParts(shape, at, turn, [&](const Shape& part, Vec3 place, Quat of_part) {
      VisitTriangles(part, place, of_part, box, [&](Vec3, Vec3, Vec3) { ++parts; });
    });
    CHECK(whole == parts);
  }
}

}  // namespace
}  // namespace nowait
