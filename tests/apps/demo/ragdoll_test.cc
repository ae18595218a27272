// The figures of the demo are stable at 60 Hz: they fall, stay in one piece and within their
// limits, and come to rest.
#include "src/apps/demo/ragdoll.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <variant>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

struct Figure {
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;
};

Figure AddFigure(World& world, Vec3 place, Quat rotation) {
  const Ragdoll ragdoll(place, rotation);
  Figure figure;
  WaitTime wait;
  for (const BodyDef& def : ragdoll.Bodies()) figure.bodies.push_back(Add(world, def));
  for (const JointDef& def : ragdoll.Joints(figure.bodies)) {
    figure.joints.push_back(*world.CreateJoint(def, wait));
  }
  return figure;
}

// How far the anchors of a figure's joints are apart, at most.
float MostApart(const World& world, const Figure& figure) {
  float most = 0.0f;
  for (const JointId id : figure.joints) {
    const JointDef def = world.GetJoint(id)->def;
    const auto anchor = [&](BodyId body, const JointFrame& frame) {
      const BodySnapshot at = Get(world, body);
      return at.position + Rotate(at.rotation, frame.position);
    };
    most = std::max(most, Length(anchor(def.a, def.frame_a) - anchor(def.b, def.frame_b)));
  }
  return most;
}

// How far the hinges and twists of a figure are beyond their limits, at most.
float MostBeyond(const World& world, const Figure& figure) {
  float most = 0.0f;
  for (const JointId id : figure.joints) {
    const JointSnapshot joint = *world.GetJoint(id);
    const auto* hinge = std::get_if<HingeJoint>(&joint.def.kind);
    const auto* swing_twist = std::get_if<SwingTwistJoint>(&joint.def.kind);
    const JointLimits limits = hinge != nullptr ? *hinge->limits : *swing_twist->twist;
    most = std::max({most, limits.lower - joint.position, joint.position - limits.upper});
  }
  return most;
}

TEST_CASE("a figure is eleven bodies and ten joints that hold it as it is made") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  const Figure figure =
      AddFigure(*world, {3, 2, 1}, FromAxisAngle(NormaliseOr({1, 2, 3}, {}), 1.0f));
  REQUIRE(figure.bodies.size() == Ragdoll::kBodies);
  REQUIRE(figure.joints.size() == Ragdoll::kJoints);
  CHECK(MostApart(*world, figure) < 1e-6f);
  REQUIRE(Run(*world, pool, 30));
  CHECK(MostApart(*world, figure) < 1e-4f);
  for (const BodyId id : figure.bodies) CHECK(Length(Get(*world, id).linear_velocity) < 0.01f);
}

TEST_CASE("figures that fall on each other stay in one piece, and come to rest") {
  auto world = MakeWorld();
  PoolHere pool(1);
  Add(*world, Floor(0.7f));
  std::vector<Figure> figures;
  Random random(5);
  for (int i = 0; i < 6; ++i) {
    const Vec3 place{0.4f * static_cast<float>(i % 2), 2.0f + 1.2f * static_cast<float>(i), 0};
    figures.push_back(AddFigure(*world, place, random.Rotation()));
  }
  float apart = 0.0f, beyond = 0.0f;
  for (int step = 0; step < 600; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (const Figure& figure : figures) {
      apart = std::max(apart, MostApart(*world, figure));
      beyond = std::max(beyond, MostBeyond(*world, figure));
    }
  }
  // For a moment: a limb that would pass through the ground is stopped, and its neighbours are not.
  CHECK(apart < 0.12f);
  CHECK(beyond < 0.35f);  // for a moment, as the ground is hit at 12 m/s
  float fastest = 0.0f;
  for (const Figure& figure : figures) {
    CHECK(MostApart(*world, figure) < 0.005f);
    for (const BodyId id : figure.bodies) {
      const BodySnapshot body = Get(*world, id);
      CHECK(body.position.y > 0.0f);
      fastest = std::max(fastest, Length(body.linear_velocity));
    }
  }
  CHECK(fastest < 0.2f);
}

}  // namespace
}  // namespace nowait
