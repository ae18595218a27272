// Random rides over tiles, of which some are damaged or gone: what holds after each update.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/math/random.h"
#include "src/resource/file.h"
#include "src/streaming/streamer.h"
#include "tests/streaming/play.h"

namespace nowait {
namespace {

// Files that fail by their names: the same ones each time.
bool IsBad(const std::string& path, std::uint64_t seed) {
  std::uint64_t sum = seed;
  for (const char c : path.substr(path.rfind('/'))) {
    sum = sum * 31 + static_cast<unsigned char>(c);
  }
  return sum % 13 == 0;
}

Parcel::ReadFunction FaultyDisk(std::uint64_t seed) {
  return [seed](const std::string& path) -> Result<std::vector<std::byte>> {
    auto bytes = ReadFile(path);
    if (!bytes || !IsBad(path, seed)) return bytes;
    if (path.size() % 2 == 0) return Fail(ErrorCode::kIo, "disk", 5);
    bytes->resize(bytes->size() / 2);
    return bytes;
  };
}

// The next place of a player that turns, runs and is somewhere else at once.
PlayerMotion Next(PlayerMotion motion, Random& random) {
  if (random.Below(12) == 0) {
    motion.velocity_x = random.Between(-300, 300);
    motion.velocity_z = random.Between(-300, 300);
  }
  motion.x += motion.velocity_x / 30;
  motion.z += motion.velocity_z / 30;
  if (random.Below(40) == 0) {
    motion.x = random.Between(-400, 3000);
    motion.z = random.Between(-400, 2500);
  }
  return motion;
}

void CheckTiles(const Streamer& streamer, const std::string& folder, std::uint64_t seed) {
  const WorldIndex& index = streamer.index();
  for (std::uint32_t i = 0; i < index.tiles(); ++i) {
    const TileCoord tile{static_cast<std::int32_t>(i % index.columns),
                         static_cast<std::int32_t>(i / index.columns)};
    const ParcelState state = streamer.StateOf(tile);
    if (state == ParcelState::kResident) REQUIRE(streamer.residency().Wants(tile));
    if (IsBad(FileOfTile(folder, tile), seed)) {
      REQUIRE(state != ParcelState::kResident);
      REQUIRE(state != ParcelState::kLeaving);
    }
  }
}

// Returns how many are resident.
std::size_t CheckScenes(const Streamer& streamer) {
  std::size_t resident = 0;
  for (std::uint32_t i = 0; i < streamer.index().scenes.size(); ++i) {
    const SceneSite& site = streamer.index().scenes[i];
    const bool there = streamer.StateOf(SceneNumber{i}) == ParcelState::kResident;
    if (streamer.IsActive({i})) REQUIRE(there);
    if (!there) continue;
    ++resident;
    REQUIRE(streamer.IsCovered(site.x, site.z, site.encounter));
    REQUIRE(streamer.residency().WantsScene(site, true));
  }
  return resident;
}

TEST_CASE("after each update scenes have their ground, and the world has what has entered") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4);
  const bool replay = GENERATE(true, false);
  CAPTURE(seed, replay);
  const SmallWorld& small = Small();
  Play play(small, {.replay = replay ? std::optional<std::uint32_t>(2) : std::nullopt,
                    .read = FaultyDisk(seed)});
  Random random(seed);
  PlayerMotion motion{.x = 1200, .z = 1000};
  std::size_t scenes = 0;
  for (int i = 0; i < 250; ++i) {
    motion = Next(motion, random);
    play.Update(motion, i % 4 == 0);
    const StreamCounts& counts = play.streamer().counts();
    CheckTiles(play.streamer(), small.folder.path(), seed);
    scenes += CheckScenes(play.streamer());
    // Bodies that wait for their turn are not in the world yet.
    REQUIRE(play.world().body_count() == counts.bodies_entered - counts.bodies_removed);
  }
  if (replay) CHECK(scenes > 0);
  CHECK(play.streamer().counts().missing >= play.Said(StreamEvent::Kind::kMissing));
  if (replay) CHECK(play.streamer().counts().tiles_let_go > 0);

  // Nothing is left behind when the player has gone away from all of it.
  play.Settle({.x = 90'000, .z = 90'000});
  for (int i = 0; i < 4; ++i) play.Update({.x = 90'000, .z = 90'000});
  CHECK(play.world().body_count() == 0);
  CHECK(play.streamer().shape_bytes() == 0);
  CHECK(play.streamer().retired_bytes() == 0);
  CHECK(play.Count(ParcelState::kAbsent) == small.index.tiles() + small.index.scenes.size());
}

}  // namespace
}  // namespace nowait
