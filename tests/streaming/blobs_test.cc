// Tiles, scenes and the index of a world as blobs: what goes in comes out, and each kind of damage
// is refused.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "src/collision/height_field.h"
#include "src/math/random.h"
#include "src/streaming/contents.h"
#include "src/streaming/ground_material.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_blob.h"
#include "src/streaming/world_index.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

const std::vector<float> kFlat(TileBlob::kHeights, 12.5f);

ObjectLists SomeObjects() {
  ObjectLists lists;
  lists.hulls = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  PlacedObject rolling;
  rolling.motion = PlacedObject::kAwake;
  rolling.size = {0.5f, 0.5f, 0.5f};
  rolling.position = {5, 1, 5};
  PlacedObject rock;
  rock.kind = PlacedObject::kHull;
  rock.position = {6, 2, 6};
  lists.objects = {rolling, rock};
  return lists;
}

SceneSource SomeScene() {
  return {.number = 3,
          .site = {.x = 5, .z = 5, .encounter = 20, .activation = 90},
          .spawn_points = {{4, 0, 4}},
          .objects = SomeObjects(),
          .triggers = {{{5, 2, 6}, {8, 4, 8}}, {{0, 0, 0}, {1, 1, 1}}},
          .gates = {{{7, 1, 7}, {2, 1, 0.5f}}},
          .script = {"some.lua", "function event() end"}};
}

const std::vector<std::uint8_t> kSoil(TileBlob::kCells, 0);

Bytes Made(const ObjectLists& objects, const std::vector<float>& heights = kFlat,
           const std::vector<std::uint8_t>& materials = kSoil) {
  const auto bytes = MakeTileBlob({2, 1}, heights, materials, objects);
  REQUIRE(bytes);
  return *bytes;
}
Bytes Made(const SceneSource& scene) {
  const auto bytes = MakeSceneBlob(scene);
  REQUIRE(bytes);
  return *bytes;
}

// With the checksum that the bytes have now.
Bytes Sealed(Bytes bytes) {
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + 16, bytes.size() - 16));
  std::memcpy(bytes.data() + 12, &checksum, sizeof checksum);
  return bytes;
}

std::string OpenTile(const Bytes& bytes) {
  const auto tile = TileBlob::Open(bytes, {2, 1});
  return tile ? "" : ToString(tile.error());
}
std::string OpenScene(const Bytes& bytes) {
  const auto scene = SceneBlob::Open(bytes, 3);
  return scene ? "" : ToString(scene.error());
}

TEST_CASE("a tile comes back as it was, with its static objects first") {
  const Bytes bytes = Made(SomeObjects());
  const auto tile = TileBlob::Open(bytes, {2, 1});
  REQUIRE(tile);
  CHECK(tile->heights().size() == 172 * 172);
  CHECK(tile->heights()[99] == 12.5f);
  CHECK(tile->materials().size() == 171 * 171);
  REQUIRE(tile->objects().objects.size() == 2);
  CHECK(tile->objects().objects[0].kind == PlacedObject::kHull);
  CHECK(tile->objects().objects[1].position == Vec3{5, 1, 5});
  CHECK(tile->objects().hull_points.size() == 4);
}

TEST_CASE("a scene comes back as it was") {
  const Bytes bytes = Made(SomeScene());
  const auto scene = SceneBlob::Open(bytes, 3);
  REQUIRE(scene);
  CHECK(scene->site().activation == 90);
  REQUIRE(scene->spawn_points().size() == 1);
  CHECK(scene->spawn_points()[0] == Vec3{4, 0, 4});
  CHECK(scene->objects().objects.size() == 2);
  REQUIRE(scene->triggers().size() == 2);
  CHECK(scene->triggers()[0] == SceneBox{{5, 2, 6}, {8, 4, 8}});
  CHECK(scene->triggers()[0].Contains({-3, 6, 14}));
  CHECK_FALSE(scene->triggers()[0].Contains({-3, 6.5f, 14}));
  REQUIRE(scene->gates().size() == 1);
  CHECK(scene->gates()[0] == SceneBox{{7, 1, 7}, {2, 1, 0.5f}});
  CHECK(scene->script_name() == "some.lua");
  CHECK(scene->script_text() == "function event() end");
}

TEST_CASE("a scene needs no script, and a bad script or box is refused") {
  SceneSource scene = SomeScene();
  scene.script = {};
  CHECK(OpenScene(Made(scene)).empty());
  const std::vector<std::string> names = {"", "two words.lua", "../a.lua", std::string(65, 'a'),
                                          std::string("a\0.lua", 6)};
  for (const std::string& name : names) {
    scene.script = {name, "function event() end"};
    CHECK(OpenScene(Made(scene)) == "scene is damaged: the name of its script");
  }
  scene.script = {std::string(64, 'a'), std::string(SceneScript::kMostText, ' ')};
  CHECK(OpenScene(Made(scene)).empty());
  scene.script.text += ' ';
  CHECK(OpenScene(Made(scene)) == "scene is damaged: its script is too long");

  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const SceneBox& box : {SceneBox{{30, 0, 5}, {1, 1, 1}}, SceneBox{{5, nan, 5}, {1, 1, 1}},
                              SceneBox{{5, 0, 5}, {0.0009f, 1, 1}}, SceneBox{{5, 0, 5}, {1, -1, 1}},
                              SceneBox{{5, 0, 5}, {1, 1, 126}}, SceneBox{{5, 0, 5}, {1, nan, 1}}}) {
    scene = SomeScene();
    scene.triggers[1] = box;
    CHECK(OpenScene(Made(scene)) == "scene is damaged: the place or the size of a trigger");
    scene = SomeScene();
    scene.gates[0] = box;
    CHECK(OpenScene(Made(scene)) == "scene is damaged: the place or the size of a gate");
  }
  scene = SomeScene();
  scene.triggers.resize(64, scene.triggers[0]);
  scene.gates.resize(64, scene.gates[0]);
  CHECK(OpenScene(Made(scene)).empty());
  scene.triggers.push_back(scene.triggers[0]);
  CHECK(OpenScene(Made(scene)) == "scene is damaged: too many triggers");
  scene.triggers.pop_back();
  scene.gates.push_back(scene.gates[0]);
  CHECK(OpenScene(Made(scene)) == "scene is damaged: too many gates");
}

TEST_CASE("a blob is read where it lies, and in another place after a move") {
  const Bytes bytes = Made(SomeObjects());
  Bytes moved(bytes.size() + 16);
  std::copy(bytes.begin(), bytes.end(), moved.begin() + 16);
  const auto tile = TileBlob::Open(std::span(moved).subspan(16), {2, 1});
  REQUIRE(tile);
  CHECK(reinterpret_cast<const std::byte*>(tile->heights().data()) > moved.data());
  CHECK(reinterpret_cast<const std::byte*>(tile->heights().data()) < moved.data() + moved.size());
}

TEST_CASE("a tile that is truncated, foreign or of another place is refused") {
  const Bytes good = Made(SomeObjects());
  CHECK(OpenTile({}) == "blob is damaged: cut off in its header");
  CHECK(OpenTile(Bytes(good.begin(), good.end() - 16)) ==
        "blob is damaged: shorter than its header says");
  Bytes flipped = good;
  flipped[good.size() / 2] ^= std::byte{4};
  CHECK(OpenTile(flipped) == "blob is damaged: its checksum does not match");
  CHECK(OpenTile(Made(SomeScene())) == "blob is damaged: of another kind");
  CHECK(OpenTile(Bytes(64)) == "blob is damaged: does not begin as one");
  Bytes version = good;
  version[20] = std::byte{9};
  CHECK(OpenTile(Sealed(version)) == "blob is damaged: its content is of another version");
  const auto other = TileBlob::Open(good, {1, 2});
  REQUIRE_FALSE(other);
  CHECK(ToString(other.error()) == "tile is damaged: another tile");
}

TEST_CASE("a tile has a material for each cell, which is one of a ground, and reaches the field") {
  std::vector<std::uint8_t> materials = kSoil;
  materials[171 + 5] = 1;
  const Bytes good = Made({}, kFlat, materials);
  const auto contents = ReadTile(good, {}, {2, 1}, 0);
  REQUIRE(contents);
  CHECK(contents->shapes.ground->MaterialOf(5, 1) == 1);
  CHECK(contents->shapes.ground->MaterialOf(1, 5) == 0);
  CHECK(contents->shapes.ground->materials().table()[1].restitution == 0.2f);
  materials[9] = 2;
  CHECK(OpenTile(Made({}, kFlat, materials)) == "tile is damaged: a material that no ground has");
  Bytes fewer = good;
  TileHeader header;
  std::memcpy(&header, fewer.data() + sizeof(BlobHeader), sizeof header);
  --header.materials.count;
  std::memcpy(fewer.data() + sizeof(BlobHeader), &header, sizeof header);
  CHECK(OpenTile(Sealed(fewer)) == "tile is damaged: not 171 x 171 materials");
  Bytes old = good;
  old[20] = std::byte{1};
  CHECK(OpenTile(Sealed(old)) == "blob is damaged: its content is of another version");
}

TEST_CASE("steep cells of a ground are rock, and the others soil") {
  std::vector<float> heights = kFlat;
  constexpr float kSpacing = 256.0f / 171.0f;
  // A ramp along x of a slope just above the limit in row 3, and just below in row 8.
  for (std::size_t i = 0; i < 172; ++i) {
    for (const std::size_t row : {3u, 4u}) {
      heights[row * 172 + i] = 0.61f * kSpacing * static_cast<float>(i);
    }
    for (const std::size_t row : {8u, 9u}) {
      heights[row * 172 + i] = 0.59f * kSpacing * static_cast<float>(i);
    }
  }
  const auto materials = GroundMaterialsOf(heights);
  REQUIRE(materials.size() == 171 * 171);
  for (std::size_t i = 0; i < 171; ++i) {
    CHECK(materials[3 * 171 + i] == 1);
    CHECK(materials[8 * 171 + i] == 0);
    CHECK(materials[100 * 171 + i] == 0);
  }
}

TEST_CASE("a tile has all its heights, and each is one of a ground") {
  for (const float height : {std::numeric_limits<float>::quiet_NaN(), 3e4f, -3e4f}) {
    std::vector<float> heights = kFlat;
    heights[7] = height;
    CHECK(OpenTile(Made({}, heights)) == "tile is damaged: a height that no ground has");
  }
  Bytes fewer = Made(ObjectLists{});
  const std::uint32_t count = 172 * 171;
  std::memcpy(fewer.data() + sizeof(BlobHeader) + 12, &count, sizeof count);
  CHECK(OpenTile(Sealed(fewer)) == "tile is damaged: not 172 x 172 heights");
  const std::uint32_t at = 0x7ffffff0;
  std::memcpy(fewer.data() + sizeof(BlobHeader) + 8, &at, sizeof at);
  CHECK(OpenTile(Sealed(fewer)) == "blob is damaged: an offset leads out of it");
}

TEST_CASE("each field of an object is checked") {
  using Change = std::function<void(ObjectLists&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"a kind that no object has", [](auto& l) { l.objects[0].kind = 5; }},
      {"a motion that no object has", [](auto& l) { l.objects[0].motion = 3; }},
      {"a size that is not between 0.001 and 128 m", [](auto& l) { l.objects[0].size.x = 0; }},
      {"a size that is not between 0.001 and 128 m",
       [](auto& l) {
         l.objects[0].kind = PlacedObject::kBox;
         l.objects[0].size.z = 129;
       }},
      {"a size that is not between 0.001 and 128 m",
       [](auto& l) {
         l.objects[0].kind = PlacedObject::kCapsule;
         l.objects[0].size.y = std::nanf("");
       }},
      {"a hull that is not there", [](auto& l) { l.objects[1].hull = 1; }},
      {"a place outside of the world", [](auto& l) { l.objects[0].position.y = 2e6f; }},
      {"a rotation that is not of length one",
       [](auto& l) {
         l.objects[0].rotation = {0, 0, 0, 2};
       }},
      {"its friction", [](auto& l) { l.objects[0].friction = -1; }},
      {"its friction_rule", [](auto& l) { l.objects[0].friction_rule = kCombineRules; }},
      {"not 4 to 64 points of a hull", [](auto& l) { l.hulls[0].resize(3); }},
      {"not 4 to 64 points of a hull", [](auto& l) { l.hulls[0].resize(65); }},
      {"a point of a hull is not within 128 m", [](auto& l) { l.hulls[0][2].z = 200; }},
  };
  for (const auto& [why, change] : changes) {
    CAPTURE(why);
    ObjectLists lists = SomeObjects();
    change(lists);
    CHECK(OpenTile(Made(lists)) == std::string("object is damaged: ") + why);
  }
}

TEST_CASE("a scene keeps within its encounter area, and its radii within theirs") {
  CHECK(OpenScene(Made(SomeScene())).empty());
  SceneSource scene = SomeScene();
  scene.number = 4;
  CHECK(OpenScene(Made(scene)) == "scene is damaged: another scene");
  scene = SomeScene();
  scene.spawn_points[0].x = 30;
  CHECK(OpenScene(Made(scene)) == "scene is damaged: a spawn point outside of its encounter area");
  scene = SomeScene();
  scene.objects.objects[0].position.z = 26;
  CHECK(OpenScene(Made(scene)) == "scene is damaged: an object outside of its encounter area");
  for (const SceneSite site : {SceneSite{5, 5, 126, 90}, SceneSite{5, 5, 20, 201},
                               SceneSite{5, 5, 0, 90}, SceneSite{2e6f, 5, 20, 90}}) {
    scene = SomeScene();
    scene.site = site;
    CHECK(OpenScene(Made(scene)) == "scene is damaged: its place or its radii");
  }
}

TEST_CASE("an index comes back as it was, and a bad one is refused") {
  const WorldIndex index{4, 3, 99, {{100, 100, 20, 90}}};
  const auto bytes = MakeIndexBlob(index);
  REQUIRE(bytes);
  const auto again = OpenIndexBlob(*bytes);
  REQUIRE(again);
  CHECK(again->columns == 4);
  CHECK(again->rows == 3);
  CHECK(again->source == 99);
  REQUIRE(again->scenes.size() == 1);
  CHECK(again->Has({3, 2}));
  CHECK_FALSE(again->Has({4, 2}));
  CHECK_FALSE(again->Has({-1, 0}));

  const auto refused = [](const WorldIndex& bad) {
    const auto made = MakeIndexBlob(bad);
    REQUIRE(made);
    const auto opened = OpenIndexBlob(*made);
    REQUIRE_FALSE(opened);
    return ToString(opened.error());
  };
  CHECK(refused({0, 3, 0, {}}) == "world index is damaged: not 1 to 1024 tiles along a side");
  CHECK(refused({4, 1025, 0, {}}) == "world index is damaged: not 1 to 1024 tiles along a side");
  CHECK(refused({4, 3, 0, {{0, 0, 500, 90}}}) ==
        "world index is damaged: the place or the radii of a scene");
  const auto none = LoadWorldIndex("no/such/folder");
  REQUIRE_FALSE(none);
  CHECK(ToString(none.error()) == "world index not found: No such file or directory");
}

// Whatever bits are flipped, a tile is refused or is the same.
TEST_CASE("damaged bytes never come back as a tile") {
  const Bytes good = Made(SomeObjects());
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    Bytes bad = good;
    bad[random.Below(static_cast<std::uint32_t>(bad.size()))] ^=
        static_cast<std::byte>(1u << random.Below(8));
    CHECK_FALSE(OpenTile(bad).empty());
  }
}

TEST_CASE("what lies at its bounds is taken") {
  ObjectLists lists = SomeObjects();
  lists.hulls[0].assign(64, {0, 0, 128});
  lists.objects[0].size.x = 128;
  lists.objects[0].position = {1e6f, -1e6f, 1e6f};
  lists.objects[0].friction = 10;
  lists.objects[1].friction = 0;
  std::vector<float> heights = kFlat;
  heights.front() = 20'000.0f;
  heights.back() = -20'000.0f;
  CHECK(OpenTile(Made(lists, heights)).empty());
  heights.back() = std::nextafter(-20'000.0f, -30'000.0f);
  CHECK(OpenTile(Made({}, heights)) == "tile is damaged: a height that no ground has");

  SceneSource scene = SomeScene();
  scene.site = {5, 5, 125, 200};
  scene.spawn_points = {{5 + 125, 1e6f, 5}};
  scene.objects.objects[0].position = {5, 0, 5 - 125};
  CHECK(OpenScene(Made(scene)).empty());
  scene.spawn_points[0].y = 1.1e6f;
  CHECK(OpenScene(Made(scene)) == "scene is damaged: a spawn point outside of its encounter area");

  for (const std::uint32_t side : {1u, 1'024u}) {
    const auto bytes = MakeIndexBlob({side, 1'025 - side, 0, {{-1e6f, 1e6f, 125, 200}}});
    REQUIRE(bytes);
    CHECK(OpenIndexBlob(*bytes));
  }
}

TEST_CASE("an error of an object, a hull, a height or a scene has its number") {
  const auto amount = [](const ObjectLists& lists, const std::vector<float>& heights = kFlat) {
    const Bytes bytes = Made(lists, heights);
    return TileBlob::Open(bytes, {2, 1}).error().amount;
  };
  ObjectLists lists = SomeObjects();
  lists.objects[0].friction = -1;  // the moving one: it lies behind the static one
  CHECK(amount(lists) == 1);
  lists = SomeObjects();
  lists.hulls.push_back({{0, 0, 0}});
  CHECK(amount(lists) == 1);
  std::vector<float> heights = kFlat;
  heights.back() = 1e9f;
  CHECK(amount({}, heights) == 172 * 172 - 1);
  const auto index = MakeIndexBlob({4, 3, 0, {{0, 0, 20, 90}, {0, 0, 20, 90}, {0, 0, 20, 201}}});
  REQUIRE(index);
  CHECK(OpenIndexBlob(*index).error().amount == 2);
}

TEST_CASE("static objects come first, and otherwise the order stays") {
  ObjectLists lists;
  for (int i = 0; i < 40; ++i) {
    PlacedObject object;
    object.size = {1, 1, 1};
    object.position.x = static_cast<float>(i);
    object.motion = static_cast<std::uint32_t>(i % 3);
    lists.objects.push_back(object);
  }
  const Bytes bytes = Made(lists);
  const auto tile = TileBlob::Open(bytes, {2, 1});
  REQUIRE(tile);
  std::vector<float> expected, read;
  for (int i = 0; i < 40; i += 3) expected.push_back(static_cast<float>(i));
  for (int i = 0; i < 40; ++i) {
    if (i % 3 != 0) expected.push_back(static_cast<float>(i));
  }
  for (const PlacedObject& object : tile->objects().objects) read.push_back(object.position.x);
  CHECK(read == expected);
}

TEST_CASE("tiles have their numbers row by row, and their files their names") {
  const WorldIndex index{4, 3, 0, {}};
  CHECK(index.tiles() == 12);
  CHECK(index.NumberOf({3, 0}) == 3);
  CHECK(index.NumberOf({0, 1}) == 4);
  CHECK(index.NumberOf({3, 2}) == 11);
  CHECK(index.Has({0, 0}));
  CHECK_FALSE(index.Has({3, 3}));
  CHECK_FALSE(index.Has({0, -1}));
  CHECK(FileOfTile("a/b", {12, 3}) == "a/b/tile-12-3");
  CHECK(FileOfScene("a/b", 7) == "a/b/scene-7");
  CHECK(FileOfIndex("a/b") == "a/b/index");
}

}  // namespace
}  // namespace nowait
