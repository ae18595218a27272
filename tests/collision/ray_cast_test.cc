#include "src/collision/ray_cast.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "src/collision/far_ray.h"
#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

TEST_CASE("a ray meets a sphere where the quadratic says") {
  Random random(3);
  int hits = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 centre = random.InBox({-3, -3, -3}, {3, 3, 3});
    const float radius = random.Between(0.3f, 2.0f);
    const Vec3 from = random.InBox({-6, -6, -6}, {6, 6, 6});
    const RayCast ray{from, random.InBox({-3, -3, -3}, {3, 3, 3}) - from};
    const auto hit = CastAgainstShape(ray, 1.0f, Shape::Sphere(radius), centre, {});
    // In double, from the definition.
    const double fx = ray.origin.x - centre.x, fy = ray.origin.y - centre.y,
                 fz = ray.origin.z - centre.z;
    const double dx = ray.translation.x, dy = ray.translation.y, dz = ray.translation.z;
    const double a = dx * dx + dy * dy + dz * dz, b = fx * dx + fy * dy + fz * dz;
    const double c = fx * fx + fy * fy + fz * fz - double{radius} * radius;
    const double disc = b * b - a * c;
    if (std::abs(disc) < 1e-2 || std::abs(c) < 1e-4) continue;
    const double t = (-b - std::sqrt(disc)) / a;
    if (std::abs(t - 1.0) < 1e-4) continue;
    const bool inside = c < 0;
    REQUIRE(hit.has_value() == (inside || (disc > 0 && t >= 0 && t <= 1)));
    if (!hit) continue;
    ++hits;
    CHECK(hit->fraction == Approx(inside ? 0.0 : t).margin(1e-3));
    if (!inside) {
      const Vec3 at = ray.origin + ray.translation * hit->fraction;
      CHECK(Length(at - centre) == Approx(radius).epsilon(1e-3));
      CHECK(Dot(hit->normal, ray.translation) < 0);
    }
  }
  CHECK(hits > 150);
}

TEST_CASE("a ray meets a box at its surface, and nothing of the box lies before that") {
  Random random(4);
  int hits = 0, misses = 0;
  for (int round = 0; round < 1000; ++round) {
    const Shape box = Shape::Box(random.InBox({0.3f, 0.3f, 0.3f}, {2, 2, 2}));
    const Vec3 centre = random.InBox({-2, -2, -2}, {2, 2, 2});
    const Quat rotation = random.Rotation();
    const Vec3 from = random.InBox({-6, -6, -6}, {6, 6, 6});
    const RayCast ray{from, random.InBox({-3, -3, -3}, {3, 3, 3}) - from};
    const auto depth = [&](float t) {  // largest coordinate beyond the half extents
      const Vec3 local =
          Abs(Rotate(Conjugate(rotation), ray.origin + ray.translation * t - centre)) - box.half;
      return std::max(std::max(local.x, local.y), local.z);
    };
    const auto hit = CastAgainstShape(ray, 1.0f, box, centre, rotation);
    const float end = hit ? hit->fraction : 1.0f;
    for (int i = 0; i < 200; ++i) {
      const float t = end * static_cast<float>(i) / 200;
      if (!hit || t < end - 1e-3f) CHECK(depth(t) > -2e-3f);
    }
    if (hit && hit->fraction > 0) {
      ++hits;
      CHECK(std::abs(depth(hit->fraction)) < 2e-3f);
      CHECK(Dot(hit->normal, ray.translation) < 0);
      CHECK(Length(hit->normal) == Approx(1.0f).epsilon(1e-3));
    }
    misses += hit ? 0 : 1;
  }
  CHECK(hits > 100);
  CHECK(misses > 100);
}

TEST_CASE("a ray meets a shape where it starts only if it starts inside, or on the surface") {
  Random random(6);
  int inside = 0, leaving = 0;
  for (int round = 0; round < 5000; ++round) {
    const Vec3 half = random.InBox({0.3f, 0.3f, 0.3f}, {2, 2, 2});
    const Shape shape = round % 3 == 0 ? Shape::Sphere(half.x) : Shape::Box(half);
    const Vec3 centre = random.InBox({-2, -2, -2}, {2, 2, 2});
    const Quat rotation = random.Rotation();
    const Vec3 from = random.InBox({-3, -3, -3}, {3, 3, 3});
    // Every second one leads away from the shape's centre.
    const Vec3 along = round % 2 == 0 ? (from - centre) * random.Between(0.1f, 3.0f)
                                      : random.InBox({-3, -3, -3}, {3, 3, 3}) - from;
    const auto hit = CastAgainstShape({from, along}, 1.0f, shape, centre, rotation);
    const bool starts_inside = IsInside(from, shape, centre, rotation);
    CAPTURE(round);
    if (starts_inside) {
      ++inside;
      REQUIRE(hit);
      CHECK(hit->fraction == 0.0f);
    } else if (round % 2 == 0) {
      ++leaving;
      CHECK_FALSE(hit);  // each shape is convex and has its centre inside
    } else if (hit) {
      CHECK(hit->fraction > 0.0f);
    }
  }
  CHECK(inside > 100);
  CHECK(leaving > 1000);
}

TEST_CASE("a point on a shape's surface is inside, and the next float is not") {
  const Vec3 centre{2, 0, 0};  // so that all sums here are exact
  const auto is_inside = [&](Vec3 from_centre, const Shape& shape) {
    return IsInside(centre + from_centre, shape, centre, {});
  };
  for (const float side : {-1.0f, 1.0f}) {
    CAPTURE(side);
    const float on = side * 0.5f;
    const float beyond = on * (1.0f + 0x1p-20f);
    for (const Shape& shape : {Shape::Sphere(0.5f), Shape::Box({0.5f, 0.5f, 0.5f})}) {
      for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        CHECK(is_inside(axis * on, shape));
        CHECK_FALSE(is_inside(axis * beyond, shape));
      }
    }
    CHECK(is_inside({on, on, on}, Shape::Box({0.5f, 0.5f, 0.5f})));
  }
}

TEST_CASE("a ray along an axis and one without length") {
  const Shape box = Shape::Box({1, 1, 1});
  CHECK(CastAgainstShape({{0, 5, 0}, {0, -10, 0}}, 1.0f, box, {}, {})->fraction == Approx(0.4f));
  CHECK_FALSE(CastAgainstShape({{1.1f, 5, 0}, {0, -10, 0}}, 1.0f, box, {}, {}));
  CHECK_FALSE(CastAgainstShape({{0, 5, 0}, {0, -10, 0}}, 0.39f, box, {}, {}));
  CHECK(CastAgainstShape({{0.5f, 0, 0}, {}}, 1.0f, box, {}, {})->fraction == 0.0f);
  CHECK_FALSE(CastAgainstShape({{5, 0, 0}, {}}, 1.0f, box, {}, {}));
  CHECK_FALSE(CastAgainstShape({{5, 0, 0}, {}}, 1.0f, Shape::Sphere(1), {}, {}));
}

TEST_CASE("a ray meets a height field where marching along it does") {
  Random random(5);
  std::vector<float> heights;
  for (int i = 0; i < 144; ++i) heights.push_back(random.Between(-1, 1));
  const auto field = std::move(*HeightField::Create({12, 12, 0.8f, heights}));
  const Shape ground = Shape::Ground(field.get());
  const Vec3 at{3, 1, -2};
  int hits = 0;
  for (int round = 0; round < 1000; ++round) {
    RayCast ray{random.InBox({-2, 1.1f, -2}, {11, 6, 11}), random.InBox({-9, -9, -9}, {9, 2, 9})};
    if (round % 10 == 0) ray.translation.x = 0;
    if (round % 20 == 0) ray.translation.z = 0;
    const auto hit = CastAgainstShape({ray.origin + at, ray.translation}, 1.0f, ground, at, {});
    const auto above = [&](float t) {
      const Vec3 p = ray.origin + ray.translation * t;
      if (p.x < 0 || p.z < 0 || p.x > field->width() || p.z > field->depth()) return 1.0f;
      return p.y - field->SurfaceAt(p.x, p.z);
    };
    const float end = hit ? hit->fraction : 1.0f;
    CAPTURE(round);
    for (int i = 0; i < 400; ++i) {
      const float t = end * static_cast<float>(i) / 400;
      if (above(t) < -0.02f) {
        // Only where the ray came in from the side, below the surface's border: there is no wall.
        const Vec3 p = ray.origin + ray.translation * t;
        CAPTURE(t, end, p.x, p.y, p.z, above(t));
        bool from_side = false;
        for (int k = 0; k <= i; ++k) {
          const Vec3 q = ray.origin + ray.translation * (end * static_cast<float>(k) / 400);
          from_side =
              from_side || q.x < 0 || q.z < 0 || q.x > field->width() || q.z > field->depth();
        }
        CHECK(from_side);
      }
    }
    if (hit) {
      ++hits;
      CHECK(std::abs(above(hit->fraction)) < 1e-2f);
      CHECK(Dot(hit->normal, ray.translation) < 0);
    }
  }
  CHECK(hits > 150);
}

TEST_CASE("rays straight down through samples and seams of a height field are not lost") {
  Random random(6);
  std::vector<float> heights;
  for (int i = 0; i < 64; ++i) heights.push_back(random.Between(-1, 1));
  const auto field = std::move(*HeightField::Create({8, 8, 1.0f, heights}));
  const Shape ground = Shape::Ground(field.get());
  for (int i = 0; i <= 28; ++i) {
    for (int k = 0; k <= 28; ++k) {
      const Vec3 from{0.25f * static_cast<float>(i), 5, 0.25f * static_cast<float>(k)};
      const auto hit = CastAgainstShape({from, {0, -10, 0}}, 1.0f, ground, {}, {});
      REQUIRE(hit);
      CHECK(5 - 10 * hit->fraction == Approx(field->SurfaceAt(from.x, from.z)).margin(1e-4));
    }
  }
}

// The oracle is the definition in 113 bits; its doubtful cases are left out.
TEST_CASE("no long slanting ray slips between the cells and triangles of a large height field") {
  constexpr std::uint32_t kSamples = 1000;
  Random random(19);
  std::vector<float> heights(kSamples * kSamples);
  for (float& height : heights) height = random.Between(-0.3f, 0.3f);
  const auto field = std::move(*HeightField::Create({kSamples, kSamples, 1.0f, heights}));
  const Shape shape = Shape::Ground(field.get());
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t x = 1 + random.Below(kSamples - 3), z = 1 + random.Below(kSamples - 3);
    const auto place = [&](std::uint32_t column, std::uint32_t row) {
      return Vec3{static_cast<float>(column), field->HeightOf(column, row),
                  static_cast<float>(row)};
    };
    const Vec3 from = place(x, z), to = place(x + (i % 3 != 1 ? 1 : 0), z + (i % 3 != 0 ? 1 : 0));
    const Vec3 target = from + (to - from) * random.Between(0, 1);
    const Vec3 up = random.InBox({-1, 1, -1}, {1, 2, 1}) * 300.0f;
    CAPTURE(i, x, z);
    CHECK(CastAgainstShape({target + up, up * -2.0f}, 1.0f, shape, {}, {}));
  }
}

TEST_CASE("a ray from any distance meets what it is aimed at, and not what it passes") {
  Random random(12);
  int hits = 0, misses = 0;
  for (int round = 0; round < 8000; ++round) {
    const float exponent = random.Between(0.0f, 37.0f);
    const float length = static_cast<float>(std::pow(10.0, double{exponent}));
    const float spread = round % 2 == 0 ? 1e3f : 40.0f;
    const Vec3 centre = random.InBox({-spread, -spread, -spread}, {spread, spread, spread});
    const float radius = random.Between(0.5f, 50.0f);
    Vec3 way = random.Direction();
    // Along an axis or a diagonal, where the line of floats passes through the middle itself;
    // elsewhere it passes as far from it as the floats of the origin are apart.
    if (round % 2 == 0) {
      const int axis = static_cast<int>(random.Below(3));
      way = {};
      way.Set(axis, random.Below(2) == 0 ? 1.0f : -1.0f);
    } else if (length > 1e9f) {
      way = {way.x < 0 ? -1.0f : 1.0f, way.y < 0 ? -1.0f : 1.0f, way.z < 0 ? -1.0f : 1.0f};
    }
    const Vec3 beside = random.InBox({-40, -40, -40}, {40, 40, 40});
    const Vec3 from = (round % 2 == 0 ? centre + beside : Vec3{}) - way * (0.5f * length);
    const RayCast ray{from, way * length};
    const auto hit = CastAgainstShape(ray, 1.0f, Shape::Sphere(radius), centre, {});
    // |from x way - centre x way| against the radius: of the difference of the places themselves
    // even 113 bits would not keep the centre.
    using Wide = __float128;
    const Wide wx = ray.translation.x, wy = ray.translation.y, wz = ray.translation.z;
    const auto moment = [&](Vec3 p) {
      return std::array<Wide, 3>{p.y * wz - p.z * wy, p.z * wx - p.x * wz, p.x * wy - p.y * wx};
    };
    const auto of_ray = moment(ray.origin), of_centre = moment(centre);
    const Wide mx = of_ray[0] - of_centre[0], my = of_ray[1] - of_centre[1],
               mz = of_ray[2] - of_centre[2];
    const Wide fx = Wide{from.x} - Wide{centre.x}, fy = Wide{from.y} - Wide{centre.y},
               fz = Wide{from.z} - Wide{centre.z};
    const Wide squared = wx * wx + wy * wy + wz * wz;
    const auto apart = static_cast<double>((mx * mx + my * my + mz * mz) / squared);
    const double limit = double{radius} * radius;
    if (std::abs(apart - limit) < 1e-2 * limit + 0.1) continue;
    const Wide t = -(fx * wx + fy * wy + fz * wz) / squared;
    const double reach = static_cast<double>(Wide{radius} / Wide{length});
    if (!(static_cast<double>(t) > 2 * reach && static_cast<double>(t) < 1 - 2 * reach)) continue;
    CAPTURE(round, length, apart, limit);
    REQUIRE(hit.has_value() == (apart < limit));
    (hit ? hits : misses) += 1;
    if (!hit) continue;
    CHECK(hit->fraction == Approx(static_cast<double>(t)).margin(reach + 1e-6));
    CHECK(Length(hit->normal) == Approx(1.0f).epsilon(1e-3));
    CHECK(Dot(hit->normal, way) < 0.0f);
  }
  CHECK(hits > 500);
  CHECK(misses > 300);
}

TEST_CASE("a ray as long as a float can say meets boxes and fields as one of a metre does") {
  const std::vector<float> level(16, 2.0f);
  const auto field = std::move(*HeightField::Create({4, 4, 1.0f, level}));
  const Shape ground = Shape::Ground(field.get());
  const Shape box = Shape::Box({1, 2, 3});
  for (const float length : {1e8f, 3e19f, 1e30f, 1.7e38f}) {
    CAPTURE(length);
    const RayCast down{{1.3f, length, 1.6f}, {0, -1.9f * length, 0}};
    const auto on_ground = CastAgainstShape(down, 1.0f, ground, {}, {});
    REQUIRE(on_ground.has_value());
    CHECK(on_ground->fraction == Approx(1.0 / 1.9).epsilon(1e-5));
    CHECK(on_ground->normal.y == Approx(1.0f));
    const auto on_box = CastAgainstShape(down, 1.0f, box, {1, 0, 0}, {});
    REQUIRE(on_box.has_value());
    CHECK(on_box->normal == Vec3{0, 1, 0});
    const RayCast beside{{1.3f, length, 3.1f}, {0, -1.9f * length, 0}};
    CHECK_FALSE(CastAgainstShape(beside, 1.0f, ground, {}, {}));
    CHECK_FALSE(CastAgainstShape(beside, 1.0f, box, {1, 0, 0}, {}));
    // Sideways below the surface it meets nothing; from below neither.
    CHECK_FALSE(
        CastAgainstShape({{-length, 1, 1.5f}, {1.9f * length, 0, 0}}, 1.0f, ground, {}, {}));
    // One that begins in the shape meets it at once, however far it goes.
    const auto inside =
        CastAgainstShape({{1, 0, 0}, {length, length, 0}}, 1.0f, box, {1, 0, 0}, {});
    REQUIRE(inside.has_value());
    CHECK(inside->fraction == 0.0f);
    CHECK(Length(inside->normal) == Approx(1.0f));
    // One that ends before the shape does not meet it.
    CHECK_FALSE(
        CastAgainstShape({{1.3f, length, 1.6f}, {0, -0.5f * length, 0}}, 1.0f, box, {}, {}));
    // From far to the side, onto the field, and walking on in it.
    const auto slant =
        CastAgainstShape({{-length, length, 1.5f}, {1.9f * length, -1.9f * length, 0}}, 1.0f,
                         ground, {-1.5f, -2, 0}, {});
    REQUIRE(slant.has_value());
    CHECK(slant->normal.y == Approx(1.0f));
  }
}

TEST_CASE("a ray without length that is far from everything meets nothing") {
  CHECK_FALSE(CastAgainstShape({{1e30f, 0, 0}, {}}, 1.0f, Shape::Sphere(1), {}, {}));
  CHECK_FALSE(CastAgainstShape({{1e30f, 0, 0}, {1e-40f, 0, 0}}, 1.0f, Shape::Sphere(1), {}, {}));
}

TEST_CASE("a far ray meets a shape at a fraction of at most max_fraction, wherever it begins") {
  Random random(14);
  for (int round = 0; round < 200; ++round) {
    const Vec3 way = random.Direction() * random.Between(1e8f, 1e12f);
    // From near the world's origin or far from it, so that the begin is not the end's mirror image.
    const RayCast ray{way * random.Between(-0.9f, -0.1f), way};
    const auto whole = CastAgainstShape(ray, 1.0f, Shape::Sphere(1e6f), {}, {});
    CAPTURE(round, way.x, way.y, way.z);
    REQUIRE(whole.has_value());
    CHECK(CastAgainstShape(ray, 1.01f * whole->fraction, Shape::Sphere(1e6f), {}, {}).has_value());
    CHECK_FALSE(CastAgainstShape(ray, 0.99f * whole->fraction, Shape::Sphere(1e6f), {}, {}));
  }
}

TEST_CASE("the fraction of a far hit is rounded up: a search that goes on to it misses nothing") {
  Random random(15);
  int exact = 0, rounded = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 way = random.Direction() * random.Between(1e8f, 1e12f);
    const FarRay ray({way * -0.5f, way});
    const double along = ray.begin() + (ray.end() - ray.begin()) * double{random.Unit()} * 0.999;
    const double fraction = (along - ray.begin()) / (ray.end() - ray.begin());
    const double given = double{ray.FractionAt(along)};
    CAPTURE(round, along, fraction);
    REQUIRE(given >= fraction);
    REQUIRE(given <= fraction + 0x1p-23);
    ++(given == fraction ? exact : rounded);
  }
  CHECK(rounded > exact);
}

}  // namespace
}  // namespace nowait
