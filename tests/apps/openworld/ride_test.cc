#include "src/apps/openworld/ride.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/jobs/priority.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "tests/streaming/small_world.h"

namespace nowait {
namespace {

const SmallWorld& Small() {
  static const SmallWorld small;
  return small;
}

// A world whose scenes have a script with this text, a volume as large as it may be, and a gate.
SmallWorld WorldWithScript(const char* text) {
  WorldSource source = SmallSource();
  source.scenes_per_tile = 6;
  source.scenes[0].triggers = {{{0, 0, 0}, {125, 100, 125}}};
  source.scenes[0].gates = {{{-6, 2, 3}, {2, 2, 0.5f}}};
  source.scenes[0].script = {"heap.lua", text};
  return SmallWorld(source);
}

std::unique_ptr<TaskPool> MakePool(std::uint32_t threads) {
  auto pool = TaskPool::Create(
      {.main_threads = {"main"}, .devices = {"disk", "clock", "console"}, .workers = threads - 1});
  REQUIRE(pool);
  return *std::move(pool);
}

RideDef RideOver(const SmallWorld& small) {
  RideDef def;
  def.tiles = small.folder.path();
  def.index = small.index;
  return def;
}
RideDef OfSmallWorld() { return RideOver(Small()); }

RideResult Ride(std::uint32_t threads, const RideDef& def) {
  const auto pool = MakePool(threads);
  const auto here = pool->Register("main");
  REQUIRE(here);
  auto ride = RunRide(def, *pool);
  INFO((ride ? "" : ToString(ride.error())));
  REQUIRE(ride);
  return *std::move(ride);
}

TEST_CASE("a replayed ride has the same state for any number of threads") {
  RideDef def = OfSmallWorld();
  def.frames = 120;
  def.paced = false;
  def.replay = 4;
  const RideResult alone = Ride(1, def);
  CHECK(alone.frames.size() == 120);
  CHECK(alone.streamed.tiles_entered >= 25);
  CHECK(alone.machines.appeared > 0);
  CHECK(alone.machines.rays > 0);
  CHECK(alone.paths.cells.built > 0);
  CHECK(alone.paths.whole > 0);
  CHECK(alone.folk.riders > 0);
  CHECK(alone.folk.metres > 10);
  CHECK(alone.folk.behind > 0.1f);
  CHECK(alone.arrows.shot > 0);
  CHECK(alone.arrows.met_statics > 0);
  CHECK(alone.arrows.below_ground == 0);
  CHECK(alone.arrows.over_nothing == 0);
  CHECK(alone.frames.back().awake > 0);
  CHECK(alone.frames.back().grounded);
  CHECK_FALSE(alone.frames.front().grounded);  // nothing was there yet, and no frame waited
  const RideResult other = Ride(8, def);
  CHECK(other.hash == alone.hash);
  CHECK(other.machines.seen == alone.machines.seen);
  CHECK(other.machines.stamps == alone.machines.stamps);
  CHECK(other.paths.cells.built == alone.paths.cells.built);
  CHECK(other.paths.whole == alone.paths.whole);
  CHECK(other.folk.metres == alone.folk.metres);
  CHECK(other.folk.seen == alone.folk.seen);
  CHECK(other.folk.behind == alone.folk.behind);
  CHECK(other.arrows.met_statics == alone.arrows.met_statics);
  CHECK(other.arrows.farthest == alone.arrows.farthest);
  def.seed = 2;
  CHECK(Ride(2, def).hash != alone.hash);
}

// Loads, queries and the survey at the same time as the frames: ThreadSanitizer looks at it.
TEST_CASE("a ride that takes tiles as they come") {
  const SmallWorld small = WorldWithScript(R"(
    fields = {open = false, middle = vec3(0, 0, 0), visitor = vec3(0, 0, 0)}
    function update(self)
      self.open = ray(self.middle + vec3(0, 3, 0), self.visitor) == nil
        or count_in(self.middle, vec3(9, 9, 9)) > 0 or nearest(self.middle, 30) ~= nil
    end)");
  RideDef def = RideOver(small);
  def.frames = 90;
  const RideResult ride = Ride(3, def);
  CHECK(ride.scenes.scripts.loaded > 0);
  CHECK(ride.scenes.scripts.faults == 0);
  CHECK(ride.streamed.tiles_entered > 0);
  CHECK(ride.survey.places > 0);
  CHECK(ride.paths.cells.built > 0);
  CHECK_FALSE(ride.paths.polygons.empty());
  CHECK(ride.tiles.size() == small.index.tiles());
  CHECK(std::any_of(ride.tiles.begin(), ride.tiles.end(),
                    [](const TileMark& tile) { return tile.visited; }));
}

TEST_CASE("a thread that is alone, and frames without a pause, leave time to loads and cells") {
  RideDef def = OfSmallWorld();
  def.frames = 600;
  def.paced = false;
  const RideResult ride = Ride(1, def);
  CHECK(ride.streamed.tiles_entered > 0);
  CHECK(ride.paths.cells.built > 0);
}

TEST_CASE("scripts of scenes open gates and call machines, the same for any number of threads") {
  const SmallWorld small = WorldWithScript(R"(
    fields = {machines = 0, open = false}
    function event(self, name)
      self.open = name == "enter"
      self.machines = self.machines + math.random(1, 2)
    end)");
  RideDef def = RideOver(small);
  def.frames = 120;
  def.paced = false;
  def.replay = 4;
  const RideResult alone = Ride(1, def);
  const SceneCounts& scenes = alone.scenes;
  CHECK(scenes.scripts.loaded > 2);
  CHECK(scenes.scripts.failed == 0);
  CHECK(scenes.scripts.faults == 0);
  CHECK(scenes.scripts.entered > 0);
  CHECK(scenes.gates.opened > 0);
  CHECK(scenes.called > 0);
  CHECK(alone.machines.appeared == scenes.called);
  const RideResult other = Ride(4, def);
  CHECK(other.hash == alone.hash);
  CHECK(other.scenes.called == scenes.called);
  CHECK(other.scenes.gates.opened == scenes.gates.opened);
  CHECK(other.scenes.scripts.entered == scenes.scripts.entered);
}

// The other side of the comparison: the same ride, and waits.
TEST_CASE("a ride as engines made it before has one lock round the tree, and waits for loads") {
  RideDef def = OfSmallWorld();
  def.frames = 60;
  def.paced = false;
  def.replay = 4;
  def.times_islands = true;
  const auto has_islands = [](const RideFrame& frame) { return frame.islands > 0; };
  const RideResult after = Ride(2, def);
  CHECK(after.tree_lock.acquisitions == 0);
  CHECK(std::ranges::all_of(after.frames, has_islands));
  CHECK(after.streamed.longest_load == 4);
  def.earlier = true;
  const RideResult before = Ride(2, def);
  // Each frame changes and reads several times; a load is there in the next frame.
  CHECK(before.tree_lock.acquisitions >= 6 * 60);
  CHECK(before.survey.wait.acquisitions > 0);
  CHECK(before.streamed.longest_load == 1);
  const auto arrives = [](const RideResult& ride) {
    return std::ranges::find(ride.frames, true, &RideFrame::grounded) - ride.frames.begin();
  };
  CHECK(arrives(before) < arrives(after));
  CHECK(before.streamed.tiles_entered >= after.streamed.tiles_entered);
  CHECK(std::ranges::all_of(before.frames, has_islands));
  def.times_islands = false;
  const RideResult untimed = Ride(1, def);
  CHECK(untimed.hash == before.hash);
  CHECK(std::ranges::none_of(untimed.frames, has_islands));
}

TEST_CASE("a body below the world is taken away, counted, and the ride goes on") {
  WorldSource source = SmallSource();
  source.scenes[0].objects.push_back({PlacedObject::kSphere,
                                      PlacedObject::kAwake,
                                      {.4f, .4f, .4f},
                                      {0, -1000, 0},
                                      {3, 1, 1},
                                      {1, 1, 1}});
  const SmallWorld small(source);
  RideDef def = RideOver(small);
  def.frames = 60;
  def.paced = false;
  def.replay = 2;
  const RideResult ride = Ride(2, def);
  CHECK(ride.frames.size() == 60);
  CHECK(ride.strays == 3 * ride.streamed.scenes_entered);
  CHECK(std::ranges::none_of(ride.bodies,
                             [](const BodySnapshot& body) { return body.position.y < -210; }));
}

TEST_CASE("the ride goes on without scripts that cannot be loaded, or that fail") {
  const bool loads = GENERATE(true, false);
  const SmallWorld small = WorldWithScript(loads ? "function event() error('no') end" : "end");
  RideDef def = RideOver(small);
  def.frames = 60;
  def.paced = false;
  def.replay = 2;
  const RideResult ride = Ride(2, def);
  CHECK(ride.frames.size() == 60);
  CHECK((ride.scenes.scripts.failed > 0) == !loads);
  CHECK((ride.scenes.scripts.faults > 0) == loads);
  // As in a scene without a script; one that has stopped has called no machine.
  CHECK((ride.machines.appeared > 0) == !loads);
  CHECK(ride.scenes.gates.opened == 0);
}

TEST_CASE("an interrupted ride ends with the frame") {
  RideDef def = OfSmallWorld();
  def.paced = false;
  int frames = 0;
  def.interrupted = [&frames] { return ++frames == 5; };
  const RideResult ride = Ride(1, def);
  CHECK(ride.interrupted);
  CHECK(ride.frames.size() == 5);
}

// Leaves room for so many tasks, until the current task has ended and those of the frame have run.
void Fill(TaskPool& pool, std::uint32_t room) {
  const auto gate = pool.Add(
      {.work = {[](void*) {}, nullptr}, .priority = static_cast<std::uint8_t>(Priority::kLow)});
  REQUIRE(gate);
  std::vector<TaskId> fillers;
  for (auto task = pool.Add({.dependency = *gate}); task; task = pool.Add({.dependency = *gate})) {
    fillers.push_back(*task);
  }
  for (; room > 0; --room, fillers.pop_back()) {
    REQUIRE(pool.Cancel(fillers.back()));
    REQUIRE(pool.Submit(fillers.back()));
  }
}

// The game update runs in no other place: a load is due in that frame, and the physics comes after
// it. With room for the two of them, it cannot be put off until the load is there.
TEST_CASE("a pool without room for a frame's tasks ends the ride, with that error") {
  const std::uint32_t room = GENERATE(0, 1, 2);
  CAPTURE(room);
  const auto pool = MakePool(1);
  const auto here = pool->Register("main");
  REQUIRE(here);
  RideDef def = OfSmallWorld();
  def.paced = false;
  def.replay = 2;
  std::uint64_t frames = 0;
  def.interrupted = [&] {
    if (frames++ == *def.replay) Fill(*pool, room);
    return frames > 10;
  };
  const auto ride = RunRide(def, *pool);
  REQUIRE_FALSE(ride);
  CHECK(ToString(ride.error()) == "capacity of open tasks reached (4096)");
  CHECK(frames == *def.replay + 1);
}

}  // namespace
}  // namespace nowait
