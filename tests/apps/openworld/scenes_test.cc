// Scenes in a world that is loaded and let go: what they do outlives them nowhere.
#include "src/apps/openworld/scenes.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/apps/openworld/machines.h"
#include "src/apps/openworld/paths.h"
#include "tests/streaming/play.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
constexpr PlayerMotion kFarAway{.x = 2300, .z = 1000};

// Scenes with a gate that their script holds open, and opens again when a body lies in it.
SmallWorld Gated() {
  WorldSource source = SmallSource();
  source.scenes[0].triggers = {{{0, 0, 0}, {125, 100, 125}}};
  source.scenes[0].gates = {{{-6, 2, 3}, {2, 2, 0.5f}}};
  source.scenes[0].script = {"heap.lua", R"(
    fields = {machines = 1, open = false, middle = vec3(0, 0, 0), below = 0}
    function update(self)
      self.open = ray(self.middle + vec3(0, 50, 0), self.middle - vec3(0, 50, 0)) ~= nil
    end)"};
  return SmallWorld(source);
}

class Village {
 public:
  Village() : small(Gated()), play(small, {.replay = 2}), machines(play.world(), play.pool()) {
    auto found = Paths::Create(play.world(), play.pool(), play.streamer(), {}, 2);
    REQUIRE(found);
    paths = *std::move(found);
    auto made = Scenes::Create(play.world(), play.pool(), machines, {}, {});
    REQUIRE(made);
    scenes = *std::move(made);
  }
  ~Village() { paths.reset(); }

  void Frame(const PlayerMotion& motion) {
    play.Update(motion);
    for (const StreamEvent& event : play.streamer().events()) {
      if (event.kind == StreamEvent::Kind::kActivated) {
        const auto scene = std::get<SceneNumber>(event.name);
        REQUIRE(scenes->Activate(scene, *play.streamer().Find(scene), wait));
        ++active;
      } else if (event.kind == StreamEvent::Kind::kDeactivated) {
        scenes->Deactivate(std::get<SceneNumber>(event.name), wait);
        --active;
      }
    }
    REQUIRE(scenes->Advance(frame++, kFrame, {motion.x, 300, motion.z}, *paths, wait));
  }

  SmallWorld small;
  Play play;
  Machines machines;
  std::unique_ptr<Paths> paths;
  std::unique_ptr<Scenes> scenes;
  WaitTime wait;
  int active = 0;
  std::uint64_t frame = 0;
};

TEST_CASE("a tile goes while scripts run and their gates are on the way: nothing is left") {
  Village village;
  while (village.active < 2) village.Frame(kWest);
  for (int i = 0; i < 10; ++i) village.Frame(kWest);  // gates are a third of their way down
  const SceneCounts before = village.scenes->counts();
  CHECK(before.scripts.loaded >= 2);
  CHECK(before.scripts.faults == 0);
  CHECK(before.gates.opened == 0);
  CHECK(village.machines.count() == static_cast<std::size_t>(village.active));

  village.Frame(kFarAway);
  CHECK(village.active == 0);
  CHECK(village.machines.count() == 0);
  const SceneCounts left = village.scenes->counts();
  CHECK(left.scripts.unloaded == left.scripts.loaded);
  CHECK(left.gates.closed == before.scripts.loaded);
  for (int i = 0; i < 60; ++i) village.Frame(kFarAway);
  CHECK(village.scenes->TakeLines().empty());

  // Back again: the gates were closed when their tiles were let go, and open as the first time.
  const std::uint64_t opened = village.scenes->counts().gates.opened;
  for (int i = 0; i < 100; ++i) village.Frame(kWest);
  CHECK(village.scenes->counts().gates.opened > opened);
  CHECK(village.scenes->counts().scripts.faults == 0);
  CHECK(village.scenes->TakeLines().empty());
}

}  // namespace
}  // namespace nowait
