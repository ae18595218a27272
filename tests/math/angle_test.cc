#include "src/math/angle.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace nowait {
namespace {

TEST_CASE("Atan2 is within 5e-7 of libm's, in every direction and at every length") {
  for (int i = -4000; i <= 4000; ++i) {
    const double angle = i * 3.14159265358979 / 4000.0;
    for (const double length : {1e-30, 1.0, 3e20}) {
      const auto x = static_cast<float>(length * std::cos(angle));
      const auto y = static_cast<float>(length * std::sin(angle));
      CAPTURE(x, y);
      const double expected = std::atan2(static_cast<double>(y), static_cast<double>(x));
      REQUIRE(std::abs(Atan2(y, x) - expected) < 5e-7);
    }
  }
}

TEST_CASE("Atan2 of the axes and of nothing") {
  CHECK(Atan2(0.0f, 0.0f) == 0.0f);
  CHECK(Atan2(0.0f, 1.0f) == 0.0f);
  CHECK(Atan2(1.0f, 0.0f) == 0.5f * kPi);
  CHECK(Atan2(-1.0f, 0.0f) == -0.5f * kPi);
  CHECK(Atan2(0.0f, -1.0f) == kPi);
}

}  // namespace
}  // namespace nowait
