// When a body is at rest, and when the measuring of it starts again.
#include "src/dynamics/rest.h"

#include <catch2/catch.hpp>

#include "src/math/quat.h"

namespace nowait {
namespace {

constexpr float kStep = 0.125f;
const RestDef kDef{.time = 0.5f, .linear_speed = 0.1f, .angular_speed = 0.1f};

// A body that has been at rest where it is for one step.
Body Resting() {
  Body body;
  CHECK(TimeAtRest(body, kStep, kDef) == kStep);
  return body;
}

TEST_CASE("a body that stays near one place and one rotation is at rest, for so long") {
  Body body = Resting();
  CHECK(TimeAtRest(body, kStep, kDef) == 2 * kStep);
  body.position.x = 0.9f * kDef.linear_speed * kDef.time;
  CHECK(TimeAtRest(body, kStep, kDef) == 3 * kStep);
  body.may_sleep = false;
  CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
}

TEST_CASE("when a body has left its place, the measuring starts again from where it is") {
  Body body = Resting();
  for (int i = 1; i <= 3; ++i) {
    body.position.x = static_cast<float>(i);
    CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
    CHECK(TimeAtRest(body, kStep, kDef) == kStep);
    CHECK(TimeAtRest(body, kStep, kDef) == 2 * kStep);
  }
}

TEST_CASE("when a body has left its rotation, the measuring starts again from how it lies") {
  Body body = Resting();
  for (int i = 1; i <= 3; ++i) {
    body.rotation = Normalise(Quat{0.0f, static_cast<float>(i), 0.0f, 1.0f});
    CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
    CHECK(TimeAtRest(body, kStep, kDef) == kStep);
    CHECK(TimeAtRest(body, kStep, kDef) == 2 * kStep);
  }
}

}  // namespace
}  // namespace nowait
