// Scenes of the open world: each allocation of their scripts and gates fails once.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/apps/openworld/gates.h"
#include "src/apps/openworld/scene_scripts.h"
#include "tests/whole/faults/sweep.h"
#include "tests/world/scene.h"

namespace nowait::whole {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
constexpr Vec3 kMiddle{0, 0, 0}, kOutside{50, 0, 0}, kInside{1, 0, 0};
const std::vector<SceneBox> kVolumes = {{{0, 0, 0}, {10, 5, 10}}, {{0, 0, 0}, {20, 5, 20}}};

// A machine for each event, and a hundredth of one more for each frame.
const SceneScript kCounts{"counts.lua", R"(
  fields = {machines = 0, frames = 0, visitor = vec3(0, 0, 0)}
  function event(self) self.machines = self.machines + 1 end
  function update(self) self.frames = self.frames + 1 end)"};
const SceneScript kFails{"fails.lua", R"(
  fields = {open = true}
  function event() error("no") end)"};
const SceneScript kWrong{"wrong.lua", "function event("};

TaskPool& Pool() {
  static const PoolHere pool(0);
  return pool;
}

// Scenes 0 to 2 count; scene 3 fails when the player comes.
struct Stage {
  std::unique_ptr<SceneScripts> scripts = std::move(*SceneScripts::Create(Pool(), {.scenes = 8}));
  std::uint64_t tick = 0;

  Stage() {
    for (std::uint32_t i = 0; i < 3; ++i) REQUIRE(Activate(i, kCounts));
    REQUIRE(Activate(3, kFails));
    REQUIRE(Frame(kOutside));
  }
  Result<void> Activate(std::uint32_t scene, const SceneScript& script) {
    const auto loaded = scripts->Activate({scene}, script, kVolumes, kMiddle);
    return loaded ? Result<void>() : std::unexpected(loaded.error());
  }
  Result<void> Frame(Vec3 player) { return scripts->Advance(Pool(), tick++, kFrame, player); }
  void CheckWishes(std::vector<std::uint32_t> scenes, std::uint32_t machines) const {
    REQUIRE(scripts->wishes().size() == scenes.size());
    for (std::size_t i = 0; i < scenes.size(); ++i) {
      CHECK(scripts->wishes()[i].scene == SceneNumber{scenes[i]});
      CHECK(scripts->wishes()[i].machines == (scenes[i] == 3 ? 0 : machines));
    }
  }
};

TEST_CASE("scene scripts are made whole, or not at all") {
  const auto swept =
      Sweep([] { return std::unique_ptr<SceneScripts>(); },
            [](std::unique_ptr<SceneScripts>& scripts) -> Result<void> {
              auto made = SceneScripts::Create(Pool(), {.scenes = 8});
              if (!made) return std::unexpected(made.error());
              scripts = std::move(*made);
              return {};
            },
            [](const std::unique_ptr<SceneScripts>& scripts, const Result<void>& done) {
              CHECK((scripts != nullptr) == done.has_value());
            });
  CHECK(swept.refused > 10);
}

TEST_CASE("a scene whose script finds no memory is without it, and may have it later") {
  const auto swept =
      Sweep([] { return Stage(); }, [](Stage& stage) { return stage.Activate(5, kCounts); },
            [](Stage& stage, const Result<void>& done) {
              // Where its object finds no memory, that is said as the script's error.
              const bool loaded = stage.scripts->active() == 5;
              if (!done) CHECK_FALSE(loaded);
              CHECK(stage.scripts->TakeLines().size() == (done && !loaded ? 1 : 0));
              CHECK(stage.scripts->counts().loaded == stage.scripts->active());
              if (!loaded) REQUIRE(stage.Activate(5, kCounts));
              REQUIRE(stage.Frame(kOutside));
              stage.CheckWishes({0, 1, 2, 3, 5}, 0);
            });
  CHECK(swept.faults > 5);
}

TEST_CASE("a script that cannot be loaded leaves nothing behind, with too little memory as well") {
  const auto swept =
      Sweep([] { return Stage(); }, [](Stage& stage) { return stage.Activate(5, kWrong); },
            [](Stage& stage, const Result<void>& done) {
              CHECK(stage.scripts->active() == 4);
              const auto lines = stage.scripts->TakeLines();
              CHECK(lines.size() == (done ? 1u : 0u));
              // Said once: a line that has been lost for want of memory is said the next time.
              REQUIRE(stage.Activate(5, kWrong));
              CHECK(stage.scripts->TakeLines().size() == 1 - lines.size());
              for (const std::uint32_t scene : {5u, 6u, 7u, 8u})
                REQUIRE(stage.Activate(scene, kCounts));
              CHECK(stage.scripts->active() == 8);
            });
  CHECK(swept.refused > 0);
}

// An event of a tick that has begun may be lost with it.
TEST_CASE("a frame without memory: the player is heard of once at most, and the next one goes on") {
  const auto swept =
      Sweep([] { return Stage(); }, [](Stage& stage) { return stage.Frame(kInside); },
            [](Stage& stage, const Result<void>& done) {
              if (!done) CHECK(stage.scripts->wishes().empty());
              REQUIRE(stage.Frame(kInside));
              REQUIRE(stage.Frame(kInside));
              CHECK(stage.scripts->counts().entered == 8);
              const std::uint64_t faults = stage.scripts->counts().faults;
              CHECK(faults <= 1);
              if (done) CHECK(faults == 1);
              CHECK(stage.scripts->active() == 4 - faults);
              REQUIRE(stage.scripts->wishes().size() == 4 - faults);
              for (std::size_t i = 0; i < 3; ++i) {
                const SceneWish& wish = stage.scripts->wishes()[i];
                CHECK(wish.scene == SceneNumber{static_cast<std::uint32_t>(i)});
                if (done) CHECK(wish.machines == 2);
                CHECK(wish.machines <= 2);
              }
              CHECK(stage.scripts->TakeLines().size() <= faults);
              // The events after a lost one arrive.
              REQUIRE(stage.Frame(kOutside));
              CHECK(stage.scripts->wishes()[0].machines >= 2);
            });
  CHECK(swept.faults > 5);
}

TEST_CASE("the end of a scene needs no memory") {
  const auto swept = Sweep([] { return Stage(); },
                           [](Stage& stage) -> Result<void> {
                             stage.scripts->Deactivate({1});
                             return {};
                           },
                           [](Stage& stage, const Result<void>&) {
                             REQUIRE(stage.Frame(kInside));
                             stage.CheckWishes({0, 2}, 2);
                           });
  CHECK(swept.faults == 0);
}

// A world with a gate of scene 7, half way down.
struct Gatehouse {
  static constexpr SceneBox kGate{{0, 1, 0}, {2, 1, 0.2f}};
  std::unique_ptr<World> world = MakeWorld();
  Gates gates{*world};
  BodyId body;
  WaitTime wait;

  Gatehouse() {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Box(kGate.half);
    def.position = kGate.centre;
    body = Add(*world, def);
    REQUIRE(AddGate(7));
    gates.Open({7}, true);
    REQUIRE(gates.Advance(0.5f * Gates::kSeconds, wait));
  }
  Result<void> AddGate(std::uint32_t scene) { return gates.Add({scene}, {&kGate, 1}, {&body, 1}); }
  float Sunk() const { return kGate.centre.y - Get(*world, body).position.y; }
};

TEST_CASE("gates are added, and move, or stay as they are") {
  const auto added = Sweep([] { return std::make_unique<Gatehouse>(); },
                           [](auto& house) { return house->AddGate(8); },
                           [](auto& house, const Result<void>& done) {
                             CHECK(house->gates.count() == (done ? 2u : 1u));
                           });
  CHECK(added.refused > 0);

  const auto moved = Sweep(
      [] {
        auto house = std::make_unique<Gatehouse>();
        house->gates.ForgetChanged();
        return house;
      },
      [](auto& house) { return house->gates.Advance(Gates::kSeconds, house->wait); },
      [](auto& house, const Result<void>& done) {
        CHECK(house->gates.changed().size() == (done ? 1u : 0u));
        if (!done) REQUIRE(house->gates.Advance(Gates::kSeconds, house->wait));
        CHECK(house->Sunk() == Approx(2.0f + Gates::kMargin));
        CHECK(house->gates.changed().size() == 1);
      });
  CHECK(moved.faults >= moved.refused);
}

TEST_CASE("gates are removed, closed and said without any memory") {
  const auto swept = Sweep([] { return std::make_unique<Gatehouse>(); },
                           [](auto& house) -> Result<void> {
                             house->gates.Remove({7}, house->wait);
                             return {};
                           },
                           [](auto& house, const Result<void>&) {
                             CHECK(house->gates.count() == 0);
                             CHECK(house->gates.changed().size() == 1);
                             CHECK(house->Sunk() == 0.0f);
                           });
  CHECK(swept.faults == 0);
}

}  // namespace
}  // namespace nowait::whole
