// Each field of a definition and each argument of a call reaches the body and the step: forces,
// damping, mass, rest, and the state in which a body is made.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;

WorldDef Weightless() {
  WorldDef def = SmallWorld();
  def.gravity = {};
  return def;
}

// Of a body that is made of `def` and steps for half a second.
BodySnapshot AfterHalfASecond(const BodyDef& def, const WorldDef& world_def) {
  auto world = MakeWorld(world_def);
  PoolHere pool(0);
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 30));
  return Get(*world, id);
}

TEST_CASE("gravity pulls along each axis as the world says, times the body's own scale") {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float scale : {1.0f, -0.5f, 0.0f}) {
      CAPTURE(axis, scale);
      WorldDef def = Weightless();
      def.gravity.Set(axis, 8);
      BodyDef ball = SphereAt(0.5f, {1, 2, 3});
      ball.gravity_scale = scale;
      ball.may_sleep = false;
      const BodySnapshot after = AfterHalfASecond(ball, def);
      for (int i = 0; i < 3; ++i) {
        CHECK(after.linear_velocity[i] == Approx(i == axis ? 4 * scale : 0).margin(1e-4));
      }
    }
  }
}

TEST_CASE("a body's dampings slow its velocity and its spin, each by its own number") {
  const float step = kStep / static_cast<float>(SolverDef().substeps);
  for (const float linear : {0.0f, 2.0f}) {
    for (const float angular : {0.0f, 3.0f}) {
      CAPTURE(linear, angular);
      BodyDef ball = SphereAt(0.5f, {});
      ball.linear_velocity = {4, 0, -3};
      ball.angular_velocity = {0, 5, 0};
      ball.linear_damping = linear;
      ball.angular_damping = angular;
      const BodySnapshot after = AfterHalfASecond(ball, Weightless());
      CHECK(Length(after.linear_velocity) ==
            Approx(5 / std::pow(1 + step * linear, 120)).epsilon(1e-3));
      CHECK(after.angular_velocity.y ==
            Approx(5 / std::pow(1 + step * angular, 120)).epsilon(1e-3));
    }
  }
}

TEST_CASE("a body that is said to be dense pushes a light one as their masses say") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  BodyDef heavy = SphereAt(0.5f, {0, 0, 0}), light = SphereAt(0.5f, {0, 0, 1.05f});
  heavy.density = 3000;
  light.density = 1000;
  heavy.restitution = 1;
  heavy.linear_velocity = {0, 0, 6};
  const BodyId a = Add(*world, heavy), b = Add(*world, light);
  REQUIRE(Run(*world, pool, 3));
  CHECK(Get(*world, a).linear_velocity.z == Approx(3.0f).epsilon(0.02));
  CHECK(Get(*world, b).linear_velocity.z == Approx(9.0f).epsilon(0.02));
}

TEST_CASE("a body that is made asleep or static has no velocity, whatever its definition says") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  BodyDef def = SphereAt(0.5f, {});
  def.linear_velocity = {1, 2, 3};
  def.angular_velocity = {4, 5, 6};
  const BodyId moving = Add(*world, def);
  def.position = {9, 0, 0};
  def.asleep = true;
  const BodyId sleeper = Add(*world, def);
  def.position = {18, 0, 0};
  def.type = BodyType::kStatic;
  const BodyId fixed = Add(*world, def);
  CHECK(Get(*world, moving).linear_velocity == Vec3{1, 2, 3});
  CHECK(Get(*world, moving).angular_velocity == Vec3{4, 5, 6});
  CHECK(Get(*world, sleeper).asleep);
  CHECK_FALSE(Get(*world, fixed).asleep);
  for (const BodyId id : {sleeper, fixed}) {
    CHECK(Get(*world, id).linear_velocity == Vec3{});
    CHECK(Get(*world, id).angular_velocity == Vec3{});
  }
  REQUIRE(Run(*world, pool, 10));
  CHECK(Get(*world, sleeper).position == Vec3{9, 0, 0});
  CHECK(Get(*world, fixed).position == Vec3{18, 0, 0});
}

TEST_CASE("a velocity that is set is the one that the body has and goes on with, spin and all") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {});
  def.angular_damping = 0;
  const BodyId id = Add(*world, def);
  REQUIRE(world->SetVelocity(id, {3, -6, 9}, {0, 0, 2}, wait));
  CHECK(Get(*world, id).linear_velocity == Vec3{3, -6, 9});
  CHECK(Get(*world, id).angular_velocity == Vec3{0, 0, 2});
  REQUIRE(Run(*world, pool, 20));
  CHECK(Length(Get(*world, id).position - Vec3{1, -2, 3}) < 1e-3f);
  CHECK(Get(*world, id).rotation.z == Approx(std::sin(1.0f / 3)).epsilon(1e-3));
}

TEST_CASE("a body that is moved keeps its velocity, and has its rotation at length one") {
  auto world = MakeWorld(Weightless());
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {});
  def.linear_velocity = {1, 2, 3};
  def.angular_velocity = {4, 5, 6};
  const BodyId id = Add(*world, def);
  REQUIRE(world->MoveBody(id, {7, 8, 9}, {0, 0.6f, 0, 0.8004f}, wait));
  const BodySnapshot after = Get(*world, id);
  CHECK(after.position == Vec3{7, 8, 9});
  CHECK(std::abs(LengthSquared(after.rotation) - 1) < 1e-6f);
  CHECK(after.rotation.y == Approx(0.6f).epsilon(1e-3));
  CHECK(after.linear_velocity == def.linear_velocity);
  CHECK(after.angular_velocity == def.angular_velocity);
}

TEST_CASE("a static body has no velocity that could be set, and may be moved and turned") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  CHECK(world->SetVelocity(floor, {1, 0, 0}, {}, wait).error() ==
        Error{ErrorCode::kInvalidArgument, "body", static_cast<std::int64_t>(floor.bits()),
              "a static body has no velocity"});
  CHECK(world->WakeBody(floor, wait));
  CHECK_FALSE(Get(*world, floor).asleep);
  CHECK(world->MoveBody(floor, {0, -7, 0}, Normalise({0, 0, 0.1f, 1}), wait));
  std::vector<float> level(4, 0.0f);
  const auto field = std::move(*HeightField::Create({2, 2, 1, level}));
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  const BodyId id = Add(*world, ground);
  CHECK(world->MoveBody(id, {1, 2, 3}, {}, wait));
  CHECK(world->MoveBody(id, {}, Normalise({0, 0.1f, 0, 1}), wait).error() ==
        Error{ErrorCode::kInvalidArgument, "rotation", 0, "a height field cannot be turned"});
  CHECK(Get(*world, id).position == Vec3{1, 2, 3});
  ground.rotation = Normalise({0, 0.1f, 0, 1});
  CHECK(world->CreateBody(ground, wait).error().detail ==
        std::string("a height field cannot be turned"));
}

// Steps until the body sleeps, from its being awake and still on.
int StepsToSleep(World& world, TaskPool& pool, BodyId id) {
  for (int steps = 0; steps < 300; ++steps) {
    if (Get(world, id).asleep) return steps;
    REQUIRE(Run(world, pool, 1));
  }
  return 300;
}

TEST_CASE("a still body sleeps after the time of rest and no earlier, and so it does when woken") {
  const float time = GENERATE(0.1f, 0.5f, 1.0f);
  CAPTURE(time);
  WorldDef def = Weightless();
  def.rest.time = time;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId id = Add(*world, SphereAt(0.5f, {5, 5, 5}));
  const int least = static_cast<int>(time * 60 - 0.5f);
  const auto sleeps_in_time = [&] {
    const int steps = StepsToSleep(*world, pool, id);
    CHECK(steps >= least);
    CHECK(steps <= least + 3);
  };
  sleeps_in_time();
  REQUIRE(world->WakeBody(id, wait));
  sleeps_in_time();
  REQUIRE(world->SetVelocity(id, {}, {}, wait));
  sleeps_in_time();
  REQUIRE(world->MoveBody(id, {5, 5, 5}, {}, wait));
  sleeps_in_time();
  // Just before it would have slept, each of them gives it all the time again.
  for (int what = 0; what < 3; ++what) {
    REQUIRE(world->WakeBody(id, wait));
    REQUIRE(Run(*world, pool, least - 1));
    REQUIRE_FALSE(Get(*world, id).asleep);
    if (what == 0) REQUIRE(world->WakeBody(id, wait));
    if (what == 1) REQUIRE(world->SetVelocity(id, {}, {}, wait));
    if (what == 2) REQUIRE(world->MoveBody(id, {5, 5, 5}, {}, wait));
    CAPTURE(what);
    sleeps_in_time();
  }
}

TEST_CASE("a sleeper that another body wakes has all its time of rest again") {
  WorldDef def = Weightless();
  auto world = MakeWorld(def);
  PoolHere pool(0);
  const BodyId first = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {5, 5, 5}));
  REQUIRE(StepsToSleep(*world, pool, first) < 40);
  Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {6, 5, 5}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE_FALSE(Get(*world, first).asleep);
  CHECK(StepsToSleep(*world, pool, first) >= 28);
}

TEST_CASE("a body faster than the speeds of rest stays awake, and a slower one sleeps") {
  for (const bool turns : {false, true}) {
    for (const float share : {0.8f, 1.3f}) {
      CAPTURE(turns, share);
      WorldDef def = Weightless();
      def.rest.linear_speed = 0.2f;
      def.rest.angular_speed = 0.4f;
      BodyDef ball = SphereAt(0.5f, {});
      ball.angular_damping = 0;
      if (turns) {
        ball.angular_velocity = {0, 0, share * 0.4f};
      } else {
        ball.linear_velocity = {0, share * 0.2f, 0};
      }
      auto world = MakeWorld(def);
      PoolHere pool(0);
      const BodyId id = Add(*world, ball);
      REQUIRE(Run(*world, pool, 90));
      CHECK(Get(*world, id).asleep == (share < 1));
      if (share < 1) {
        CHECK(Get(*world, id).linear_velocity == Vec3{});
        CHECK(Get(*world, id).angular_velocity == Vec3{});
      }
    }
  }
}

TEST_CASE("a small island sleeps as a whole: one body that may not sleep keeps those it touches") {
  auto world = MakeWorld();
  PoolHere pool(GENERATE(0u, 2u));
  Add(*world, Floor());
  const auto box = [&](float x, float y, bool may_sleep) {
    BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {x, y, 0});
    def.may_sleep = may_sleep;
    return Add(*world, def);
  };
  const BodyId lower = box(0, 0.5f, true), upper = box(0, 1.5f, false), apart = box(9, 0.5f, true);
  REQUIRE(Run(*world, pool, 120));
  CHECK_FALSE(Get(*world, upper).asleep);
  CHECK_FALSE(Get(*world, lower).asleep);
  CHECK(Get(*world, apart).asleep);
}

TEST_CASE("two static bodies touch in no layer, also in one that touches itself") {
  WorldDef def;
  def.user_layers = {{.name = "own"}, {.name = "other"}};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef fixed = SphereAt(1, {});
  fixed.type = BodyType::kStatic;
  Add(*world, fixed);
  for (const std::size_t layer : {0u, 0u, 1u}) {
    fixed.layer = UserLayer(layer);
    Add(*world, fixed);
  }
  BodyDef sleeper = SphereAt(1, {9, 9, 9});
  sleeper.asleep = true;
  Add(*world, sleeper);
  REQUIRE(Run(*world, pool, 2));
  CHECK(world->stats().contacts == 0);
  CHECK(world->stats().pairs == 0);
}

TEST_CASE("an update on a thread that is not the pool's is refused, and nothing happens") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, SphereAt(1, {}));
  REQUIRE(Run(*world, pool, 2));
  const std::uint64_t before = world->StateHash();
  std::thread([&] {
    const auto done = world->Update(kStep, pool);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ErrorCode::kNotOwner);
  }).join();
  CHECK(world->StateHash() == before);
}

TEST_CASE("a time that is refused is named on whatever thread the update is called") {
  auto world = MakeWorld();
  PoolHere pool(0);
  std::thread([&] { CHECK(world->Update(-1, pool).error().subject == std::string("dt")); }).join();
}

TEST_CASE("a batch of no bodies is a batch: it is finalised once, or given back") {
  auto world = MakeWorld();
  WaitTime wait;
  WorldBatch batch = std::move(*world->PrepareBatch({}));
  CHECK_FALSE(batch.empty());
  CHECK(batch.bodies().empty());
  const auto ids = world->FinaliseBatch(batch, wait);
  REQUIRE(ids);
  CHECK(ids->empty());
  CHECK(batch.empty());
  CHECK(world->FinaliseBatch(batch, wait).error() ==
        Error{ErrorCode::kInvalidArgument, "batch", 0, "it is empty"});
  WorldBatch moved;
  moved = std::move(*world->PrepareBatch({}));
  CHECK_FALSE(moved.empty());
  WorldBatch next(std::move(moved));
  CHECK(moved.empty());
  CHECK(moved.bodies().empty());
  REQUIRE(world->AbortBatch(next));
  CHECK(next.empty());
  CHECK(world->AbortBatch(next));
}

TEST_CASE("all batches that were finalised before an update are in it, in whatever order") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  std::vector<WorldBatch> batches(4);
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<BodyDef> defs;
    for (std::size_t n = 0; n <= i; ++n) {
      defs.push_back(SphereAt(0.5f, {3 * static_cast<float>(i), 3 * static_cast<float>(n), 0}));
      defs.back().user = 10 * i + n;
    }
    batches[i] = std::move(*world->PrepareBatch(defs));
  }
  for (const std::size_t i : {2u, 0u, 3u, 1u}) {
    const auto made = world->FinaliseBatch(batches[i], wait);
    REQUIRE(made);
    REQUIRE(made->size() == i + 1);
    for (std::size_t n = 0; n <= i; ++n) CHECK(Get(*world, (*made)[n]).user == 10 * i + n);
    ids.insert(ids.end(), made->begin(), made->end());
  }
  CHECK(world->body_count() == 10);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().bodies == 10);
  CHECK(world->stats().awake == 10);
  for (const BodyId id : ids) CHECK(Get(*world, id).linear_velocity.y < 0);
}

TEST_CASE("removing several bodies skips those that are gone, named twice or another world's") {
  auto world = MakeWorld(), other = MakeWorld();
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(1, {})), b = Add(*world, SphereAt(1, {5, 0, 0})),
               c = Add(*world, SphereAt(1, {9, 0, 0}));
  const BodyId theirs = Add(*other, SphereAt(1, {}));
  REQUIRE(world->DestroyBody(a, wait));
  CHECK(world->RemoveBodies(std::array{a, b, theirs, b, BodyId()}, wait) == 1);
  CHECK(world->body_count() == 1);
  CHECK(world->GetBody(c, wait));
  CHECK(other->GetBody(theirs, wait));
  CHECK(world->RemoveBodies({}, wait) == 0);
}

TEST_CASE("a gap that a body closes is a contact from its margin on, and not farther off") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  for (const float gap : {kStep, 0.019f, 0.021f}) {
    WaitTime wait;
    const BodyId a = Add(*world, SphereAt(0.5f, {})),
                 b = Add(*world, SphereAt(0.5f, {0, 0, 1 + gap}));
    REQUIRE(Run(*world, pool, 1));
    CAPTURE(gap);
    CHECK(world->stats().contacts == (gap < 0.02f ? 1 : 0));
    CHECK(world->RemoveBodies(std::array{a, b}, wait) == 2);
    REQUIRE(Run(*world, pool, 1));
  }
}

TEST_CASE("bodies of a layer that does not touch itself have no contacts with each other") {
  for (const bool touches : {false, true}) {
    WorldDef def = Weightless();
    def.user_layers = {{.name = "own", .touches = {Layer::kDynamic}}};
    if (touches) def.user_layers[0].touches.Add(UserLayer(0));
    auto world = MakeWorld(def);
    PoolHere pool(0);
    BodyDef ball = SphereAt(1, {});
    ball.layer = UserLayer(0);
    Add(*world, ball);
    Add(*world, ball);
    REQUIRE(Run(*world, pool, 1));
    CAPTURE(touches);
    CHECK(world->stats().contacts == (touches ? 1 : 0));
  }
}

TEST_CASE("the row that is wrong is named by its own number, the last one too") {
  for (const std::size_t wrong : {0u, 5u, 13u}) {
    WorldDef def;
    for (std::size_t i = 0; i < kMaxUserLayers; ++i) {
      def.user_layers.push_back({.name = i == wrong ? "" : "layer " + std::to_string(i)});
    }
    CHECK(World::Create(def).error() == Error{ErrorCode::kInvalidArgument,
                                              ("user layer " + std::to_string(wrong)).c_str(),
                                              static_cast<std::int64_t>(wrong), "it has no name"});
  }
}

TEST_CASE("the errors of a world name the value and its range") {
  const auto error = [](auto change) {
    WorldDef def;
    change(def);
    return World::Create(def).error();
  };
  const auto is = [](const char* subject, std::int64_t amount, const char* detail) {
    return Error{ErrorCode::kInvalidArgument, subject, amount, detail};
  };
  CHECK(error([](WorldDef& d) { d.max_bodies = 0; }) == is("max_bodies", 0, "1 .. 2097151"));
  CHECK(error([](WorldDef& d) { d.max_bodies = 1u << 21; }) ==
        is("max_bodies", 1 << 21, "1 .. 2097151"));
  CHECK(error([](WorldDef& d) { d.max_contacts = 0; }) == is("max_contacts", 0, "1 .. 2^26"));
  CHECK(error([](WorldDef& d) { d.body_locks = 2000; }) == is("body_locks", 2000, "1 .. 1024"));
  CHECK(error([](WorldDef& d) { d.gravity.z = 2e4f; }) ==
        is("gravity", 0, "not within 10000 m/s^2"));
  CHECK(error([](WorldDef& d) { d.solver.substeps = 65; }) == is("substeps", 65, "1 .. 64"));
  CHECK(error([](WorldDef& d) { d.now = nullptr; }) == is("clock", 0, "it is null"));
  CHECK(error([](WorldDef& d) { d.solver.slop = 2; }) == is("slop", 0, "0 .. 1"));
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  CHECK(world->Update(0, pool).error() == is("dt", 0, "above 0, at most 10 seconds"));
  CHECK(world->Update(1, pool, 70).error() == is("steps", 70, "1 .. 64"));
  const BodyId id = Add(*world, SphereAt(1, {}));
  CHECK(world->MoveBody(id, {}, {0, 0, 0, 1.1f}, wait).error() ==
        is("rotation", 0, "not of length one"));
  CHECK(world->SetVelocity(id, {0, 2e4f, 0}, {}, wait).error() ==
        is("velocity", 0, "not within 10000 a second"));
  BodyDef moving;
  moving.shape = Shape::Ground(nullptr);
  CHECK(world->CreateBody(moving, wait).error() == is("type", 0, "a height field is static"));
  REQUIRE(world->DestroyBody(id, wait));
  CHECK(world->GetBody(id, wait).error() ==
        Error{ErrorCode::kStaleId, "body id", static_cast<std::int64_t>(id.bits())});
  // Of several wrong fields the first one of the definition.
  BodyDef wrong = SphereAt(0, {2e6f, 0, 0});
  wrong.density = -1;
  CHECK(world->CreateBody(wrong, wait).error().subject == std::string("radius"));
  wrong.shape = Shape::Sphere(1);
  CHECK(world->CreateBody(wrong, wait).error().subject == std::string("position"));
}

}  // namespace
}  // namespace nowait
