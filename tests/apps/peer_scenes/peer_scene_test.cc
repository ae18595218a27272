// The scenes of other engines: their numbers, and that they are what their worlds are made of.
#include "src/apps/peer_scenes/peer_scene.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

const PeerShapes& Shapes() {
  static const PeerShapes shapes = std::move(*MakePeerShapes());
  return shapes;
}

PeerScene Make(const std::string& name, std::optional<std::uint32_t> size = {}) {
  return *MakePeerScene(name, Shapes(), size);
}

std::size_t Moving(const PeerScene& scene) {
  return static_cast<std::size_t>(
      std::ranges::count(scene.bodies, BodyType::kDynamic, &BodyDef::type));
}

// Large enough for contacts or joints of every kind of the scene.
const std::map<std::string, std::uint32_t> kSmall = {
    {"square_pyramid", 5}, {"convex_vs_mesh", 5}, {"ragdolls", 1},   {"large_pyramid", 12},
    {"many_pyramids", 2},  {"joint_grid", 8},     {"convex_pile", 3}};

Vec3 EndOf(const BodySnapshot& body, const JointFrame& frame) {
  return body.position + Rotate(body.rotation, frame.position);
}

float MostApart(const PeerScene& scene, const World& world) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  float most = 0.0f;
  for (const SceneJoint& joint : scene.joints) {
    most = std::max(most, Length(EndOf(bodies[joint.b], joint.frame_b) -
                                 EndOf(bodies[joint.a], joint.frame_a)));
  }
  return most;
}

TEST_CASE("the scenes have as many bodies and joints as their authors say") {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> numbers = {
      {"square_pyramid", {1'240, 0}},
      {"convex_vs_mesh", {1'764, 0}},
      {"ragdolls", {3'680, 3'520}},
      {"large_pyramid", {5'050, 0}},
      {"many_pyramids", {10'780, 0}},
      {"joint_grid", {9'900, 19'800 - 99}},  // without those of two static balls
      {"convex_pile", {5'120, 0}}};
  REQUIRE(PeerSceneNames().size() == numbers.size());
  for (const auto& [name, number] : numbers) {
    INFO(name);
    const PeerScene scene = Make(name);
    CHECK(scene.name == name);
    CHECK(Moving(scene) == number.first);
    CHECK(scene.joints.size() == number.second);
    CHECK(scene.steps > scene.untimed);
  }
  CHECK(Shapes().hills->triangles() == 20'000);
  CHECK(Shapes().hills->dropped() == 0);
  CHECK(Shapes().stone->vertices().size() == 32);
  CHECK(Shapes().five_points->vertices().size() == 5);
}

TEST_CASE("a size is the smallest one with so many bodies that move") {
  for (const std::string& name : PeerSceneNames()) {
    for (const std::uint32_t bodies : {1u, 56u, 400u}) {
      const std::uint32_t size = *SizeFor(name, bodies);
      INFO(name << " " << bodies << " " << size);
      CHECK(Moving(Make(name, size)) >= bodies);
      if (size > 1) CHECK(Moving(Make(name, size - 1)) < bodies);
    }
    // For more bodies than there can be, it is the largest size.
    const std::uint32_t most = *SizeFor(name, ~0u);
    CHECK(MakePeerScene(name, Shapes(), most + 1) ==
          Fail(ErrorCode::kInvalidArgument, "size", most + 1));
  }
}

TEST_CASE("what is no scene and no size is refused") {
  CHECK_FALSE(IsPeerScene("pile"));
  CHECK(MakePeerScene("pile", Shapes()) == Fail(ErrorCode::kNotFound, "scene"));
  CHECK(SizeFor("", 1) == Fail(ErrorCode::kNotFound, "scene"));
  for (const std::string& name : PeerSceneNames()) {
    INFO(name);
    CHECK(MakePeerScene(name, Shapes(), 0) == Fail(ErrorCode::kInvalidArgument, "size", 0));
    CHECK(MakePeerScene(name, Shapes(), 1001) == Fail(ErrorCode::kInvalidArgument, "size", 1001));
  }
}

TEST_CASE("a world has the bodies in the scene's order, apart, with their joints closed") {
  for (const auto& [name, size] : kSmall) {
    INFO(name);
    PeerScene scene = Make(name, size);
    scene.world.gravity = {};
    const auto world = std::move(*CreateWorld(scene));
    CHECK(world->joint_count() == scene.joints.size());
    std::vector<BodySnapshot> bodies;
    world->Snapshot(bodies);
    REQUIRE(bodies.size() == scene.bodies.size());
    bool same = true, alike = true;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      same = same && bodies[i].position == scene.bodies[i].position;
      alike = alike && scene.bodies[i].friction == scene.bodies[0].friction &&
              scene.bodies[i].restitution == scene.bodies[0].restitution;
    }
    CHECK(same);
    CHECK(alike);
    CHECK(MostApart(scene, *world) < 1e-5f);
    // A step in which nothing moves: bodies touch, and do not lie in each other.
    PoolHere pool(0);
    REQUIRE(world->Update(1e-6f, pool));
    std::vector<ContactSnapshot> contacts;
    world->SnapshotContacts(contacts);
    float deepest = 0.0f;
    for (const ContactSnapshot& contact : contacts) {
      for (const ContactPoint& point : contact.manifold.points()) {
        deepest = std::min(deepest, point.separation);
      }
    }
    CHECK(deepest > -1e-4f);
    if (!scene.collides) CHECK(contacts.empty());
  }
}

// Changes when the physics changes: then check that both compilers still agree before writing the
// new ones down.
TEST_CASE("after 75 steps the state is the one written down, for 1 to 4 threads") {
  const std::map<std::string, std::uint64_t> golden = {
      {"convex_pile", 0x919d98b7d596555f},   {"convex_vs_mesh", 0x16d67dc9f7743527},
      {"joint_grid", 0xf388a270abf5a2fd},    {"large_pyramid", 0x5d263fa68495b37f},
      {"many_pyramids", 0x102321bdd7418137}, {"ragdolls", 0x01bddb64e8c00782},
      {"square_pyramid", 0x7e3a8e60cdb1412b}};
  for (const auto& [name, size] : kSmall) {
    const PeerScene scene = Make(name, size);
    for (const std::uint32_t threads : {1u, 2u, 3u, 4u}) {
      INFO(name << ", threads: " << threads);
      const auto world = std::move(*CreateWorld(scene));
      PoolHere pool(threads - 1);
      REQUIRE(Run(*world, pool, 75));
      CHECK(world->stats().contacts + world->stats().joints > 0);
      CHECK(world->StateHash() == golden.at(name));
    }
  }
}

TEST_CASE("a pyramid stands, and figures hold together while they fall") {
  PoolHere pool(1);
  const PeerScene pyramid = Make("square_pyramid", 5);
  const auto standing = std::move(*CreateWorld(pyramid));
  REQUIRE(Run(*standing, pool, 120));
  std::vector<BodySnapshot> bodies;
  standing->Snapshot(bodies);
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Vec3 moved = bodies[i].position - pyramid.bodies[i].position;
    CHECK(Length(Vec3{moved.x, 0, moved.z}) < 0.1f);
  }
  const PeerScene figures = Make("ragdolls", 1);
  const auto falling = std::move(*CreateWorld(figures));
  REQUIRE(Run(*falling, pool, 60));
  CHECK(MostApart(figures, *falling) < 0.02f);
}

}  // namespace
}  // namespace nowait
