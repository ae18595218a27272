// A place on the wire: its error, its bounds, and a place that is no number.
#include "src/live/place.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "src/math/random.h"

namespace nowait {
namespace {

float AngleBetween(Quat a, Quat b) {
  const float dot = std::abs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
  return 2.0f * std::acos(std::min(1.0f, dot));
}

TEST_CASE("a place is sent to the documented error") {
  Random random(11);
  constexpr float kAngle = 0.14f * 3.14159265f / 180.0f;
  for (int i = 0; i < 20'000; ++i) {
    const float size = i % 2 == 0 ? 50.0f : 8'000.0f;
    const Vec3 position = random.InBox({-size, -size, -size}, {size, size, size});
    const Quat rotation = random.Rotation();
    const LivePlace place = ToLivePlace(position, rotation);
    const Vec3 off = PositionOf(place) - position;
    // The digits of a float come on top, far out.
    const float most = 1.0f / 1024 + size * 0x1p-24f;
    REQUIRE(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) <= most);
    REQUIRE(AngleBetween(RotationOf(place), rotation) <= kAngle);
  }
}

TEST_CASE("a place beyond the farthest one lies there, and half turns are rotations") {
  const LivePlace far = ToLivePlace({1e9f, -1e9f, 0.0f}, {0, 0, 0, -1});
  CHECK(PositionOf(far) == Vec3{4e6f, -4e6f, 0.0f});
  CHECK(RotationOf(far) == Quat{0, 0, 0, 1});
  CHECK(RotationOf(ToLivePlace({}, {0, 1, 0, 0})) == Quat{0, 1, 0, 0});
}

TEST_CASE("a place that is no number is sent as 0, since a viewer shows what went wrong, too") {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  CHECK(ToLiveUnits(kNone) == 0);
  const LivePlace place = ToLivePlace({1.0f, kNone, 2.0f}, {kNone, kNone, kNone, kNone});
  CHECK(PositionOf(place) == Vec3{1, 0, 2});
  CHECK(std::isfinite(RotationOf(place).w));
}

}  // namespace
}  // namespace nowait
