#include "src/collision/ray_cast.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

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

}  // namespace
}  // namespace nowait
