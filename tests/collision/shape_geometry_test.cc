// Boxes round shapes, masses and moments, each axis by its own number.
#include "src/collision/shape_geometry.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kQuarter = 1.57079633f;

void CheckBox(const Bounds<3>& box, Vec3 low, Vec3 high) {
  CHECK(Length(MinOf(box) - low) < 1e-4f);
  CHECK(Length(MaxOf(box) - high) < 1e-4f);
}

TEST_CASE("the box round a sphere reaches its radius to all sides, however it lies") {
  for (const Quat rotation : {Quat{}, FromAxisAngle({0, 0, 1}, 0.7f)}) {
    CheckBox(BoundsOf(Shape::Sphere(2), {10, 20, 30}, rotation), {8, 18, 28}, {12, 22, 32});
  }
}

TEST_CASE("the box round a box has its extents, turned with it about each axis") {
  const Shape box = Shape::Box({1, 2, 3});
  const Vec3 at{10, 20, 30};
  const auto around = [&](Vec3 half, Quat rotation) {
    CheckBox(BoundsOf(box, at, rotation), at - half, at + half);
  };
  around({1, 2, 3}, {});
  around({1, 3, 2}, FromAxisAngle({1, 0, 0}, kQuarter));
  around({3, 2, 1}, FromAxisAngle({0, 1, 0}, kQuarter));
  around({2, 1, 3}, FromAxisAngle({0, 0, 1}, -kQuarter));
}

TEST_CASE("the box round a turned box touches its corners and no more") {
  Random random(15);
  for (int round = 0; round < 200; ++round) {
    const Vec3 half = random.InBox({0.1f, 0.1f, 0.1f}, {2, 2, 2});
    const Quat rotation = random.Rotation();
    Bounds<3> corners = Bounds<3>::Empty();
    for (int i = 0; i < 8; ++i) {
      const Vec3 local{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                       i & 4 ? half.z : -half.z};
      const Vec3 corner = Rotate(rotation, local);
      corners.Include(ToBounds(corner, corner));
    }
    CheckBox(BoundsOf(Shape::Box(half), {}, rotation), MinOf(corners), MaxOf(corners));
  }
}

TEST_CASE("the box round a field has its width, depth and heights, and reaches down far below") {
  const std::vector<float> heights = {1, 5, 2, -3, 0, 4};
  const auto field = std::move(*HeightField::Create({3, 2, 2.0f, heights}));
  CheckBox(BoundsOf(Shape::Ground(field.get()), {10, 20, 30}, {}), {10, 20 - 3 - kGroundDepth, 30},
           {14, 25, 32});
}

TEST_CASE(
    "a box has the mass of its volume and about each axis the moment of its two other sides") {
  const MassProperties box = MassOf(Shape::Box({1, 2, 3}), 10);
  CHECK(box.mass == Approx(480.0f));
  CHECK(box.inertia.x == Approx(480.0f / 3 * (4 + 9)));
  CHECK(box.inertia.y == Approx(480.0f / 3 * (1 + 9)));
  CHECK(box.inertia.z == Approx(480.0f / 3 * (1 + 4)));
}

TEST_CASE("a sphere has the mass of its volume and one moment about all axes") {
  const MassProperties ball = MassOf(Shape::Sphere(2), 10);
  CHECK(ball.mass == Approx(10 * 4.0f / 3 * 3.14159265f * 8));
  CHECK(ball.inertia.x == Approx(0.4f * ball.mass * 4));
  CHECK(ball.inertia.y == ball.inertia.x);
  CHECK(ball.inertia.z == ball.inertia.x);
}

TEST_CASE("the size that is out of range is named, with its range") {
  const auto invalid = [](const char* subject, const char* detail) {
    return Error{ErrorCode::kInvalidArgument, subject, 0, detail};
  };
  CHECK(Validate(Shape::Sphere(0)).error() == invalid("radius", "0.001 .. 10000 metres"));
  CHECK(Validate(Shape::Capsule(0, 1)).error() == invalid("half height", "0.001 .. 10000 metres"));
  CHECK(Validate(Shape::Capsule(1, 2e4f)).error() == invalid("radius", "0.001 .. 10000 metres"));
  CHECK(Validate(Shape::Capsule(1, NAN)).error() == invalid("radius", "0.001 .. 10000 metres"));
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half{1, 1, 1};
    half.Set(axis, 0);
    CHECK(Validate(Shape::Box(half)).error() == invalid("half extents", "0.001 .. 10000 metres"));
  }
  CHECK(Validate(Shape::Ground(nullptr)).error() == invalid("height field", "it is null"));
}

}  // namespace
}  // namespace nowait
