// How many locked operations a change and a query of a world cost, so that they cannot creep up.
// Counted is what the processor does in the call as it is shipped: body locks, the tree's atomics,
// mutexes, and everything below them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/whole/single_steps.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using whole::CountInstructions;

// Debug builds note in a phase monitor that an operation begins, and that it ends: the world does
// for its changes, and the tree in one of its own for what it does.
#ifdef NDEBUG
constexpr std::uint64_t kMonitor = 0;
#else
constexpr std::uint64_t kMonitor = 2;
#endif
constexpr std::uint64_t kBodyLock = 2;  // an arrival and a leave
constexpr std::uint64_t kView = 2;      // the tree is entered and left
constexpr std::uint64_t kMutex = 2;

// 64 balls in a row, 10 m apart, in a tree that a step has rebuilt.
struct Row {
  explicit Row(const WorldDef& def = Weightless()) : world(MakeWorld(def)) {
    for (int i = 0; i < 64; ++i) {
      balls.push_back(Add(*world, SphereAt(0.5f, {10.0f * static_cast<float>(i), 0, 0})));
    }
    REQUIRE(Run(*world, pool, 2));
  }
  // Of a call, the second time that it is made.
  template <class Call>
  static std::uint64_t Locked(const Call& call) {
    call();
    return CountInstructions(call).locked;
  }
  static WorldDef Weightless() {
    WorldDef def;
    def.gravity = {};
    return def;
  }
  static WorldDef Layered() {
    WorldDef def = Weightless();
    def.user_layers = {{.name = "other"}};
    return def;
  }

  PoolHere pool{1};  // a second thread: while there is one alone, the system's mutexes lock nothing
  std::unique_ptr<World> world;
  std::vector<BodyId> balls;
  WaitTime wait;
};

TEST_CASE("a change of a body takes its lock, and what the tree needs") {
  Row row;
  World& world = *row.world;
  const BodyId ball = row.balls[7];
  bool done = true;
  CHECK(Row::Locked([&] { done &= world.WakeBody(ball, row.wait).has_value(); }) <=
        kBodyLock + kMonitor);
  CHECK(Row::Locked([&] { done &= world.SetVelocity(ball, {}, {}, row.wait).has_value(); }) <=
        kBodyLock + kMonitor);
  float x = 70.0f;
  const auto move_by = [&](float by) {
    return Row::Locked([&] {
      x += by;
      done &= world.MoveBody(ball, {x, 0, 0}, {}, row.wait).has_value();
    });
  };
  // The boxes of the leaf and of what is above it, as far as they change.
  CHECK(move_by(0.5f) <= kBodyLock + 2 * kMonitor + 2);
  CHECK(move_by(200.0f) <= kBodyLock + 2 * kMonitor + 3);
  int which = 10;
  CHECK(Row::Locked([&] { done &= world.DestroyBody(row.balls[++which], row.wait).has_value(); }) <=
        kBodyLock + 2 * kMonitor + kMutex + 1);
  CHECK(Row::Locked([&] {
          done &= world.CreateBody(SphereAt(0.5f, {5, 5, 5}), row.wait).has_value();
        }) <= kBodyLock + 2 * kMonitor + 2 * kMutex + 9);
  CHECK(done);
}

TEST_CASE("a query enters the tree, and takes the lock of each body that it copies") {
  Row row;
  const World& world = *row.world;
  bool found = true;
  // Not "at most" alone: what is counted is there.
  CHECK(Row::Locked([&] { found &= world.GetBody(row.balls[7], row.wait).has_value(); }) ==
        (whole::kCountsInstructions ? kBodyLock : 0));
  const RayCast down{{320, 10, 0}, {0, -20, 0}};  // through one ball
  CHECK(Row::Locked([&] { found &= world.CastRay(down, {}, row.wait).has_value(); }) <=
        kView + kBodyLock + kMonitor);
  CHECK(Row::Locked([&] { static_cast<void>(world.Read()); }) <= kView);
  const WorldView view = world.Read();
  CHECK(Row::Locked([&] { found &= view.CastRay(down, {}, row.wait).has_value(); }) <=
        kBodyLock + kMonitor);
  CHECK(Row::Locked([&] {
          found &= view.FindNearest({321, 0, 0}, 5, {}, row.wait).has_value();
        }) <= kBodyLock + kMonitor);
  std::vector<BodyId> in_box;
  CHECK(Row::Locked([&] {
          view.FindInBox(ToBounds({315, -1, -1}, {345, 1, 1}), {}, in_box, row.wait);
        }) <= 3 * kBodyLock + kMonitor);
  CHECK(in_box.size() == 3);
  CHECK(found);
}

TEST_CASE(
    "where bodies may change their layers, a query pays one operation, and a change for all") {
  constexpr std::uint64_t kWatch = 1;
  constexpr std::uint64_t kStripes = 16;  // of LayerChanges
  Row row(Row::Layered());
  World& world = *row.world;
  bool done = true;
  const RayCast down{{320, 10, 0}, {0, -20, 0}};
  const WorldView view = world.Read();
  CHECK(Row::Locked([&] { done &= view.CastRay(down, {}, row.wait).has_value(); }) <=
        kBodyLock + kMonitor + kWatch);
  int to = 0;
  const auto change = [&] {
    BodyChange of;
    of.layer = ++to % 2 == 0 ? Layer::kDynamic : UserLayer(0);
    done &= world.SetProperties(row.balls[7], of, row.wait).has_value();
  };
  // The count, twice; a slot is taken, the boxes above it grow, and another slot is freed.
  CHECK(Row::Locked(change) <= kBodyLock + 2 * kMonitor + 2 * kStripes + 6);
  CHECK(done);
}

TEST_CASE("a query of a world in which nothing changes takes no lock") {
  Row row;
  const WorldView view = row.world->ReadNoLock();
  bool found = true;
  const RayCast down{{320, 10, 0}, {0, -20, 0}};
  CHECK(Row::Locked([&] { found &= view.CastRay(down, {}, row.wait).has_value(); }) <= kMonitor);
  CHECK(found);
}

}  // namespace
}  // namespace nowait
