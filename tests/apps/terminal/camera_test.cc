// The rays of a camera.
#include "src/apps/terminal/camera.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace nowait {
namespace {

constexpr Bounds<3> kPlace{{8, 0, -2}, {12, 4, 2}};
constexpr Vec3 kMiddle{10, 2, 0};

// How far the ray passes by the point.
float Distance(const RayCast& ray, Vec3 point) {
  return Length(Cross(point - ray.origin, ray.translation)) / Length(ray.translation);
}

TEST_CASE("the ray in the middle goes through the middle of the scene") {
  Camera camera(kPlace);
  CHECK(Distance(camera.RayThrough(0, 0, {1, 1}), kMiddle) < 1e-3f);
  camera.Turn(2.0f, -0.4f);
  camera.Approach(0.3f);
  CHECK(Distance(camera.RayThrough(0, 0, {1, 1}), kMiddle) < 1e-3f);
  CHECK(Length(camera.direction()) == Approx(1.0f));
  CHECK(Length(camera.eye() + 3.0f * camera.direction() - camera.eye()) == Approx(3.0f));
}

TEST_CASE("the whole scene lies in the picture") {
  const Camera camera(kPlace);
  const PictureSize size{64, 40};
  for (const float x : {8.0f, 12.0f}) {
    for (const float y : {0.0f, 4.0f}) {
      for (const float z : {-2.0f, 2.0f}) {
        float nearest = 1e9f;
        for (std::uint32_t line = 0; line < size.lines; ++line) {
          for (std::uint32_t column = 0; column < size.columns; ++column) {
            nearest = std::min(nearest, Distance(camera.RayThrough(column, line, size), {x, y, z}));
          }
        }
        CHECK(nearest < 0.2f);
      }
    }
  }
}

TEST_CASE("the upper left pixel looks up and to the left") {
  const Camera camera(kPlace);
  const PictureSize size{80, 40};
  const Vec3 middle = camera.direction();
  const Vec3 left = camera.RayThrough(0, 20, size).translation;
  const Vec3 right = camera.RayThrough(79, 20, size).translation;
  const Vec3 up = camera.RayThrough(40, 0, size).translation;
  CHECK(up.y / Length(up) > middle.y);
  // Seen from above, left is counterclockwise of right: y is up.
  CHECK(Cross(right, left).y > 0.0f);
  // Pixels are square: a picture that is twice as wide shows twice as much aside.
  const auto span = [&](Vec3 a, Vec3 b) {
    return Length((1.0f / Dot(a, middle)) * a - (1.0f / Dot(b, middle)) * b);
  };
  const float across = span(left, right);
  const float down = span(up, camera.RayThrough(40, 39, size).translation);
  CHECK(across / down == Approx(79.0f / 39.0f));
}

TEST_CASE("a camera stays within its limits") {
  Camera camera(kPlace);
  const float height = camera.eye().y;
  for (int i = 0; i < 100; ++i) camera.Turn(0.0f, 1.0f);
  CHECK(camera.eye().y > height);
  CHECK(camera.direction().y > -1.0f);
  for (int i = 0; i < 100; ++i) camera.Turn(0.0f, -1.0f);
  CHECK(camera.eye().y < height);
  for (int i = 0; i < 1000; ++i) camera.Approach(0.5f);
  CHECK(Length(camera.eye() - kMiddle) == Approx(0.5f));
  for (int i = 0; i < 1000; ++i) camera.Approach(2.0f);
  CHECK(Length(camera.eye() - kMiddle) == Approx(2000.0f));
  const Camera near({{1, 1, 1}, {1, 1, 1}});
  CHECK(Length(near.eye() - Vec3{1, 1, 1}) == Approx(0.5f));
}

}  // namespace
}  // namespace nowait
