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

TEST_CASE("the reach of rest is a speed times the time of rest, to all sides and about all axes") {
  const float reach = kDef.linear_speed * kDef.time;
  const float turn = kDef.angular_speed * kDef.time;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      Body body = Resting();
      body.position.Set(axis, sign * 0.99f * reach);
      CHECK(TimeAtRest(body, kStep, kDef) == 2 * kStep);
      body.position.Set(axis, sign * 1.01f * reach);
      CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
      Body turned = Resting();
      Vec3 about;
      about.Set(axis, sign);
      turned.rotation = FromAxisAngle(about, 0.99f * turn);
      CHECK(TimeAtRest(turned, kStep, kDef) == 2 * kStep);
      turned.rotation = FromAxisAngle(about, 1.01f * turn);
      CHECK(TimeAtRest(turned, kStep, kDef) < 0.0f);
    }
  }
}

TEST_CASE("the angle is measured from how the body lay at first, not from the world's axes") {
  Body body;
  body.rotation = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
  CHECK(TimeAtRest(body, kStep, kDef) == kStep);
  body.rotation =
      Normalise(FromAxisAngle({0, 0, 1}, 0.9f * kDef.angular_speed * kDef.time) * body.rotation);
  CHECK(TimeAtRest(body, kStep, kDef) == 2 * kStep);
}

TEST_CASE("a body that may not sleep begins its rest anew when it may") {
  Body body = Resting();
  body.may_sleep = false;
  body.position = {5, 0, 0};
  CHECK(TimeAtRest(body, kStep, kDef) < 0.0f);
  body.may_sleep = true;
  CHECK(TimeAtRest(body, kStep, kDef) == kStep);
}

TEST_CASE(
    "with no time of rest a body still rests within what it may go in a sixtieth of a second") {
  const RestDef def{.time = 0.0f, .linear_speed = 0.6f, .angular_speed = 0.6f};
  Body body = Resting();
  body.position = {0, 0, 0.0099f};
  CHECK(TimeAtRest(body, kStep, def) > 0.0f);
  body.position = {0, 0, 0.0101f};
  CHECK(TimeAtRest(body, kStep, def) < 0.0f);
}

}  // namespace
}  // namespace nowait
