#include "src/streaming/world_compiler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/resource/file.h"
#include "src/resource/terrain.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_blob.h"
#include "tests/streaming/small_world.h"

namespace nowait {
namespace {

using Files = std::map<std::string, std::vector<std::byte>>;

Files FilesOf(const std::string& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto bytes = ReadFile(entry.path().string());
    REQUIRE(bytes);
    files[entry.path().filename().string()] = *bytes;
  }
  return files;
}

std::expected<WorldIndex, SourceError> Compile(std::uint32_t workers, const WorldSource& source,
                                               const std::string& folder) {
  const auto pool = TaskPool::Create({.workers = workers});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  return CompileWorld(**pool, source, SmallHill(), {.folder = folder, .seed = 5});
}

TEST_CASE("the files are the same for any number of threads, and each is whole") {
  const WorldSource source = SmallSource(3, 2);
  const TemporaryFolder one, three;
  REQUIRE(Compile(0, source, one.path()));
  REQUIRE(Compile(2, source, three.path()));
  const Files files = FilesOf(one.path());
  CHECK(files.size() == 6 + 12 + 1);
  CHECK((files == FilesOf(three.path())));

  const auto index = LoadWorldIndex(one.path());
  REQUIRE(index);
  CHECK(index->source == IndexOf(source, SmallHill(), 5).source);
  CHECK(index->source != IndexOf(source, SmallHill(), 6).source);
  for (std::uint32_t i = 0; i < 6; ++i) {
    const TileCoord tile{static_cast<std::int32_t>(i % 3), static_cast<std::int32_t>(i / 3)};
    const auto opened = TileBlob::Open(files.at(FileOfTile("", tile).substr(1)), tile);
    REQUIRE(opened);
    CHECK(opened->objects().objects.size() == 18);
    for (const PlacedObject& object : opened->objects().objects) {
      CHECK(TileAt(object.position.x, object.position.z) == tile);
    }
    const auto scene = SceneBlob::Open(files.at("scene-" + std::to_string(2 * i)), 2 * i);
    REQUIRE(scene);
    CHECK(scene->objects().objects.size() == 18 + 8);
    CHECK(scene->site().x == index->scenes[2 * i].x);
  }
}

TEST_CASE("objects of a tile and of a scene have the friction of their documents") {
  WorldSource source = SmallSource(2, 2);
  source.scatter[1].grip = {0.25f, CombineRule::kMinimum};
  source.scenes[0].objects[1].grip = {0.5f, CombineRule::kMaximum};
  const Elevation elevation = SmallHill();
  const TemporaryFolder folder;
  REQUIRE(Compile(0, source, folder.path()));
  const Files files = FilesOf(folder.path());
  const auto tile = TileBlob::Open(files.at("tile-0-0"), {0, 0});
  const auto scene = SceneBlob::Open(files.at("scene-0"), 0);
  REQUIRE(tile);
  REQUIRE(scene);
  const auto count = [](std::span<const PlacedObject> objects, const Grip& grip) {
    return std::ranges::count_if(objects, [&](const PlacedObject& object) {
      return object.friction == grip.friction &&
             object.friction_rule == static_cast<std::uint32_t>(grip.rule);
    });
  };
  CHECK(count(tile->objects().objects, {0.25f, CombineRule::kMinimum}) == 6);
  CHECK(count(tile->objects().objects, {}) == 12);
  CHECK(count(scene->objects().objects, {0.5f, CombineRule::kMaximum}) == 8);
  CHECK(count(scene->objects().objects, {}) == 18);
}

TEST_CASE("objects of a tile and of a scene are stretched as their documents say") {
  WorldSource source = SmallSource(2, 2);
  const Elevation elevation = SmallHill();
  const WorldIndex index = IndexOf(source, elevation, 1);
  WorldSource stretched = source;
  for (ScatterRule& rule : stretched.scatter) {
    rule.scale = rule.kind == PlacedObject::kBox || rule.kind == PlacedObject::kHull
                     ? Vec3{2, 0.5f, -3}
                     : Vec3{2, 2, 2};
  }
  for (SceneObjects& objects : stretched.scenes[0].objects) objects.scale = {3, 3, 3};
  const auto before = CompileTile(source, elevation, 1, {0, 0});
  const auto after = CompileTile(stretched, elevation, 1, {0, 0});
  const auto scene_before = CompileScene(source, elevation, 1, index, 0);
  const auto scene_after = CompileScene(stretched, elevation, 1, index, 0);
  REQUIRE((before && after && scene_before && scene_after));
  const auto a = TileBlob::Open(*before, {0, 0}), b = TileBlob::Open(*after, {0, 0});
  REQUIRE((a && b));
  std::set<std::uint32_t> kinds;
  for (std::size_t i = 0; i < a->objects().objects.size(); ++i) {
    const PlacedObject& one = a->objects().objects[i];
    const PlacedObject& other = b->objects().objects[i];
    CAPTURE(i, one.kind);
    REQUIRE(one.kind == other.kind);
    kinds.insert(one.kind);
    CHECK(one.position.x == other.position.x);
    CHECK(one.rotation == other.rotation);
    const float lift = other.position.y - one.position.y;
    switch (one.kind) {
      case PlacedObject::kBox:
        CHECK(other.size == Vec3{2 * one.size.x, 0.5f * one.size.y, 3 * one.size.z});
        CHECK(lift == Approx(-0.5f * one.size.y).margin(1e-3));
        break;
      case PlacedObject::kHull:
        CHECK(other.size == one.size);
        CHECK(lift < 0.0f);
        break;
      default:
        CHECK(other.size.x == 2 * one.size.x);
        CHECK(lift > 0.0f);
    }
  }
  CHECK(kinds.contains(PlacedObject::kHull));
  CHECK(kinds.size() > 1);
  const auto points = a->objects().hull_points, wide = b->objects().hull_points;
  REQUIRE(points.size() == wide.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(wide[i] == Vec3{2 * points[i].x, 0.5f * points[i].y, -3 * points[i].z});
  }
  const auto small = SceneBlob::Open(*scene_before, 0), large = SceneBlob::Open(*scene_after, 0);
  REQUIRE((small && large));
  for (std::size_t i = 0; i < small->objects().objects.size(); ++i) {
    const PlacedObject& one = small->objects().objects[i];
    const PlacedObject& other = large->objects().objects[i];
    if (one.kind != PlacedObject::kHull) CHECK(other.size.x == 3 * one.size.x);
    CHECK(one.position == other.position);
  }
}

TEST_CASE("a stretch that the documents' reader would refuse ends the compilation") {
  const WorldSource source = SmallSource(2, 2);
  for (const auto& [rule, subject] : {std::pair(0, "points"), std::pair(1, "scale")}) {
    WorldSource wrong = source;
    wrong.scatter[static_cast<std::size_t>(rule)].scale = {1, 0, 1};
    const auto tile = CompileTile(wrong, SmallHill(), 1, {0, 0});
    REQUIRE(!tile);
    CHECK(std::string(tile.error().subject) == subject);
  }
}

TEST_CASE("a scene's boxes stand on the ground, and its script is in its blob") {
  WorldSource source = SmallSource(2, 2);
  source.scenes[0].triggers = {{{4, 1, -5}, {10, 3, 10}}};
  source.scenes[0].gates = {{{-6, 2, 3}, {1, 2, 0.5f}}, {{6, 2, 3}, {1, 2, 0.5f}}};
  source.scenes[0].script = {"heap.lua", "function update() end"};
  const Elevation elevation = SmallHill();
  const WorldIndex index = IndexOf(source, elevation, 1);
  const auto bytes = CompileScene(source, elevation, 1, index, 3);
  REQUIRE(bytes);
  const auto scene = SceneBlob::Open(*bytes, 3);
  REQUIRE(scene);
  REQUIRE(scene->triggers().size() == 1);
  CHECK(scene->triggers()[0].half == Vec3{10, 3, 10});
  REQUIRE(scene->gates().size() == 2);
  for (const auto& [box, at] : {std::pair(scene->triggers()[0], Vec3{4, 1, -5}),
                                std::pair(scene->gates()[0], Vec3{-6, 2, 3}),
                                std::pair(scene->gates()[1], Vec3{6, 2, 3})}) {
    const float x = scene->site().x + at.x;
    const float z = scene->site().z + at.z;
    const auto ground = HeightAt(elevation, source.south + double{z}, source.east + double{x});
    REQUIRE(ground);
    CHECK(box.centre == Vec3{x, *ground + at.y, z});
  }
  CHECK(scene->script_name() == "heap.lua");
  CHECK(scene->script_text() == "function update() end");
}

TEST_CASE("neighbours have the samples of their border in common, to the bit") {
  const WorldSource source = SmallSource(2, 2);
  const Elevation elevation = SmallHill();
  const auto heights = [&](TileCoord tile) {
    const auto bytes = CompileTile(source, elevation, 1, tile);
    REQUIRE(bytes);
    const auto opened = TileBlob::Open(*bytes, tile);
    REQUIRE(opened);
    return std::vector<float>(opened->heights().begin(), opened->heights().end());
  };
  const auto west = heights({0, 0}), east = heights({1, 0}), south = heights({0, 1});
  for (std::size_t i = 0; i < kTileSamples; ++i) {
    CHECK(west[i * kTileSamples + kTileCells] == east[i * kTileSamples]);
    CHECK(west[kTileCells * kTileSamples + i] == south[i]);
  }
  // And they are those of the elevation.
  const auto there = HeightAt(elevation, source.south, source.east + kTileSide);
  REQUIRE(there);
  CHECK(east[0] == *there);
}

TEST_CASE("an error names the tile, and leaves no index") {
  WorldSource source = SmallSource(3, 2);
  source.south = 3100;  // the second row is not measured
  const TemporaryFolder folder;
  const auto beyond = Compile(1, source, folder.path());
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().text ==
        "tile 0, 1: invalid terrain window: it is not inside the measured posts");
  CHECK_FALSE(LoadWorldIndex(folder.path()));

  const auto nowhere = Compile(1, SmallSource(1, 1), folder.path() + "/none");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().text.find("tile 0, 0: " + folder.path() + "/none/tile-0-0: ") == 0);

  source = SmallSource(1, 1);
  source.scatter.assign(20, source.scatter[1]);
  for (ScatterRule& rule : source.scatter) rule.per_tile = ScatterRule::kMostPerTile;
  const auto large = Compile(1, source, folder.path());
  REQUIRE_FALSE(large);
  CHECK(large.error().text == "tile 0, 0: capacity of blob bytes reached (4194304)");
}

}  // namespace
}  // namespace nowait
