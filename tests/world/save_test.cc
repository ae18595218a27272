// A world that is saved and restored goes on as if nothing had been, and a blob that is no saved
// world changes nothing.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/triangle_mesh.h"
#include "src/resource/blob.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

// Hills, a mesh, hulls, every shape, compounds as sensors and belts, a chain of joints of every
// kind, a lift, sleepers: whatever a blob has to have.
struct Scene {
  Scene() {
    const std::vector<float> heights = Hills(kSamples);
    field = std::move(*HeightField::Create({kSamples, kSamples, 1.0f, heights}));
    constexpr std::array<Vec3, 6> kCorners = {Vec3{0.3f, 0, 0}, Vec3{-0.3f, 0, 0},
                                              Vec3{0, 0.4f, 0}, Vec3{0, -0.4f, 0},
                                              Vec3{0, 0, 0.3f}, Vec3{0, 0, -0.3f}};
    hull = std::move(*ConvexHull::Create({.points = kCorners}));
    constexpr std::array<Vec3, 4> kRoof = {Vec3{10, 9, 10}, Vec3{20, 9, 10}, Vec3{20, 7, 20},
                                           Vec3{10, 7, 20}};
    constexpr std::array<std::uint32_t, 6> kTriangles = {0, 2, 1, 0, 3, 2};
    mesh = std::move(*TriangleMesh::Create({.vertices = kRoof, .indices = kTriangles}));
    const std::array children = {CompoundChild{.shape = Shape::Sphere(0.3f), .position = {1, 0, 0}},
                                 CompoundChild{.shape = Shape::Capsule(0.7f, 0.1f)},
                                 CompoundChild{.shape = Shape::Hull(hull.get())}};
    hammer = *CompoundShape::Create({.children = children});
    shared = {Shape::Ground(field.get()), Shape::Hull(hull.get()), Shape::Mesh(mesh.get()),
              Shape::Compound(hammer.get())};
  }

  static WorldDef Def() {
    WorldDef def;
    def.max_bodies = 200;
    def.max_contacts = 4096;
    def.max_joints = 16;
    def.user_layers.push_back({.name = "debris"});
    return def;
  }

  void Fill(World& world) {
    WaitTime wait;
    BodyDef ground;
    ground.type = BodyType::kStatic;
    ground.shape = shared[0];
    Add(world, ground);
    ground.shape = shared[2];
    Add(world, ground);
    BodyDef lift = BoxAt({2, 0.2f, 2}, {25, 4, 25});
    lift.type = BodyType::kKinematic;
    lift.linear_velocity = {0, 0.3f, 0};
    lift.angular_velocity = {0, 0.5f, 0};
    driven = Add(world, lift);
    Random random(3);
    for (int i = 0; i < 90; ++i) {
      BodyDef body;
      switch (i % 5) {
        case 0:
          body.shape = shared[1];
          break;
        case 2:
          body.shape = shared[3];
          body.sensor = i % 2 == 0;
          body.surface_velocity = {1, 0.2f, 0};
          if (i % 3 == 0) body.type = BodyType::kKinematic;
          break;
        case 1:
          body.no_turn = {.x = i % 2 == 0, .y = i % 3 == 0, .z = false};
          body.shape = Shape::Cylinder(0.3f, 0.25f);
          body.layer = UserLayer(0);
          break;
        default:
          body.shape = FallingShape(Falling::kAllKinds, random);
      }
      body.position = random.InBox({10, 6, 10}, {28, 14, 28});
      body.rotation = random.Rotation();
      body.rolling_resistance = 0.1f;
      body.restitution = 0.2f;
      body.user = static_cast<std::uint64_t>(i) << 40;
      bodies.push_back(Add(world, body));
    }
    const std::array<JointKind, 8> kinds = {
        PointJoint{},
        FixedJoint{},
        HingeJoint{.limits = JointLimits{-0.5f, 0.5f}, .motor = JointMotor{2.0f, 30.0f}},
        SliderJoint{.limits = JointLimits{-0.3f, 0.3f}, .spring = JointSpring{.hertz = 3.0f}},
        DistanceJoint{.spring = JointSpring{.hertz = 2.0f, .rest = 0.5f}},
        SwingTwistJoint{.cone = 0.5f, .twist = JointLimits{-0.5f, 0.5f}, .drive = JointDrive{}},
        SixDofJoint{.linear = {JointAxis{.motion = AxisMotion::kLimited,
                                         .limits = {-0.3f, 0.2f},
                                         .spring = LimitSpring{.hertz = 4.0f}}},
                    .angular = {JointAxis{.motion = AxisMotion::kFree,
                                          .motor = AxisMotor{.speed = 1.0f, .most = 9.0f}},
                                JointAxis{.motion = AxisMotion::kFree,
                                          .motor = AxisMotor{.most = 9.0f, .to = JointSpring{}}}}},
        PulleyJoint{{14, 12, 14}, {20, 12, 20}, 1.5f, {2.0f, 20.0f}}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      JointDef joint;
      joint.a = bodies[2 * i];
      joint.b = bodies[2 * i + 1];
      joint.frame_a.position = {0.4f, 0, 0};
      joint.frame_b.position = {-0.4f, 0, 0};
      joint.kind = kinds[i];
      joint.break_force = i == 1 ? 2000.0f : joint.break_force;
      joint.user = i;
      joints.push_back(*world.CreateJoint(joint, wait));
    }
    JointDef gear;  // of the hinge and the slider
    gear.a = bodies[5];
    gear.b = bodies[7];
    gear.kind = GearJoint{joints[2], joints[3], -2.0f};
    joints.push_back(*world.CreateJoint(gear, wait));
  }

  // A game: it changes bodies, some of which are gone, and makes others.
  void Play(World& world, TaskPool& pool, int from, int steps, std::vector<std::uint64_t>& hashes) {
    WaitTime wait;
    for (int step = from; step < from + steps; ++step) {
      Random random(static_cast<std::uint64_t>(step) + 1000);
      const auto any = [&] { return BodyId(bodies[0].world(), random.Below(95), random.Below(3)); };
      if (step % 5 == 0) static_cast<void>(world.DestroyBody(any(), wait));
      if (step % 5 < 3) {
        BodyDef body = SphereAt(0.3f, random.InBox({12, 8, 12}, {24, 10, 24}));
        const auto made = world.CreateBody(body, wait);
        hashes.push_back(made ? made->slot() : 0);
        hashes.push_back(made ? made->generation() : 0);
      }
      static_cast<void>(world.ApplyForce(any(), {50, 20, 0}, {}, {}, wait));
      static_cast<void>(world.SetTarget(any(), random.InBox({12, 5, 12}, {24, 9, 24}), {}, wait));
      static_cast<void>(world.WakeBody(any(), wait));
      static_cast<void>(world.MoveBody(any(), random.InBox({12, 8, 12}, {24, 10, 24}), {}, wait));
      if (step % 17 == 0) static_cast<void>(world.DestroyJoint(JointId(any().world(), 1, 0), wait));
      REQUIRE(world.Update(1.0f / 60.0f, pool));
      hashes.push_back(world.StateHash());
      for (const ContactEvent& event : world.contact_events()) {
        hashes.push_back(static_cast<std::uint64_t>(event.kind) << 60 | event.a.slot() << 20 |
                         event.b.slot());
      }
      for (const ContactHit& hit : world.contact_hits()) {
        hashes.push_back(std::bit_cast<std::uint32_t>(hit.speed));
      }
      for (const SleepEvent& event : world.sleep_events()) hashes.push_back(event.body.slot());
      for (const JointEvent& event : world.joint_events()) hashes.push_back(event.joint.slot());
    }
  }

  static constexpr std::uint32_t kSamples = 40;
  std::unique_ptr<const HeightField> field;
  std::unique_ptr<const ConvexHull> hull;
  std::unique_ptr<const TriangleMesh> mesh;
  std::unique_ptr<const CompoundShape> hammer;
  std::vector<Shape> shared;
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;
  BodyId driven;
};

TEST_CASE("a restored world goes on as the saved one, step by step, with the same ids and events") {
  const int before = GENERATE(0, 1, 40, 200);
  Scene scene;
  auto world = MakeWorld(Scene::Def());
  PoolHere pool(1);
  scene.Fill(*world);
  std::vector<std::uint64_t> past, first, second;
  scene.Play(*world, pool, 0, before, past);
  // Changes that the next step has to take notice of are part of the state.
  WaitTime wait;
  const BodyId middle = scene.bodies[44];
  static_cast<void>(world->DestroyBody(middle, wait));
  static_cast<void>(world->SetTarget(scene.driven, {25, 4.5f, 25}, {}, wait));
  const Result<Bytes> saved = world->Save(scene.shared);
  REQUIRE(saved.has_value());
  const std::uint64_t hash = world->StateHash();
  scene.Play(*world, pool, before, 60, first);

  SECTION("in the same world") {
    REQUIRE(world->Restore(*saved, scene.shared));
    CHECK(world->contact_events().empty());
    CHECK(world->contact_hits().empty());
    CHECK(world->StateHash() == hash);
    CHECK(*world->Save(scene.shared) == *saved);
    scene.Play(*world, pool, before, 60, second);
    CHECK(first == second);
  }
  SECTION("in another one, with other workers, whose shapes lie elsewhere") {
    Scene other_scene;
    auto other = MakeWorld(Scene::Def());
    PoolHere workers(3);
    Add(*other, Floor());
    REQUIRE(Run(*other, workers, 3));
    REQUIRE(other->Restore(*saved, other_scene.shared));
    CHECK(other->StateHash() == hash);
    CHECK(other->joint_count() <= scene.joints.size());
    std::vector<BodySnapshot> there;
    other->Snapshot(there);
    other_scene.bodies = {there.front().id};
    other_scene.Play(*other, workers, before, 60, second);
    CHECK(first == second);
  }
}

TEST_CASE("queries see the restored bodies, and ids that were given since name none") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId old = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const Bytes saved = *world->Save();
  const BodyId later = Add(*world, SphereAt(0.5f, {9, 5, 0}));
  REQUIRE(world->MoveBody(old, {50, 5, 0}, {}, wait));
  REQUIRE(world->Restore(saved));
  CHECK(Get(*world, old).position == Vec3{0, 5, 0});
  CHECK(world->GetBody(later, wait).error().code == ErrorCode::kStaleId);
  CHECK(world->body_count() == 1);
  const auto hit = world->CastRay({{0, 10, 0}, {0, -10, 0}}, {}, wait);
  REQUIRE(hit.has_value());
  CHECK(hit->body == old);
  CHECK_FALSE(world->CastRay({{50, 10, 0}, {0, -10, 0}}, {}, wait).has_value());
  CHECK(Add(*world, SphereAt(0.5f, {9, 5, 0})) == later);
}

TEST_CASE("a save or a restore that cannot be is refused by name, and changes nothing") {
  Scene scene;
  auto world = MakeWorld(Scene::Def());
  PoolHere pool(0);
  scene.Fill(*world);
  REQUIRE(Run(*world, pool, 20));
  const Bytes saved = *world->Save(scene.shared);
  const std::uint64_t hash = world->StateHash();
  CHECK(world->Save({}).error().subject == std::string("shape"));
  const std::vector<Shape> few = {scene.shared[0]};
  CHECK(world->Save(few).error().code == ErrorCode::kNotFound);
  CHECK(world->Restore(saved, few).error().subject == std::string("shared"));
  const std::vector<Shape> turned = {scene.shared[2], scene.shared[1], scene.shared[0]};
  CHECK(world->Restore(saved, turned).error().subject == std::string("shared"));
  const BodyDef one = SphereAt(0.5f, {0, 50, 0});
  WorldBatch batch = std::move(*world->PrepareBatch(std::span(&one, 1)));
  CHECK(world->Save(scene.shared).error().subject == std::string("batch"));
  CHECK(world->Restore(saved, scene.shared).error().subject == std::string("batch"));
  REQUIRE(world->AbortBatch(batch));
  CHECK(world->StateHash() == hash);

  const auto refusal = [&](const std::function<void(WorldDef&)>& change) {
    WorldDef def = Scene::Def();
    change(def);
    return std::string(MakeWorld(def)->Restore(saved, scene.shared).error().subject);
  };
  CHECK(refusal([](WorldDef& def) { def.max_bodies = 201; }) == "max_bodies");
  CHECK(refusal([](WorldDef& def) { def.max_contacts = 5000; }) == "max_contacts");
  CHECK(refusal([](WorldDef& def) { def.max_joints = 17; }) == "max_joints");
  CHECK(refusal([](WorldDef& def) { def.user_layers.clear(); }) == "user_layers");
  CHECK(refusal([](WorldDef& def) { def.user_layers[0].touches = {}; }) == "user_layers");
  CHECK(refusal([](WorldDef& def) { def.gravity.y = -9; }) == "gravity");
  CHECK(refusal([](WorldDef& def) { def.rest.time = 1; }) == "rest");
  CHECK(refusal([](WorldDef& def) { def.solver.substeps = 2; }) == "solver");
  WorldDef locks = Scene::Def();
  locks.body_locks = 7;  // no result depends on them
  CHECK(MakeWorld(locks)->Restore(saved, scene.shared));
}

TEST_CASE("a blob that is cut off, damaged or of another kind is refused, and changes nothing") {
  Scene scene;
  auto world = MakeWorld(Scene::Def());
  PoolHere pool(0);
  scene.Fill(*world);
  REQUIRE(Run(*world, pool, 30));
  const Bytes saved = *world->Save(scene.shared);
  const std::uint64_t hash = world->StateHash();
  for (std::size_t size = 0; size < saved.size(); size += 1 + saved.size() / 97) {
    const Bytes cut(saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(world->Restore(cut, scene.shared).error().code == ErrorCode::kCorrupt);
  }
  for (std::size_t at = 0; at < saved.size(); at += 1 + saved.size() / 199) {
    Bytes damaged = saved;
    damaged[at] ^= std::byte{0x10};
    CHECK(world->Restore(damaged, scene.shared).error().code == ErrorCode::kCorrupt);
  }
  CHECK(world->StateHash() == hash);
  BlobWriter writer(FourCharacters("EVTS"), 1, 1000);
  CHECK(world->Restore(*writer.Finish(), scene.shared).error().code == ErrorCode::kCorrupt);
  CHECK(world->StateHash() == hash);
}

// The saved world with one word changed, and the checksum that goes with it.
template <class Change>
Bytes WithWord(Bytes saved, std::size_t at, const Change& change) {
  std::uint32_t word = 0;
  std::memcpy(&word, saved.data() + at, sizeof word);
  word = change(word);
  std::memcpy(saved.data() + at, &word, sizeof word);
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(saved.data()) + 16, saved.size() - 16));
  std::memcpy(saved.data() + offsetof(BlobHeader, checksum), &checksum, sizeof checksum);
  return saved;
}

TEST_CASE(
    "a contact that its bodies say to be of another kind is refused: a sensor's, or none of one") {
  const bool sensor = GENERATE(false, true);
  WorldDef small;
  small.max_bodies = 4;
  small.max_contacts = 8;
  small.max_joints = 1;
  auto world = MakeWorld(small);
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.49f, 0});
  def.sensor = sensor;
  Add(*world, def);
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 1);
  const Bytes saved = *world->Save();
  // Each word that may be a flag is turned over; one of them is the contact's.
  int refused = 0;
  for (std::size_t at = sizeof(BlobHeader); at + 4 <= saved.size(); at += 4) {
    const auto turn = [](std::uint32_t word) { return word > 1 ? word : 1 - word; };
    const Result<void> restored = world->Restore(WithWord(saved, at, turn));
    if (restored || restored.error().subject != std::string("saved contact")) continue;
    if (restored.error().detail == std::string("sensor")) ++refused;
  }
  // The contact's flag, and those of its bodies, but for one that changes nothing.
  CHECK(refused == (sensor ? 2 : 3));
}

TEST_CASE("a word that a saved world cannot have is named as damage, not as a wrong argument") {
  WorldDef small;
  small.max_bodies = 4;
  small.max_contacts = 8;
  small.max_joints = 1;
  auto world = MakeWorld(small);
  PoolHere pool(0);
  Add(*world, Floor());
  Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.49f, 0}));
  REQUIRE(Run(*world, pool, 1));
  const Bytes saved = *world->Save();
  // kLargeFloat's neighbours, what is not finite, and bits.
  const float value =
      GENERATE(1e12f, 0.99e12f, -1e12f, 1e15f, -1e15f, 1e30f, -1e30f, 1e38f,
               std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t at = sizeof(BlobHeader); at + 4 <= saved.size(); at += 4) {
    auto again = MakeWorld(small);
    const Result<void> restored = again->Restore(
        WithWord(saved, at, [&](std::uint32_t) { return std::bit_cast<std::uint32_t>(value); }));
    if (restored) {
      // A world that was accepted can be saved, and be restored from that.
      INFO("word " << at / 4);
      const auto once_more = again->Save();
      REQUIRE(once_more);
      CHECK(MakeWorld(small)->Restore(*once_more));
      continue;
    }
    if (restored.error().code == ErrorCode::kCorrupt) continue;
    INFO("word " << at / 4 << ": " << restored.error().subject);
    // The caller's list of shapes, or the definition of this world.
    if (restored.error().subject == std::string("shared")) continue;
    CHECK(restored.error().detail == std::string("the saved world had another one"));
  }
}

TEST_CASE("a contact of a body that is not there is refused, unless a change says that it went") {
  WorldDef small;
  small.max_bodies = 4;
  small.max_contacts = 8;
  small.max_joints = 1;
  auto world = MakeWorld(small);
  PoolHere pool(0);
  Add(*world, Floor());
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.49f, 0}));
  REQUIRE(Run(*world, pool, 1));
  const Bytes saved = *world->Save();
  // Each word is one more than it was; four of them are the contact's slots and generations.
  int refused = 0;
  for (std::size_t at = sizeof(BlobHeader); at + 4 <= saved.size(); at += 4) {
    const Result<void> restored =
        world->Restore(WithWord(saved, at, [](auto word) { return word + 1; }));
    if (restored || restored.error().subject != std::string("saved contact")) continue;
    if (restored.error().detail == std::string("bodies")) ++refused;
  }
  CHECK(refused == 4);
  REQUIRE(world->Restore(saved));
  WaitTime wait;
  REQUIRE(world->DestroyBody(box, wait));
  CHECK(world->Restore(*world->Save()));
}

TEST_CASE("the lightest and the heaviest compounds, and what pushes them, are saved and restored") {
  const bool heavy = GENERATE(false, true);
  std::vector<CompoundChild> children = {{.shape = Shape::Sphere(1e-3f), .density = 1e-3f}};
  if (heavy) {
    const CompoundChild child = {.shape = Shape::Box({1e4f, 1e4f, 1e4f}), .density = 1e3f};
    children.assign(CompoundShape::kMaxChildren, child);
    for (std::size_t i = 0; i < children.size(); ++i) {
      children[i].position.x = i % 2 == 0 ? 1e4f : -1e4f;
    }
  }
  const auto compound = *CompoundShape::Create({.children = children});
  auto world = MakeWorld();
  WaitTime wait;
  BodyDef def;
  def.shape = Shape::Compound(compound.get());
  def.density = heavy ? 1e6f : 0.01f;
  const BodyId body = Add(*world, def);
  REQUIRE(world->ApplyForce(body, {heavy ? 1e32f : 1e-7f, 0, 0}, {}, {}, wait));
  const std::array shared = {def.shape};
  const Bytes saved = *world->Save(shared);
  REQUIRE(world->Restore(saved, shared));
  CHECK(*world->Save(shared) == saved);
}

}  // namespace
}  // namespace nowait
