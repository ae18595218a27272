// Carried points against those that the narrow phase finds anew.
#include "src/dynamics/contact_recycling.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/random.h"

namespace nowait {
namespace {

Body BodyAt(const Shape& shape, Vec3 position, Quat rotation = {}) {
  Body body;
  body.shape = shape;
  body.radii = RadiiOf(shape);
  body.position = position;
  body.rotation = rotation;
  return body;
}

Manifold PointsOf(const Body& a, const Body& b) {
  Manifold manifold;
  Collide(Placed(a.shape, a.position, a.rotation), Placed(b.shape, b.position, b.rotation),
          kContactMargin, manifold);
  return manifold;
}

Contact ContactOf(const Body& a, const Body& b) {
  Contact contact;
  contact.manifold = PointsOf(a, b);
  REQUIRE(!contact.manifold.empty());
  contact.origin = OriginOf(a, b, contact.manifold.points());
  return contact;
}

Manifold Carried(const Contact& contact, const Body& a, const Body& b) {
  Manifold room;
  const auto points = PointsNow(contact, a, b, room);
  Manifold now;
  for (const ContactPoint& point : points) now.Add(point);
  return now;
}

// Moves and turns the world around the origin.
Body Taken(Body body, Vec3 way, Quat turn) {
  body.position = Rotate(turn, body.position) + way;
  body.rotation = Normalise(turn * body.rotation);
  return body;
}

Quat SmallTurn(Vec3 axis, float angle) { return FromAxisAngle(axis, angle); }

const Body kFloor = BodyAt(Shape::Box({50, 1, 50}), {0, -1, 0});

TEST_CASE("bodies that have not moved have the points that were found, bit by bit") {
  const Body box =
      BodyAt(Shape::Box({0.5f, 0.5f, 0.5f}), {3, 0.499f, 2}, SmallTurn({0, 1, 0}, 0.7f));
  const Contact contact = ContactOf(kFloor, box);
  Manifold room;
  CHECK(PointsNow(contact, kFloor, box, room).data() == contact.manifold.points().data());
  CHECK(MayRecycle(contact, kFloor, box));
}

TEST_CASE("a box that sinks or tilts on a floor has its corners' depths") {
  const Body box = BodyAt(Shape::Box({0.5f, 0.5f, 0.5f}), {3, 0.5f, 2});
  const Contact contact = ContactOf(kFloor, box);
  REQUIRE(contact.manifold.count() == 4);
  SECTION("sinks") {
    Body lower = box;
    lower.position.y -= 0.0005f;
    const Manifold now = Carried(contact, kFloor, lower);
    for (const ContactPoint& point : now.points()) {
      CHECK(point.separation == Approx(-0.0005f).margin(1e-7));
      CHECK(point.position.y == Approx(-0.00025f).margin(1e-7));
      CHECK(point.normal == Vec3{0, 1, 0});
    }
  }
  SECTION("tilts") {
    Body tilted = box;
    tilted.rotation = SmallTurn({0, 0, 1}, 0.001f);
    const Manifold now = Carried(contact, kFloor, tilted);
    for (const ContactPoint& point : now.points()) {
      const float arm = point.position.x - box.position.x;
      CHECK(point.separation == Approx(0.001f * arm).margin(1e-6));
    }
  }
  SECTION("seen from the other side") {
    const Contact turned = ContactOf(box, kFloor);
    Body lower = box;
    lower.position.y -= 0.0005f;
    const Manifold now = Carried(turned, lower, kFloor);
    REQUIRE(now.count() == 4);
    for (const ContactPoint& point : now.points()) {
      CHECK(point.separation == Approx(-0.0005f).margin(1e-7));
      CHECK(point.normal == Vec3{0, -1, 0});
    }
  }
}

TEST_CASE("two bodies that go together keep their separations, and their points go with them") {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Body box =
        BodyAt(Shape::Box({0.5f, 0.3f, 0.4f}), {0, 0.301f, 0}, SmallTurn({0, 1, 0}, 0.3f));
    const Body under = BodyAt(Shape::Box({2, 0.5f, 2}), {0.2f, -0.5f, 0.1f});
    const Contact contact = ContactOf(under, box);
    const Quat turn = random.Rotation();
    const Vec3 way = random.InBox({-20, -20, -20}, {20, 20, 20});
    const Body a = Taken(under, way, turn), b = Taken(box, way, turn);
    CHECK(MayRecycle(contact, a, b));
    const Manifold now = Carried(contact, a, b);
    REQUIRE(now.count() == contact.manifold.count());
    for (std::uint32_t k = 0; k < now.count(); ++k) {
      const ContactPoint& point = now.points()[k];
      const ContactPoint& before = contact.manifold.points()[k];
      CHECK(point.feature == before.feature);
      CHECK(std::abs(point.separation - before.separation) < 4e-6f);
      CHECK(Length(point.position - (Rotate(turn, before.position) + way)) < 2e-5f);
      CHECK(Length(point.normal - Rotate(turn, before.normal)) < 1e-6f);
    }
  }
}

TEST_CASE("five kilometres from the origin a sixteenth of a millimetre is still seen") {
  constexpr Vec3 kFar{5000, 0, -5000};
  const Body floor = BodyAt(Shape::Box({50, 1, 50}), kFar - Vec3{0, 1, 0});
  const Body box = BodyAt(Shape::Box({0.5f, 0.5f, 0.5f}), kFar + Vec3{0, 0.5f, 0});
  const Contact contact = ContactOf(floor, box);
  Body moved = box;
  moved.position.y += 0.0000625f;
  const Manifold raised = Carried(contact, floor, moved);
  for (const ContactPoint& point : raised.points()) {
    CHECK(point.separation == Approx(0.0000625f).margin(1e-7));
  }
  moved = box;
  moved.position.x += 0.00048828125f;  // a unit in the last place
  CHECK(MayRecycle(contact, floor, moved));
  const Manifold aside = Carried(contact, floor, moved);
  for (std::uint32_t k = 0; k < aside.count(); ++k) {
    CHECK(aside.points()[k].separation == contact.manifold.points()[k].separation);
  }
}

// The shapes of a random pair, of every kind that is recycled.
struct Pairs {
  Random random{7};
  std::vector<std::unique_ptr<const ConvexHull>> hulls;
  std::unique_ptr<const TriangleMesh> mesh;

  Pairs() {
    constexpr std::array<Vec3, 4> kGround = {Vec3{-9, 0, -9}, Vec3{9, 0, -9}, Vec3{9, 0, 9},
                                             Vec3{-9, 0, 9}};
    constexpr std::array<std::uint32_t, 6> kTriangles = {0, 2, 1, 0, 3, 2};
    mesh = *TriangleMesh::Create({.vertices = kGround, .indices = kTriangles});
  }

  Shape Convex() {
    const Vec3 size = random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1});
    if (random.Below(2) == 0) return Shape::Box(size);
    std::vector<Vec3> points;
    while (points.size() < 12) {
      const Vec3 n = random.Direction();
      points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
    }
    hulls.push_back(*ConvexHull::Create({.points = points}));
    return Shape::Hull(hulls.back().get());
  }

  // Two bodies that touch, at most a hundredth of a metre apart or in each other.
  bool Draw(Body& a, Body& b) {
    const bool on_mesh = random.Below(3) == 0;
    a = on_mesh ? BodyAt(Shape::Mesh(mesh.get()), {}) : BodyAt(Convex(), {}, random.Rotation());
    b = BodyAt(Convex(), {}, random.Rotation());
    const Vec3 direction = on_mesh ? Vec3{0, 1, 0} : random.Direction();
    for (float far = 3.0f; far > 0.0f; far -= 0.01f) {
      b.position = direction * far;
      if (!PointsOf(a, b).empty()) return true;
    }
    return false;
  }
};

// The narrow phase may choose other features for a body that has moved a little. The least
// separation is the same whatever it chooses.
TEST_CASE("after any small motion the least separation is the one that would be found") {
  Pairs pairs;
  int seen = 0, refused = 0;
  double sum = 0.0;
  for (int i = 0; i < 3000; ++i) {
    Body a, b;
    if (!pairs.Draw(a, b)) continue;
    const Contact contact = ContactOf(a, b);
    Body moved = b;
    moved.position += pairs.random.Direction() * (0.0007f * pairs.random.Unit());
    moved.rotation =
        Normalise(SmallTurn(pairs.random.Direction(), 0.001f * pairs.random.Unit()) * b.rotation);
    const Quat turn = pairs.random.Rotation();
    const Body a_now = IsSurface(a.shape) ? a : Taken(a, {3, 1, 2}, turn);
    const Body b_now = IsSurface(a.shape) ? moved : Taken(moved, {3, 1, 2}, turn);
    if (!MayRecycle(contact, a_now, b_now)) {
      ++refused;
      continue;
    }
    ++seen;
    const Manifold now = Carried(contact, a_now, b_now);
    const Manifold found = PointsOf(a_now, b_now);
    REQUIRE(!found.empty());
    const float wrong = std::abs(LeastSeparation(now.points()) - LeastSeparation(found.points()));
    // The narrow phase may prefer another face now, whose separation is smaller by up to three
    // millimetres (collide_boxes.cc, kPreference), beside the motion itself.
    CHECK(wrong < 4.5e-3f);
    sum += wrong;
  }
  CHECK(sum / static_cast<double>(seen) < 2e-5);
  CHECK(seen > 1500);
  CHECK(refused > 20);
}

TEST_CASE("a motion beyond the most, or beyond a part of the radius, is not recycled") {
  const Body box = BodyAt(Shape::Box({0.5f, 0.5f, 0.5f}), {0, 0.5f, 0});
  const Contact contact = ContactOf(kFloor, box);
  const auto may = [&](Vec3 way, Quat turn) {
    Body moved = box;
    moved.position += way;
    moved.rotation = turn;
    return MayRecycle(contact, kFloor, moved);
  };
  CHECK(may({0.00099f, 0, 0}, {}));
  CHECK_FALSE(may({0.00101f, 0, 0}, {}));
  CHECK(may({}, SmallTurn({0, 1, 0}, 0.0011f)));  // its corners are 0.87 m away
  CHECK_FALSE(may({}, SmallTurn({0, 1, 0}, 0.0012f)));
  CHECK_FALSE(may({0.0005f, 0, 0}, SmallTurn({0, 1, 0}, 0.0007f)));
  CHECK_FALSE(may({std::numeric_limits<float>::quiet_NaN(), 0, 0}, {}));
  CHECK_FALSE(may({}, {0, std::numeric_limits<float>::quiet_NaN(), 0, 1}));
  CHECK(may({}, {0, 0, 0, -1}));  // the same rotation

  const Body small = BodyAt(Shape::Box({0.01f, 0.01f, 0.01f}), {0, 0.01f, 0});
  const Contact of_small = ContactOf(kFloor, small);
  Body moved = small;
  moved.position.x += 0.0003f;
  CHECK(MayRecycle(of_small, kFloor, moved));
  moved.position.x += 0.0002f;  // a fiftieth of its radius, 0.017 m, is less
  CHECK_FALSE(MayRecycle(of_small, kFloor, moved));
}

TEST_CASE("a contact at the end of the margin is looked at anew") {
  Body box = BodyAt(Shape::Box({0.5f, 0.5f, 0.5f}), {0, 0.5f + 0.0195f, 0});
  const Contact contact = ContactOf(kFloor, box);
  CHECK(MayRecycle(contact, kFloor, box));
  box.position.y += 0.0006f;
  CHECK_FALSE(MayRecycle(contact, kFloor, box));
}

TEST_CASE("only shapes of plane faces are recycled, of a compound all its children") {
  const auto compound_of = [](const Shape& other) {
    const std::array children = {CompoundChild{.shape = Shape::Box({1, 1, 1})},
                                 CompoundChild{.shape = other, .position = {3, 0, 0}}};
    return std::move(*CompoundShape::Create({.children = children}));
  };
  const auto boxes = compound_of(Shape::Box({1, 2, 1})), mixed = compound_of(Shape::Sphere(1));
  const Pairs pairs;
  const std::array faceted = {Shape::Box({1, 1, 1}), Shape::Mesh(pairs.mesh.get()),
                              Shape::Compound(boxes.get())};
  const std::array round = {Shape::Sphere(1), Shape::Capsule(1, 1), Shape::Cylinder(1, 1),
                            Shape::Compound(mixed.get())};
  for (const Shape& one : faceted) {
    for (const Shape& other : faceted) CHECK(AreFaceted(one, other));
    for (const Shape& other : round) {
      CHECK_FALSE(AreFaceted(one, other));
      CHECK_FALSE(AreFaceted(other, one));
    }
  }
}

}  // namespace
}  // namespace nowait
