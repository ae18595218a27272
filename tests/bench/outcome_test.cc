// The errors of a scene's outcome, against values known from its construction.
#include "tests/bench/outcome.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace nowait {
namespace {

// A floor, and two boxes of 1 m on it, the second on the first; of 1,000 kg each.
PeerScene TwoBoxes() {
  PeerScene scene;
  scene.world.gravity = {0, -10, 0};
  scene.bodies.resize(3);
  scene.bodies[0].type = BodyType::kStatic;
  scene.bodies[0].shape = Shape::Box({10, 1, 10});
  scene.bodies[0].position = {0, -1, 0};
  for (std::size_t i : {1u, 2u}) {
    scene.bodies[i].shape = Shape::Box({0.5f, 0.5f, 0.5f});
    scene.bodies[i].position = {0, static_cast<float>(i) - 0.5f, 0};
  }
  return scene;
}

std::vector<BodyMotion> AsMade(const PeerScene& scene) {
  std::vector<BodyMotion> bodies;
  for (const BodyDef& def : scene.bodies) bodies.push_back({def.position, def.rotation, {}, {}});
  return bodies;
}

TEST_CASE("penetration is found pair by pair") {
  const PeerScene scene = TwoBoxes();
  std::vector<BodyMotion> bodies = AsMade(scene);
  bodies[1].position.y -= 0.02f;  // 2 cm into the floor
  bodies[2].position.y -= 0.05f;  // 3 cm into the other box
  const Outcome outcome = *Measure(scene, bodies);
  CHECK(outcome.deepest_m == Approx(0.03).margin(1e-5));
  CHECK(outcome.mean_m == Approx(0.025).margin(1e-5));
  for (BodyMotion& body : bodies) body.position.y += 0.06f;
  bodies[0].position.y -= 0.06f;
  bodies[2].position.y += 0.03f;
  CHECK(Measure(scene, bodies)->deepest_m < 1e-5);
}

TEST_CASE("a body without a place is an error and no outcome") {
  const PeerScene scene = TwoBoxes();
  std::vector<BodyMotion> bodies = AsMade(scene);
  bodies[2].position.x = std::numeric_limits<float>::quiet_NaN();
  const Result<Outcome> outcome = Measure(scene, bodies);
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == ErrorCode::kInvalidArgument);
  CHECK(std::string(outcome.error().subject) == "position");
}

TEST_CASE("drift is measured as the scene is made for it") {
  PeerScene scene = TwoBoxes();
  std::vector<BodyMotion> bodies = AsMade(scene);
  bodies[1].position += Vec3{0.3f, -0.1f, 0.4f};
  bodies[2].position += Vec3{-0.3f, 0, -0.4f};
  CHECK(Measure(scene, bodies)->drift_m == Approx(0.5));  // the mean of the two
  scene.motion = PeerScene::Motion::kFalls;
  CHECK(Measure(scene, bodies)->drift_m == 0.0);
  scene.motion = PeerScene::Motion::kHeld;
  scene.joints.push_back({1, 2, {{0, 0.5f, 0}, {}}, {{0, -0.5f, 0}, {}}, PointJoint{}});
  scene.world.max_joints = 1;
  CHECK(Measure(scene, bodies)->drift_m == Approx(std::sqrt(0.36 + 0.01 + 0.64)));
}

TEST_CASE("bodies below the ground are lost, if the scene has a ground") {
  PeerScene scene = TwoBoxes();
  std::vector<BodyMotion> bodies = AsMade(scene);
  CHECK(Measure(scene, bodies)->lost == 0.0);
  bodies[1].position.y = -0.01f;  // its centre is below the surface
  CHECK(Measure(scene, bodies)->lost == 1.0);
  bodies[2].position.y = -50.0f;  // and this one touches nothing
  CHECK(Measure(scene, bodies)->lost == 2.0);
  bodies[2].position.x = 20.0f;  // beyond the edge
  CHECK(Measure(scene, bodies)->lost == 1.0);
  scene.collides = false;
  CHECK(Measure(scene, bodies)->lost == 0.0);
}

TEST_CASE("energy is that of the closed forms") {
  const PeerScene scene = TwoBoxes();
  std::vector<BodyMotion> bodies = AsMade(scene);
  CHECK(EnergyOf(scene, bodies).total() == Approx(10.0));  // the middle is 1 m high
  bodies[1].linear_velocity = {3, 0, 4};
  bodies[2].angular_velocity = {0, 6, 0};
  // (5^2 / 2 + 6^2 / 6 / 2) / 2: a cube's moment of inertia is a sixth of its mass.
  CHECK(EnergyOf(scene, bodies).kinetic_j_per_kg == Approx(7.75));
}

TEST_CASE("the worse errors are named, and small differences do not count") {
  constexpr auto kStands = PeerScene::Motion::kStands;
  const Outcome peers{.deepest_m = 0.1,
                      .mean_m = 0.0,
                      .drift_m = 0.2,
                      .gained_j_per_kg = 0.5,
                      .motion_j_per_kg = 1.0};
  CHECK(WorseIn(kStands, peers, peers).empty());
  const Outcome about{.deepest_m = 0.1015,
                      .mean_m = 0.0004,
                      .drift_m = 0.1,
                      .gained_j_per_kg = 0.509,
                      .motion_j_per_kg = 1.01};
  CHECK(WorseIn(kStands, about, peers).empty());
  const Outcome worse{.deepest_m = 0.103,
                      .mean_m = 0.0006,
                      .lost = 1.0,
                      .drift_m = 0.205,
                      .gained_j_per_kg = 0.52,
                      .motion_j_per_kg = 1.03};
  CHECK(WorseIn(kStands, worse, peers) == "deepest, mean, lost, drift, gain, motion");
  // A heap may go on moving.
  CHECK(WorseIn(PeerScene::Motion::kFalls, worse, peers) == "deepest, mean, lost, drift, gain");
}

}  // namespace
}  // namespace nowait
