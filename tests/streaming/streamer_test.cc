#include "src/streaming/streamer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/resource/file.h"
#include "src/streaming/scene_blob.h"
#include "src/sync/barrier.h"
#include "src/world/world.h"
#include "tests/streaming/play.h"
#include "tests/streaming/small_world.h"

namespace nowait {
namespace {

TEST_CASE("what is around the player is there, and nothing else after it has gone") {
  Play play(Small());
  play.Settle(kWest);
  CHECK(play.streamer().IsCovered(kWest.x, kWest.z, Residency::kGuarantee));
  CHECK(play.streamer().counts().tiles_entered == 25);
  CHECK(play.streamer().StateOf(TileCoord{2, 3}) == ParcelState::kResident);
  CHECK(play.streamer().StateOf(TileCoord{7, 3}) == ParcelState::kAbsent);
  CHECK(play.streamer().StateOf(TileCoord{-1, 3}) == ParcelState::kAbsent);
  const std::uint32_t bodies = play.world().body_count();
  CHECK(bodies == play.streamer().counts().bodies_entered);
  WaitTime wait;
  const RayCast down{{kWest.x, 2000, kWest.z}, {0, -3000, 0}};
  CHECK(play.world().CastRay(down, {}, wait));

  play.Settle(kEast);
  CHECK(play.streamer().StateOf(TileCoord{0, 3}) == ParcelState::kAbsent);
  CHECK(play.streamer().StateOf(TileCoord{7, 3}) == ParcelState::kResident);
  CHECK_FALSE(play.world().CastRay({{300, 2000, 1000}, {0, -3000, 0}}, {}, wait));
  const StreamCounts& counts = play.streamer().counts();
  CHECK(play.world().body_count() == counts.bodies_entered - counts.bodies_removed);
  CHECK(counts.tiles_let_go > 0);
  CHECK(play.Said(StreamEvent::Kind::kMissing) == 0);

  for (int i = 0; i < 4; ++i) play.Update(kEast);
  CHECK(play.streamer().retired_bytes() == 0);
}

TEST_CASE("a scene has its ground, and is active while the player is within its radius") {
  Play play(Small(), {.replay = 2});
  const SceneSite site = Small().index.scenes[35];
  for (int i = 0; i < 60 && !play.streamer().IsActive({35}); ++i) {
    play.Update({.x = site.x, .z = site.z});
    const bool there = play.streamer().StateOf(SceneNumber{35}) == ParcelState::kResident;
    if (there) REQUIRE(play.streamer().IsCovered(site.x, site.z, site.encounter));
  }
  REQUIRE(play.streamer().IsActive({35}));
  const Parcel* const parcel = play.streamer().Find(SceneNumber{35});
  REQUIRE(parcel != nullptr);
  CHECK(parcel->spawn_points().size() == 2);
  CHECK(parcel->bodies().size() == 26);
  play.Update({.x = site.x + 600, .z = site.z});
  CHECK_FALSE(play.streamer().IsActive({35}));
  CHECK(play.streamer().Find(SceneNumber{35}) == nullptr);
  const auto& last = play.events();
  CHECK(std::any_of(last.begin(), last.end(), [](const StreamEvent& event) {
    return event.kind == StreamEvent::Kind::kDeactivated &&
           event.name == ParcelName(SceneNumber{35});
  }));
}

TEST_CASE("a resident scene has its script, its volumes, and its gates as bodies") {
  WorldSource source = SmallSource();
  source.scenes[0].triggers = {{{0, 1, 0}, {20, 5, 20}}};
  source.scenes[0].gates = {{{-6, 2, 3}, {1, 2, 0.5f}}, {{6, 2, 3}, {1, 1, 0.5f}}};
  source.scenes[0].script = {"heap.lua", "function update() end"};
  const SmallWorld scripted(source);
  Play play(scripted);
  const SceneSite site = scripted.index.scenes[35];
  play.Settle({.x = site.x, .z = site.z});
  const Parcel* const parcel = play.streamer().Find(SceneNumber{35});
  REQUIRE(parcel != nullptr);
  CHECK(parcel->bodies().size() == 26 + 2);
  CHECK(parcel->script().name == "heap.lua");
  CHECK(parcel->script().text == "function update() end");
  REQUIRE(parcel->triggers().size() == 1);
  CHECK(parcel->triggers()[0].half == Vec3{20, 5, 20});
  REQUIRE(parcel->gate_bodies().size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    WaitTime wait;
    const auto gate = play.world().GetBody(parcel->gate_bodies()[i], wait);
    REQUIRE(gate);
    CHECK(gate->type == BodyType::kStatic);
    CHECK(gate->position == parcel->gates()[i].centre);
    CHECK(gate->shape.half == parcel->gates()[i].half);
  }
}

// A ride over tiles, with a teleport.
std::uint64_t Ride(std::uint32_t workers, std::uint32_t delay, std::uint64_t* waits = nullptr) {
  Play play(Small(), {.replay = delay, .workers = workers});
  PlayerMotion motion{.x = 700, .z = 900, .velocity_x = 150};
  for (int i = 0; i < 150; ++i) {
    motion.x += motion.velocity_x / 30;
    if (i == 60) motion = {.x = 1900, .z = 1200, .velocity_x = -90};
    if (i == 100) motion = {.x = 800, .z = 700, .velocity_z = 90};
    motion.z += motion.velocity_z / 30;
    play.Update(motion);
  }
  CHECK(play.streamer().counts().tiles_let_go > 20);
  CHECK(play.world().stats().awake > 0);
  if (waits != nullptr) *waits = play.waits();
  return play.world().StateHash();
}

TEST_CASE("a replay has the same state for any number of threads") {
  std::uint64_t waits = 0;
  const std::uint64_t alone = Ride(0, 3, &waits);
  CHECK(waits > 0);  // without a worker no load is complete by itself
  for (const std::uint32_t workers : {1u, 3u}) CHECK(Ride(workers, 3) == alone);
  CHECK(Ride(1, 5) != alone);
}

TEST_CASE("a slow disk: updates go on, the player hears what is there") {
  Barrier<> begun(2), go(2);
  std::uint32_t reads = 0;  // of the disk's thread alone
  std::uint64_t bytes = 0;  // of the reads after the first one, which is not wanted any more
  const auto slow = [&](const std::string& path) {
    auto file = ReadFile(path);
    if (reads++ == 0) {
      begun.ArriveAndWait();
      go.ArriveAndWait();
    } else if (file) {
      bytes += file->size();
    }
    return file;
  };
  Play play(Small(), {.read = slow});
  play.Update(kWest);
  begun.ArriveAndWait();
  // The disk stands still as long as these take, and for each player.
  for (int i = 0; i < 20; ++i) play.Update(i < 10 ? kWest : kEast);
  CHECK(play.world().body_count() == 0);
  CHECK(play.streamer().StateOf(TileAt(kEast.x, kEast.z)) == ParcelState::kAbsent);
  go.ArriveAndWait();
  play.Settle(kEast);
  CHECK(play.streamer().StateOf(TileAt(kEast.x, kEast.z)) == ParcelState::kResident);
  CHECK(play.streamer().StateOf(TileAt(kWest.x, kWest.z)) == ParcelState::kAbsent);
  CHECK(play.streamer().counts().cancelled == 8);
  CHECK(play.streamer().counts().bytes_read == bytes);
  CHECK(play.Said(StreamEvent::Kind::kMissing) == 0);
}

TEST_CASE("to stop waits for the read in progress, and for no other") {
  Barrier<> begun(2), go(2);
  std::uint32_t reads = 0;  // of the disk's thread alone
  const auto slow = [&](const std::string& path) {
    if (reads++ == 0) {
      begun.ArriveAndWait();
      go.ArriveAndWait();
    }
    return ReadFile(path);
  };
  Play play(Small(), {.workers = 0, .read = slow});
  play.Update(kWest, false);
  begun.ArriveAndWait();
  // Run by this thread, when Stop waits and helps.
  const auto release = play.pool().Add(
      {.work = {[](void* gate) { static_cast<Barrier<>*>(gate)->ArriveAndWait(); }, &go}});
  REQUIRE(release);
  REQUIRE(play.pool().Submit(*release));
  REQUIRE(play.streamer().Stop());
  CHECK(reads == 1);
}

// The disk is held in the second read. The first load is complete, but not due before a later
// update, and whether it is complete by now must not be seen.
TEST_CASE("shapes of a load are counted when it is settled") {
  Barrier<> begun(2), go(2);
  std::uint32_t reads = 0;  // of the disk's thread alone
  const auto slow = [&](const std::string& path) {
    if (++reads == 2) {
      begun.ArriveAndWait();
      go.ArriveAndWait();
    }
    return ReadFile(path);
  };
  Play play(Small(), {.replay = 3, .workers = 0, .read = slow});
  play.Update(kWest, false);
  begun.ArriveAndWait();
  REQUIRE(play.pool().DoWorkWhileWaitingFor([&] { return true; }));  // makes the first one's shapes
  CHECK(play.streamer().shape_bytes() == 0);
  go.ArriveAndWait();
  play.Settle(kWest);
  CHECK(play.streamer().shape_bytes() > 25 * sizeof(float) * kTileSamples * kTileSamples);
}

TEST_CASE("a tile that is damaged, foreign, truncated or gone is missing, and that is said once") {
  const SmallWorld& small = Small();
  const TileCoord bad{2, 3};
  const std::string path = FileOfTile(small.folder.path(), bad);
  const auto whole = ReadFile(path);
  REQUIRE(whole);
  std::vector<std::byte> bytes = *whole;
  std::string why;
  SECTION("damaged") {
    bytes[bytes.size() / 2] ^= std::byte{1};
    why = "blob is damaged: its checksum does not match";
  }
  SECTION("truncated") {
    bytes.resize(bytes.size() / 2);
    why = "blob is damaged: shorter than its header says";
  }
  SECTION("foreign") {
    const auto other = ReadFile(FileOfTile(small.folder.path(), {3, 3}));
    REQUIRE(other);
    bytes = *other;
    why = "tile is damaged: another tile";
  }
  SECTION("empty") {
    bytes.clear();
    why = "blob is damaged: cut off in its header";
  }
  SECTION("gone") { why = path + " not found: No such file or directory"; }
  const bool gone = why.ends_with("directory");
  const auto read = [&](const std::string& file) -> Result<std::vector<std::byte>> {
    if (file != path) return ReadFile(file);
    if (gone) return Fail(ErrorCode::kNotFound, path.c_str(), 2, "No such file or directory");
    return bytes;
  };
  Play play(small, {.read = read});
  play.Settle(kWest);
  CHECK(play.streamer().StateOf(bad) == ParcelState::kMissing);
  CHECK(play.streamer().counts().tiles_entered == 24);
  CHECK_FALSE(play.streamer().IsCovered(kWest.x, kWest.z, 10));
  play.Settle(kEast);
  CHECK(play.streamer().StateOf(bad) == ParcelState::kAbsent);
  play.Settle(kWest);  // it is tried again
  CHECK(play.streamer().counts().missing == 2);
  std::vector<std::string> said;
  for (const StreamEvent& event : play.events()) {
    if (event.kind == StreamEvent::Kind::kMissing) said.push_back(event.why);
  }
  CHECK(said == std::vector<std::string>{why});
  // No scene stands where there is no ground.
  for (std::uint32_t i = 0; i < small.index.scenes.size(); ++i) {
    const SceneSite& site = small.index.scenes[i];
    if (DistanceSquared(bad, site.x, site.z) > site.encounter * site.encounter) continue;
    CHECK(play.streamer().StateOf(SceneNumber{i}) != ParcelState::kResident);
  }
}

// Its objects would stand where the streamer has not made sure of the ground.
TEST_CASE("a scene whose blob and index say different places is missing") {
  const SmallWorld& small = Small();
  constexpr std::uint32_t kMoved = 35;
  const SceneSite site = small.index.scenes[kMoved];
  const std::string path = FileOfScene(small.folder.path(), kMoved);
  SceneSource moved{.number = kMoved, .site = site, .spawn_points = {}, .objects = {}};
  moved.site.x += 8;
  const auto blob = MakeSceneBlob(moved);
  REQUIRE(blob);
  const auto read = [&](const std::string& file) -> Result<std::vector<std::byte>> {
    return file == path ? *blob : ReadFile(file);
  };
  Play play(small, {.read = read});
  play.Settle({.x = site.x, .z = site.z});
  CHECK(play.streamer().StateOf(SceneNumber{kMoved}) == ParcelState::kMissing);
  const auto said = std::find_if(
      play.events().begin(), play.events().end(),
      [](const StreamEvent& event) { return event.kind == StreamEvent::Kind::kMissing; });
  REQUIRE(said != play.events().end());
  CHECK(said->why == "scene is damaged: another place or other radii than the index's");
}

TEST_CASE("a file that is longer than any tile is not read") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/tile-0-0";
  std::ofstream(path) << "tile";
  std::filesystem::resize_file(path, (4u << 20) + 1);
  const auto read = ReadParcelFile(path);
  REQUIRE_FALSE(read);
  CHECK(ToString(read.error()) == "capacity of " + path + " reached (4194304): bytes of a file");
}

TEST_CASE("a query that goes on keeps the shapes of what it may have found") {
  Play play(Small());
  play.Settle(kWest);
  auto guard = std::make_optional(play.streamer().Pin());
  WaitTime wait;
  const auto hit =
      play.world().CastRay({{kWest.x, 2000, kWest.z}, {0, -3000, 0}}, {.dynamics = false}, wait);
  REQUIRE(hit);
  const auto ground = play.world().GetBody(hit->body, wait);
  REQUIRE(ground);
  play.Settle(kEast);
  for (int i = 0; i < 10; ++i) play.Update(kEast);
  CHECK_FALSE(play.world().GetBody(hit->body, wait));
  CHECK(play.streamer().retired_bytes() > 0);
  // A read of memory that has been given back, if the guard kept nothing.
  if (ground->shape.height_field != nullptr) {
    CHECK(ground->shape.height_field->columns() == kTileSamples);
  }
  guard.reset();
  for (int i = 0; i < 4; ++i) play.Update(kEast);
  CHECK(play.streamer().retired_bytes() == 0);
}

TEST_CASE("a world without room says it once for each tile, and the ride goes on") {
  Play play(Small(), {.replay = 1, .bodies = 100});
  for (int i = 0; i < 40; ++i) play.Update(kWest);
  std::set<std::string> said;
  for (const StreamEvent& event : play.events()) said.insert(event.why);
  CHECK(said == std::set<std::string>{"", "capacity of bodies reached (100)"});
  CHECK(play.streamer().counts().tiles_entered == 5);
  CHECK(play.streamer().counts().missing >= 20);
}

// For a while what leaves and what enters need room at the same time.
TEST_CASE("a tile that found no room enters when other bodies have been removed") {
  Play play(Small(), {.replay = 1, .bodies = 800, .removals_per_update = 20});
  for (const PlayerMotion& motion : {kWest, kEast, kWest}) {
    for (int i = 0; i < 150; ++i) play.Update(motion, false);
    CHECK(play.streamer().IsCovered(motion.x, motion.z, Residency::kGuarantee));
  }
  CHECK(play.streamer().counts().missing > 0);
}

TEST_CASE("a pool without room for a load: nothing has begun, and it begins later") {
  Play play(Small());
  TaskPool& pool = play.pool();
  const auto gate = pool.AddEmpty();
  REQUIRE(gate);
  const auto after = pool.AddEmpty();
  REQUIRE(after);
  std::vector<TaskId> full;
  for (;;) {
    const auto task = pool.Add({.parent = *after, .dependency = *gate});
    if (!task) break;
    full.push_back(*task);
  }
  const bool room_for_the_read = GENERATE(false, true);
  if (room_for_the_read) {
    REQUIRE(pool.Cancel(full.back()));
    REQUIRE(pool.Submit(full.back()));
  }
  play.Update(kWest, false);
  CHECK(play.streamer().counts().begun == 0);
  CHECK(play.Count(ParcelState::kAbsent) == 80 + 160);

  REQUIRE(pool.Submit(*gate));
  REQUIRE(pool.Wait(*after));
  play.Settle(kWest);
  CHECK(play.streamer().counts().tiles_entered == 25);
  CHECK(play.Said(StreamEvent::Kind::kMissing) == 0);
}

TEST_CASE("a motion that no world has is refused, and nothing has happened") {
  Play play(Small(), {.replay = 1});
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  WaitTime wait;
  for (const PlayerMotion& motion :
       {PlayerMotion{.x = kNaN}, PlayerMotion{.z = -kInfinite}, PlayerMotion{.x = 2e6f},
        PlayerMotion{.velocity_x = kNaN}, PlayerMotion{.velocity_z = kInfinite}}) {
    const auto updated = play.streamer().Update(motion, wait);
    REQUIRE_FALSE(updated);
    CHECK(ToString(updated.error()) == "invalid motion: not within 1e6 metres");
    CHECK(play.streamer().counts().begun == 0);
  }
}

TEST_CASE("of a tile or a scene that the index does not have, nothing is there") {
  Play play(Small());
  play.Settle(kWest);
  const auto scenes = static_cast<std::uint32_t>(play.streamer().index().scenes.size());
  for (const std::uint32_t number : {scenes, scenes + 1, ~std::uint32_t{0}}) {
    CHECK(play.streamer().StateOf(SceneNumber{number}) == ParcelState::kAbsent);
    CHECK_FALSE(play.streamer().IsActive(SceneNumber{number}));
    CHECK(play.streamer().Find(SceneNumber{number}) == nullptr);
  }
  for (const TileCoord tile : {TileCoord{-1, 0}, TileCoord{0, -1}, TileCoord{10, 0},
                               TileCoord{0, 8}, TileCoord{1 << 30, 1 << 30}}) {
    CHECK(play.streamer().StateOf(tile) == ParcelState::kAbsent);
    CHECK(play.streamer().Find(tile) == nullptr);
  }
}

TEST_CASE("only a circle of finite size and place can be covered") {
  Play play(Small());
  play.Settle(kWest);
  const auto covered = [&](float x, float z, float radius) {
    return play.streamer().IsCovered(x, z, radius);
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK(covered(kWest.x, kWest.z, 100));
  CHECK_FALSE(covered(kNaN, kWest.z, 100));
  CHECK_FALSE(covered(kWest.x, kWest.z, kNaN));
  CHECK_FALSE(covered(kWest.x, kWest.z, 1e30f));
  CHECK(covered(-1e30f, 1e30f, 100));  // it touches no tile
}

TEST_CASE("a definition that cannot be is refused by its field") {
  Play play(Small());
  const auto refused = [&](auto change) {
    StreamerDef def;
    def.index = Small().index;
    change(def);
    const auto made = Streamer::Create(def, play.pool(), play.world());
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::kInvalidArgument);
    return std::string(made.error().subject);
  };
  CHECK(refused([](auto& def) { def.most_parcels = 56; }) == "most_parcels");
  CHECK(refused([](auto& def) { def.loads = 0; }) == "loads");
  CHECK(refused([](auto& def) { def.entries_per_update = 0; }) == "entries_per_update");
  CHECK(refused([](auto& def) { def.removals_per_update = 0; }) == "removals_per_update");
  CHECK(refused([](auto& def) { def.read = nullptr; }) == "read");
}

}  // namespace
}  // namespace nowait
