// Rays at their ends: from inside, from behind, at the very limit, along the borders, and the
// normals of all sides.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/far_ray.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/math/random.h"

namespace nowait {
namespace {

const std::array<Vec3, 6> kSides = {Vec3{1, 0, 0},  Vec3{-1, 0, 0}, Vec3{0, 1, 0},
                                    Vec3{0, -1, 0}, Vec3{0, 0, 1},  Vec3{0, 0, -1}};

struct Shapes {
  Shapes() {
    const std::vector<float> level(25, 0.0f);
    field = std::move(*HeightField::Create({5, 5, 1.0f, level}));
    all = {Shape::Sphere(1), Shape::Capsule(0.4f, 0.6f), Shape::Box({1, 1, 1}),
           Shape::Ground(field.get())};
  }
  std::unique_ptr<const HeightField> field;
  std::vector<Shape> all;
};

TEST_CASE("a ray that starts inside a shape meets it at once, with the normal against the ray") {
  const Shapes shapes;
  for (const Shape& shape : shapes.all) {
    const Vec3 inside =
        shape.kind == ShapeKind::kHeightField ? Vec3{2, -0.5f, 2} : Vec3{0.2f, 0.1f, -0.3f};
    for (const Vec3 way : {Vec3{0, 6, 8}, Vec3{-3, 0, 4}, Vec3{3e8f, 4e8f, 0}}) {
      CAPTURE(static_cast<int>(shape.kind), way.x, way.y, way.z);
      const auto hit = CastAgainstShape({inside, way}, 1.0f, shape, {}, {});
      REQUIRE(hit);
      CHECK(hit->fraction == 0.0f);
      CHECK(Length(hit->normal + way * (1 / Length(way))) < 1e-5f);
    }
    const auto still = CastAgainstShape({inside, {}}, 1.0f, shape, {}, {});
    REQUIRE(still);
    CHECK(still->fraction == 0.0f);
    CHECK(still->normal == Vec3{0, 1, 0});
  }
}

TEST_CASE("a hit at the very limit of the ray counts, and one behind it does not, of each shape") {
  const Shapes shapes;
  for (const Shape& shape : shapes.all) {
    const float top = shape.kind == ShapeKind::kHeightField ? 0.0f : 1.0f;
    const RayCast down{{shape.kind == ShapeKind::kHeightField ? 1.5f : 0.0f, top + 4,
                        0.25f * top + 1.25f * (1 - top)},
                       {0, -16, 0}};
    const auto whole = CastAgainstShape(down, 1.0f, shape, {}, {});
    CAPTURE(static_cast<int>(shape.kind));
    REQUIRE(whole);
    const float at = whole->fraction;
    CHECK(CastAgainstShape(down, at, shape, {}, {}));
    CHECK_FALSE(CastAgainstShape(down, 0.99f * at, shape, {}, {}));
    CHECK_FALSE(CastAgainstShape(down, -1.0f, shape, {}, {}));
    // The same way from below the shape's far side leads away from it.
    CHECK_FALSE(CastAgainstShape({{down.origin.x, -4, 20}, {0, -16, 0}}, 1.0f, shape, {}, {}));
  }
}

TEST_CASE("a ray onto each side of a turned box has that side's normal") {
  const Shape box = Shape::Box({1, 2, 3});
  const Quat turn = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  const Vec3 at{7, 8, 9};
  for (const Vec3 side : kSides) {
    CAPTURE(side.x, side.y, side.z);
    const Vec3 from = Multiply(side, box.half) + side * 3.0f + Vec3{0.1f, 0.2f, -0.3f};
    const float gap = Dot(from, side) - Dot(Abs(side), box.half);
    const Vec3 way = side * -12.0f + Vec3{0.01f, -0.02f, 0.03f};
    const auto hit =
        CastAgainstShape({at + Rotate(turn, from), Rotate(turn, way)}, 1.0f, box, at, turn);
    REQUIRE(hit);
    CHECK(Length(hit->normal - Rotate(turn, side)) < 1e-5f);
    CHECK(hit->fraction == Approx(gap / -Dot(way, side)).epsilon(1e-4));
  }
}

TEST_CASE("a ray onto a sphere has the normal of the place where it meets it") {
  for (const Vec3 side : kSides) {
    const Vec3 across = Vec3{1, 1, 1} - Abs(side);
    const Vec3 place = NormaliseOr(side + across * 0.3f, {});
    const auto hit = CastAgainstShape({place * 2 + side * 4.0f, side * -10.0f - place}, 1.0f,
                                      Shape::Sphere(2), {}, {});
    REQUIRE(hit);
    const Vec3 met = place * 2 + side * 4.0f + (side * -10.0f - place) * hit->fraction;
    CHECK(Length(met) == Approx(2.0f));
    CHECK(Length(hit->normal - met * 0.5f) < 1e-4f);
  }
}

TEST_CASE("a ray along the side of a box meets it to its border, and passes beside it beyond") {
  const Shape box = Shape::Box({1, 1, 1});
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      CAPTURE(axis, side);
      Vec3 along, from{0.1f, 0.1f, 0.1f};
      along.Set((axis + 1) % 3, 10);
      from.Set((axis + 1) % 3, -5);
      from.Set(axis, side * 0.999f);
      CHECK(CastAgainstShape({from, along}, 1.0f, box, {}, {}));
      from.Set(axis, side * 1.001f);
      CHECK_FALSE(CastAgainstShape({from, along}, 1.0f, box, {}, {}));
    }
  }
}

TEST_CASE("a ray from beside a field meets its surface from above, and not from below") {
  const Shapes shapes;
  const Shape& ground = shapes.all.back();
  for (const float y : {1.0f, -1.0f}) {
    for (const bool along_x : {true, false}) {
      CAPTURE(y, along_x);
      // Crosses the level in the middle of the field.
      const RayCast ray{along_x ? Vec3{-1, y, 2.3f} : Vec3{2.3f, y, -1},
                        along_x ? Vec3{6, -2 * y, 0} : Vec3{0, -2 * y, 6}};
      const auto hit = CastAgainstShape(ray, 1.0f, ground, {}, {});
      CHECK(hit.has_value() == (y > 0));
      if (hit) CHECK(hit->normal == Vec3{0, 1, 0});
      if (hit) CHECK(hit->fraction == Approx(0.5f));
    }
  }
}

TEST_CASE("a ray walks over a field in each of the four directions and stops at the first slope") {
  // A wall of two heights across the middle, along x and along z.
  for (const bool along_x : {true, false}) {
    std::vector<float> heights;
    for (int k = 0; k < 9; ++k) {
      for (int i = 0; i < 7; ++i) heights.push_back((along_x ? i == 3 : k == 4) ? 2.0f : 0.0f);
    }
    const auto field = std::move(*HeightField::Create({7, 9, 1.0f, heights}));
    const Shape ground = Shape::Ground(field.get());
    const float middle = along_x ? 3.0f : 4.0f;
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(along_x, sign);
      const float start = middle - 2.5f * sign;
      const RayCast ray{along_x ? Vec3{start, 1, 2.2f} : Vec3{2.2f, 1, start},
                        along_x ? Vec3{5 * sign, 0, 0} : Vec3{0, 0, 5 * sign}};
      const auto hit = CastAgainstShape(ray, 1.0f, ground, {}, {});
      REQUIRE(hit);
      // The slope of two metres a cell is one metre high half a cell before the ridge.
      CHECK(hit->fraction == Approx(0.4f));
      CHECK((along_x ? hit->normal.x : hit->normal.z) * sign < -0.5f);
    }
  }
}

TEST_CASE("a ray is far if it starts beyond ten thousand kilometres or is longer than ten") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      RayCast ray{{1, 1, 1}, {1, 1, 1}};
      CHECK_FALSE(FarRay::IsFar(ray));
      ray.origin.Set(axis, sign * 1.01e7f);
      CHECK(FarRay::IsFar(ray));
      ray.origin.Set(axis, sign * 0.99e7f);
      CHECK_FALSE(FarRay::IsFar(ray));
      ray.translation.Set(axis, sign * 0.99e4f);
      CHECK_FALSE(FarRay::IsFar(ray));
      ray.translation.Set(axis, sign * 1.01e4f);
      CHECK(FarRay::IsFar(ray));
    }
  }
}

// The normal of a ball shows where it was met, however long the ray is.
TEST_CASE("a ray of any length meets a small ball within three millimetres of the right place") {
  Random random(31);
  const Shape ball = Shape::Sphere(0.5f);
  for (const float length : {1e2f, 1e3f, 9.9e3f, 3e4f, 3e5f, 1e6f, 5e6f, 9.9e6f, 3e7f, 1e9f}) {
    for (int round = 0; round < 2000; ++round) {
      const Vec3 origin = random.Direction() * (0.5f * length);
      const RayCast ray{origin, origin * -1.9f};
      // The ray goes through the middle; floats that are multiplied are rounded a little beside it.
      const Double3 from = ToDouble(origin), way = ToDouble(ray.translation);
      const double squared = LengthSquared(way);
      const Double3 closest = from - way * (Dot(from, way) / squared);
      if (LengthSquared(closest) > 0.16) continue;
      const Double3 entry = closest - way * std::sqrt((0.25 - LengthSquared(closest)) / squared);
      const auto hit = CastAgainstShape(ray, 1.0f, ball, {}, {});
      CAPTURE(length, round);
      REQUIRE(hit);
      REQUIRE(Length(ToDouble(hit->normal) * 0.5 - entry) < 3e-3);
    }
  }
}

TEST_CASE("a ray through shapes of more than ten kilometres meets them where it comes to them") {
  const std::vector<float> level(25, 0.0f);
  const auto field = HeightField::Create({5, 5, 2500.0f, level});
  REQUIRE(field);
  const std::array<Shape, 4> all = {Shape::Sphere(1e4f), Shape::Capsule(1e4f, 1e4f),
                                    Shape::Cylinder(1e4f, 1e4f), Shape::Box({1e4f, 1e4f, 1e4f})};
  for (const float length : {3e4f, 1e6f, 1e9f}) {
    for (const Shape& shape : all) {
      const auto hit =
          CastAgainstShape({{-length, 0, 0}, {2.0f * length, 0, 0}}, 1.0f, shape, {}, {});
      REQUIRE(hit);
      CHECK(hit->fraction == Approx(0.5 - 0.5e4 / double{length}).epsilon(1e-6));
      CHECK(hit->normal.x == Approx(-1.0f));
    }
    const RayCast along{{-0.5f * length, length * 1e-3f, 5000}, {length, length * -2e-3f, 100}};
    const auto on_field = CastAgainstShape(along, 1.0f, Shape::Ground(field->get()), {}, {});
    REQUIRE(on_field);
    CHECK(on_field->normal.y == 1.0f);
  }
}

TEST_CASE("a ray along the face of a box that leaves it by less than floats can divide meets it") {
  const Shape box = Shape::Box({1, 1, 1});
  for (const float leaning : {0.0f, 1e-30f, -1e-30f, 1e-39f, -1e-39f, 1e-45f, -1e-45f}) {
    for (const int axis : {0, 1, 2}) {
      const int other = (axis + 1) % 3;
      RayCast ray;
      ray.origin.Set(axis, leaning > 0.0f ? -1.0f : 1.0f);
      ray.origin.Set(other, 5.0f);
      ray.translation.Set(axis, leaning);
      ray.translation.Set(other, -10.0f);
      const auto hit = CastAgainstShape(ray, 1.0f, box, {}, {});
      CAPTURE(leaning, axis);
      REQUIRE(hit);
      CHECK(hit->fraction == 0.4f);
      CHECK(hit->normal[other] == 1.0f);
    }
  }
}

TEST_CASE("the places of a far ray are where its metres lead, its start and end with them") {
  const FarRay ray({{-3e8f, 5, 2e8f}, {6e8f, 0, -4e8f}});
  CHECK(ray.FractionAt(ray.begin()) == 0.0f);
  CHECK(ray.FractionAt(ray.end()) == 1.0f);
  CHECK(ray.FractionAt(ray.begin() - 1e9) == 0.0f);
  CHECK(ray.FractionAt(ray.end() + 1e9) == 1.0f);
  CHECK(ray.PointAt(ray.begin()) == Vec3{-3e8f, 5, 2e8f});
  const Vec3 middle = ray.PointAt(0.5 * (ray.begin() + ray.end()));
  CHECK(Length(middle - Vec3{0, 5, 0}) < 1e-3f);
  CHECK(ray.end() - ray.begin() == Approx(std::sqrt(52.0) * 1e8));
  const FarRay point({{4e8f, 0, 0}, {}});
  CHECK(point.FractionAt(17) == 0.0f);
}

}  // namespace
}  // namespace nowait
