// The rules by which two bodies share friction and restitution, against closed forms: a box on a
// slope that holds or slides, a ball that bounces, the parts of a surface, the hook, saved worlds.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "src/bodies/combine_rule.h"
#include "src/collision/triangle_mesh.h"
#include "src/resource/blob.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kGravity = 9.81f;
constexpr std::array kRules = {CombineRule::kUsual,    CombineRule::kGeometricMean,
                               CombineRule::kAverage,  CombineRule::kMinimum,
                               CombineRule::kMultiply, CombineRule::kMaximum};
static_assert(kRules.size() == kCombineRules);

// The result of each rule for two numbers, without the function under test.
struct Expected {
  CombineRule rule;
  float friction;     // of 0.2 and 0.8
  float restitution;  // of 0.5 and 0.8
};
constexpr std::array kExpected = {Expected{CombineRule::kUsual, 0.4f, 0.8f},
                                  Expected{CombineRule::kGeometricMean, 0.4f, 0.6324555f},
                                  Expected{CombineRule::kAverage, 0.5f, 0.65f},
                                  Expected{CombineRule::kMinimum, 0.2f, 0.5f},
                                  Expected{CombineRule::kMultiply, 0.16f, 0.4f},
                                  Expected{CombineRule::kMaximum, 0.8f, 0.8f}};

// Which of the two names the rule, and which of them comes first.
struct Order {
  bool swapped, of_first;
};
constexpr std::array kOrders = {Order{false, false}, Order{false, true}, Order{true, false},
                                Order{true, true}};

BodyDef Material(BodyDef def, float friction, float restitution) {
  def.friction = friction;
  def.restitution = restitution;
  def.angular_damping = 0.0f;
  return def;
}

// The two bodies in one of the orders; returns the moving one's id.
BodyId AddBoth(World& world, BodyDef still, BodyDef moving, CombineRule rule, Order order) {
  BodyDef& named = order.of_first != order.swapped ? still : moving;
  named.friction_rule = named.restitution_rule = rule;
  if (!order.swapped) Add(world, still);
  const BodyId id = Add(world, moving);
  if (order.swapped) Add(world, still);
  return id;
}

TEST_CASE("of two rules the later one holds, whichever body names it") {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    for (std::size_t j = 0; j < kRules.size(); ++j) {
      const CombineRule later = kRules[std::max(i, j)];
      for (const CombineRule usual : {CombineRule::kGeometricMean, CombineRule::kMaximum}) {
        const CombineRule expected = later == CombineRule::kUsual ? usual : later;
        CHECK(RuleOfBoth(kRules[i], kRules[j], usual) == expected);
      }
    }
  }
}

TEST_CASE("a box on a slope holds or slides as the rule says, in either order of the two") {
  // The tangent of the slope lies between the minimum and the mean.
  constexpr float kRise = 0.3f;
  const float cosine = 1.0f / std::sqrt(1.0f + kRise * kRise), sine = kRise * cosine;
  const auto expected = GENERATE(from_range(kExpected));
  const auto order = GENERATE(from_range(kOrders));
  CAPTURE(static_cast<int>(expected.rule), order.swapped, order.of_first);
  PoolHere pool(0);
  const auto world = MakeWorld();
  BodyDef slope;
  slope.type = BodyType::kStatic;
  slope.shape = Shape::Plane({-sine, cosine, 0}, 0.0f);
  BodyDef box = BoxAt({0.5f, 0.1f, 0.5f}, Vec3{-sine, cosine, 0} * 0.1f);
  const float half_angle = 0.5f * std::atan(kRise);
  box.rotation = {0, 0, std::sin(half_angle), std::cos(half_angle)};
  const BodyId id =
      AddBoth(*world, Material(slope, 0.8f, 0.0f), Material(box, 0.2f, 0.0f), expected.rule, order);
  REQUIRE(Run(*world, pool, 60));
  const float speed = Length(Get(*world, id).linear_velocity);
  const float rate = kGravity * (sine - expected.friction * cosine);
  if (rate <= 0.0f) {
    CHECK(speed < 1e-3f);
  } else {
    CHECK(speed == Approx(rate).epsilon(0.02));
  }
}

TEST_CASE("a ball bounces as the rule says, in either order of the two") {
  const auto expected = GENERATE(from_range(kExpected));
  const auto order = GENERATE(from_range(kOrders));
  CAPTURE(static_cast<int>(expected.rule), order.swapped, order.of_first);
  PoolHere pool(0);
  WorldDef def = SmallWorld();
  def.gravity = {};
  const auto world = MakeWorld(def);
  BodyDef ball = SphereAt(0.5f, {0, 1.0f, 0});
  ball.linear_velocity = {0, -5, 0};
  const BodyId id = AddBoth(*world, Material(Floor(), 0.0f, 0.5f), Material(ball, 0.0f, 0.8f),
                            expected.rule, order);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, id).linear_velocity.y == Approx(5.0f * expected.restitution).epsilon(0.01));
}

enum class Kind : std::uint8_t { kField, kMesh };

// Level ground of one material, 40 m along x.
class Ground {
 public:
  Ground(Kind kind, SurfaceMaterial material) {
    const std::array table = {SurfaceMaterial{}, material};
    constexpr std::array<Vec3, 4> kCorners = {Vec3{0, 0, 0}, Vec3{40, 0, 0}, Vec3{40, 0, 40},
                                              Vec3{0, 0, 40}};
    constexpr std::array<std::uint32_t, 6> kIndices = {0, 2, 1, 0, 3, 2};
    constexpr std::array<std::uint8_t, 2> kNumbers = {1, 1};
    constexpr std::array<float, 4> kLevel{};
    field_ = *HeightField::Create({.columns = 2,
                                   .rows = 2,
                                   .spacing = 40,
                                   .heights = kLevel,
                                   .materials = {table, std::span(kNumbers).first(1)}});
    mesh_ = *TriangleMesh::Create(
        {.vertices = kCorners, .indices = kIndices, .materials = {table, kNumbers}});
    body.type = BodyType::kStatic;
    body.shape = kind == Kind::kField ? Shape::Ground(field_.get()) : Shape::Mesh(mesh_.get());
    body.position = {-5, 0, -20};
  }

  BodyDef body;

 private:
  std::unique_ptr<const HeightField> field_;
  std::unique_ptr<const TriangleMesh> mesh_;
};

TEST_CASE("a part of a surface counts by the rule, as if its body had the part's numbers") {
  const auto kind = GENERATE(Kind::kField, Kind::kMesh);
  const auto expected = GENERATE(from_range(kExpected));
  const auto order = GENERATE(from_range(kOrders));
  CAPTURE(static_cast<int>(kind), static_cast<int>(expected.rule), order.swapped, order.of_first);
  PoolHere pool(0);
  {
    // The part has half of the surface's friction, which makes it 0.2.
    const Ground ground(kind, {.friction = 0.5f});
    const auto world = MakeWorld();
    BodyDef box = BoxAt({0.4f, 0.1f, 0.4f}, {0, 0.1f, 0});
    box.linear_velocity = {9, 0, 0};
    const BodyId id = AddBoth(*world, Material(ground.body, 0.4f, 0.0f), Material(box, 0.8f, 0.0f),
                              expected.rule, order);
    REQUIRE(Run(*world, pool, 60));
    CHECK(Get(*world, id).linear_velocity.x ==
          Approx(9.0f - expected.friction * kGravity).epsilon(0.02));
  }
  const Ground ground(kind, {.restitution = 0.5f});
  WorldDef def = SmallWorld();
  def.gravity = {};
  const auto world = MakeWorld(def);
  BodyDef ball = SphereAt(0.5f, {0, 1.0f, 0});
  ball.linear_velocity = {0, -5, 0};
  const BodyId id = AddBoth(*world, Material(ground.body, 0.0f, 0.1f), Material(ball, 0.0f, 0.8f),
                            expected.rule, order);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, id).linear_velocity.y == Approx(5.0f * expected.restitution).epsilon(0.01));
}

TEST_CASE("a hook sees what the two share, and what it puts instead counts on each part") {
  const auto expected = GENERATE(from_range(kExpected));
  const bool replaces = GENERATE(false, true);
  CAPTURE(static_cast<int>(expected.rule), replaces);
  PoolHere pool(0);
  const Ground ground(Kind::kMesh, {});
  WorldDef def = SmallWorld();
  float seen = -1.0f;
  def.contact_hook = [&](const ContactPair&, ContactMaterial& material) {
    seen = material.friction;
    if (replaces) material.friction = 0.3f;
    return true;
  };
  const auto world = MakeWorld(def);
  BodyDef box = BoxAt({0.4f, 0.1f, 0.4f}, {0, 0.1f, 0});
  box.linear_velocity = {9, 0, 0};
  const BodyId id = AddBoth(*world, Material(ground.body, 0.2f, 0.0f), Material(box, 0.8f, 0.0f),
                            expected.rule, kOrders[0]);
  REQUIRE(Run(*world, pool, 60));
  CHECK(seen == Approx(expected.friction));
  const float friction = replaces ? 0.3f : expected.friction;
  CHECK(Get(*world, id).linear_velocity.x == Approx(9.0f - friction * kGravity).epsilon(0.02));
}

TEST_CASE("a rule that is changed counts in the contacts that are there") {
  PoolHere pool(0);
  WaitTime wait;
  const auto world = MakeWorld();
  const BodyId floor = Add(*world, Material(Floor(), 0.0f, 0.0f));
  const BodyId box = Add(*world, Material(BoxAt({0.5f, 0.1f, 0.5f}, {0, 0.1f, 0}), 1.0f, 0.0f));
  REQUIRE(Run(*world, pool, 10));
  REQUIRE(world->SetVelocity(box, {4, 0, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 10));
  CHECK(Get(*world, box).linear_velocity.x == Approx(4.0f));  // the root of nothing
  BodyChange rough;
  rough.friction_rule = CombineRule::kMaximum;
  REQUIRE(world->SetProperties(floor, rough, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, box).linear_velocity.x == Approx(0.0f).margin(1e-3));
}

// A world of bodies with all rules and with frictions up to the largest.
std::vector<BodyDef> Mixed(const Ground& ground) {
  std::vector<BodyDef> defs = {ground.body};
  defs[0].friction = 100.0f;
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    BodyDef body;
    body.shape = FallingShape(Falling::kAllKinds, random);
    body.position = random.InBox({2, 1, -6}, {14, 6, 6});
    body.rotation = random.Rotation();
    body.friction = random.Below(4) == 0 ? 100.0f : random.Between(0.0f, 1.0f);
    body.restitution = random.Between(0.0f, 1.0f);
    body.friction_rule = kRules[random.Below(kCombineRules)];
    body.restitution_rule = kRules[random.Below(kCombineRules)];
    defs.push_back(body);
  }
  return defs;
}

TEST_CASE("bodies of all rules give one hash for any number of threads, saved and restored too") {
  const Ground ground(Kind::kMesh, {.friction = 2.0f, .restitution = 0.3f});
  std::uint64_t alone = 0;
  for (const std::uint32_t workers : {0u, 3u}) {
    PoolHere pool(workers);
    const auto world = MakeWorld();
    const std::vector<BodyDef> defs = Mixed(ground);
    for (const BodyDef& def : defs) Add(*world, def);
    REQUIRE(Run(*world, pool, 60));
    const std::array shared = {ground.body.shape};
    const auto saved = world->Save(shared);
    REQUIRE(saved);
    const auto restored = MakeWorld();
    // The largest product of two frictions is within the range of one, or it would be refused.
    REQUIRE(restored->Restore(*saved, shared));
    REQUIRE(Run(*world, pool, 60));
    REQUIRE(Run(*restored, pool, 60));
    CHECK(restored->StateHash() == world->StateHash());
    if (workers == 0) alone = world->StateHash();
    CHECK(world->StateHash() == alone);
  }
}

TEST_CASE("a rule that there is not is refused by name, in a definition and in a saved world") {
  WorldDef def;
  def.max_bodies = 4;
  def.max_contacts = 8;
  def.max_joints = 1;
  const auto world = MakeWorld(def);
  WaitTime wait;
  const auto refusal = [&](CombineRule friction, CombineRule restitution) {
    BodyDef body = SphereAt(0.5f, {});
    body.friction_rule = friction;
    body.restitution_rule = restitution;
    const Error error = world->CreateBody(body, wait).error();
    return std::string(error.subject) + " " + std::to_string(error.amount);
  };
  const auto none = static_cast<CombineRule>(kCombineRules);
  CHECK(refusal(none, CombineRule::kUsual) == "friction_rule 6");
  CHECK(refusal(CombineRule::kUsual, none) == "restitution_rule 6");
  BodyDef body = SphereAt(0.5f, {});
  body.friction = 0.123f;
  body.restitution = 0.456f;
  body.friction_rule = CombineRule::kMaximum;
  body.restitution_rule = CombineRule::kMinimum;
  REQUIRE(world->CreateBody(body, wait));
  const std::vector<std::byte> saved = *world->Save();
  // The rules follow the two numbers.
  std::array<float, 2> numbers = {0.123f, 0.456f};
  std::size_t at = sizeof(BlobHeader);
  while (std::memcmp(saved.data() + at, numbers.data(), sizeof numbers) != 0) at += 4;
  for (std::size_t which = 0; which < 2; ++which) {
    for (const std::uint32_t rule : {kCombineRules, 256u + 1, ~0u}) {
      auto wrong = saved;
      std::memcpy(wrong.data() + at + sizeof numbers + 4 * which, &rule, sizeof rule);
      const auto checksum = static_cast<std::uint32_t>(
          crc32_z(0, reinterpret_cast<const Bytef*>(wrong.data()) + 16, wrong.size() - 16));
      std::memcpy(wrong.data() + offsetof(BlobHeader, checksum), &checksum, sizeof checksum);
      const Result<void> restored = world->Restore(wrong);
      REQUIRE_FALSE(restored);
      CHECK(restored.error().code == ErrorCode::kCorrupt);
      CHECK(restored.error().detail ==
            std::string(which == 0 ? "friction_rule" : "restitution_rule"));
    }
  }
  CHECK(world->Restore(saved));
}

}  // namespace
}  // namespace nowait
