#include "src/streaming/world_source.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/resource/document_text.h"
#include "src/resource/file.h"
#include "src/resource/merge.h"
#include "tests/streaming/small_world.h"

namespace nowait {
namespace {

const std::string kScene = R"({"encounter": 40, "activation": 150,
 "objects": [{"shape": "box", "motion": "asleep", "size": [1, 2, 3], "at": [4, 5, 6],
              "repeat": [2, 3, 1], "step": [7, 8, 9], "friction": 0.25,
              "friction_rule": "minimum"}],
 "spawn_points": [{"at": [1, -2]}],
 "triggers": [{"at": [3, 1, 2], "half": [10, 11, 12]}],
 "gates": [{"at": [0, 2, -3], "half": [0.5, 2.5, 1.5]}],
 "script": "guard.lua"})";
const std::string kWorld = R"({"south": 10, "east": 20.5, "columns": 3, "rows": 2,
 "scatter": [{"shape": "hull", "motion": "static", "least": [1, 1, 1], "most": [2, 2, 2],
              "per_tile": 9, "upright": false}],
 "scenes_per_tile": 1, "scenes": ["a.json"]})";

// The text with one part replaced.
std::string With(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != text.npos);
  return text.replace(at, part.size(), by);
}
std::string ErrorOfScene(const std::string& text) {
  const auto scene = ParseSceneKind(text, "a.json");
  return scene ? "" : scene.error().text;
}
std::string ErrorOfWorld(const std::string& text) {
  std::vector<std::string> files;
  const auto world = ParseWorld(text, files);
  return world ? "" : world.error().text;
}

TEST_CASE("a scene's document is read") {
  const auto scene = ParseSceneKind(kScene, "a.json");
  REQUIRE(scene);
  CHECK(scene->encounter == 40);
  CHECK(scene->activation == 150);
  REQUIRE(scene->objects.size() == 1);
  const SceneObjects& objects = scene->objects[0];
  CHECK(objects.kind == PlacedObject::kBox);
  CHECK(objects.motion == PlacedObject::kAsleep);
  CHECK(objects.size == Vec3{1, 2, 3});
  CHECK(objects.at == Vec3{4, 5, 6});
  CHECK(objects.repeat[1] == 3);
  CHECK(objects.step == Vec3{7, 8, 9});
  CHECK(objects.grip.friction == 0.25f);
  CHECK(objects.grip.rule == CombineRule::kMinimum);
  REQUIRE(scene->spawn_points.size() == 1);
  CHECK(scene->spawn_points[0][1] == -2);
  CHECK(scene->triggers == std::vector<SceneBox>{{{3, 1, 2}, {10, 11, 12}}});
  CHECK(scene->gates == std::vector<SceneBox>{{{0, 2, -3}, {0.5f, 2.5f, 1.5f}}});
  CHECK(scene->script.name == "guard.lua");
}

TEST_CASE("triggers, gates and a script may be left out") {
  const auto scene = ParseSceneKind(
      R"({"encounter": 40, "activation": 150, "objects": [], "spawn_points": []})", "a.json");
  REQUIRE(scene);
  CHECK(scene->triggers.empty());
  CHECK(scene->gates.empty());
  CHECK_FALSE(scene->script.exists());
}

TEST_CASE("a world's document is read") {
  std::vector<std::string> files;
  const auto world = ParseWorld(kWorld, files);
  REQUIRE(world);
  CHECK(world->south == 10);
  CHECK(world->east == 20.5);
  CHECK(world->columns == 3);
  CHECK(world->rows == 2);
  REQUIRE(world->scatter.size() == 1);
  CHECK(world->scatter[0].per_tile == 9);
  CHECK_FALSE(world->scatter[0].upright);
  CHECK(world->scatter[0].grip.friction == PlacedObject().friction);
  CHECK(world->scatter[0].grip.rule == CombineRule::kUsual);
  CHECK(files == std::vector<std::string>{"a.json"});
}

TEST_CASE("an error of a scene names its field") {
  const std::vector<std::array<const char*, 3>> cases = {
      {"40", "126", "a.json: encounter: not a number from 1 to 125"},
      {"150", "\"far\"", "a.json: activation: not a number from 1 to 200"},
      {"\"activation\"", "\"activasion\"", "a.json: activasion: an unknown field"},
      {"\"encounter\": 40, ", "", "a.json: encounter: it is missing"},
      {"\"box\"", "\"cube\"",
       "a.json: objects[0].shape: not one of sphere, capsule, box, cylinder, hull"},
      {"\"asleep\"", "1", "a.json: objects[0].motion: not one of static, asleep, awake"},
      {"[1, 2, 3]", "[1, 0.0009, 3]", "a.json: objects[0].size: a size is 0.001 m at least"},
      {"[1, 2, 3]", "[1, 2]", "a.json: objects[0].size: not an array of 3 numbers"},
      {"[1, 2, 3]", "[1, 2, 999]", "a.json: objects[0].size: not a number from -128 to 128"},
      {"[4, 5, 6]", "[39, 5, 39]", "a.json: objects[0].at: outside of the encounter area"},
      {"[2, 3, 1]", "[0, 3, 1]", "a.json: objects[0].repeat: at least once along each axis"},
      {"[2, 3, 1]", "[2, 3, 65]", "a.json: objects[0].repeat: not a number from -64 to 64"},
      {"[7, 8, 9]", "{}", "a.json: objects[0].step: not an array of 3 numbers"},
      {"0.25", "-0.25", "a.json: objects[0].friction: not a number from 0 to 10"},
      {"\"minimum\"", "\"least\"",
       "a.json: objects[0].friction_rule: not one of usual, geometric_mean, average, minimum, "
       "multiply, maximum"},
      {"[1, -2]", "[30, 30]", "a.json: spawn_points[0].at: outside of the encounter area"},
      {"[{\"at\": [1, -2]}]", "7", "a.json: spawn_points: not an array"},
      {"[10, 11, 12]", "[10, 0, 12]", "a.json: triggers[0].half: a size is 0.001 m at least"},
      {"[0.5, 2.5, 1.5]", "[0.0009, 2.5, 1.5]",
       "a.json: gates[0].half: a size is 0.001 m at least"},
      {"[10, 11, 12]", "[10, 11, 126]", "a.json: triggers[0].half: not a number from -125 to 125"},
      {"[3, 1, 2]", "[39, 1, 20]", "a.json: triggers[0].at: outside of the encounter area"},
      {"\"half\": [0.5", "\"halves\": [0.5", "a.json: gates[0].halves: an unknown field"},
      {"[0, 2, -3]", "4", "a.json: gates[0].at: not an array of 3 numbers"},
      {"\"guard.lua\"", "3", "a.json: script: not a text"},
      {"\"guard.lua\"", "\"\"", "a.json: script: no name of a file in the folder"},
      {"\"guard.lua\"", "\"../a.lua\"", "a.json: script: no name of a file in the folder"},
      {"\"guard.lua\"", "\"guard.so\"", "a.json: script: a script ends in .lua"},
  };
  for (const auto& [part, by, error] : cases) {
    CAPTURE(part, by);
    CHECK(ErrorOfScene(With(kScene, part, by)) == error);
  }
  CHECK(ErrorOfScene("{\n1").starts_with("a.json:2:"));
  CHECK(ErrorOfScene("[]") == "a.json: document: not an object");
}

TEST_CASE("there are so many triggers and gates at most") {
  for (const char* const key : {"triggers", "gates"}) {
    std::string boxes;
    for (int i = 0; i < 65; ++i) {
      if (i > 0) boxes += ", ";
      boxes += R"({"at": [0, 0, 0], "half": [1, 1, 1]})";
    }
    const std::string before = R"({"encounter": 40, "activation": 150, "objects": [],
      "spawn_points": [], ")";
    CHECK(ErrorOfScene(before + key + "\": [" + boxes + "]}") ==
          std::string("a.json: ") + key + "[64].at: more than 64 of them");
  }
}

TEST_CASE("an error of a script names its file and its line") {
  const auto error = [](const std::string& text) {
    const auto good = CheckScript({"guard.lua", text});
    return good ? "" : good.error().text;
  };
  CHECK(error("fields = {open = false}\nfunction event(self) self.open = true end").empty());
  CHECK(
      error("fields = {}\nfunction event(self)\n  self.open =\nend").starts_with("guard.lua:4: "));
  CHECK(error("\n\nlocal x = nothing.y").starts_with("guard.lua:3: "));
  CHECK(error("fields = {open = 'yes'} function event() end").starts_with("guard.lua"));
  CHECK(error("while true do end").starts_with("guard.lua"));
  CHECK(error("").starts_with("guard.lua: "));
  CHECK(error("local kept = {}\nfor i = 1, 99 do kept[i] = string.rep('x', 1000) .. i end\n"
              "function event() return kept end") == "guard.lua:2: too much memory");
  CHECK(error(std::string(SceneScript::kMostText + 1, ' ')) ==
        "guard.lua: longer than 49152 bytes");
}

// A folder with a world of one scene; `script` is the text of its script, if it has the file.
std::string ErrorOfFolder(const char* script, std::uint64_t* hash = nullptr) {
  const TemporaryFolder folder;
  const auto write = [&](const char* file, std::string_view text) {
    REQUIRE(WriteFileWhole(folder.path() + "/" + file, text));
  };
  write("world.json", kWorld);
  write("a.json", kScene);
  if (script != nullptr) write("guard.lua", script);
  const auto world = LoadWorldSource(folder.path());
  if (world && hash != nullptr) *hash = world->hash;
  if (world) CHECK(world->scenes[0].script.text == script);
  return world ? "" : world.error().text.substr(0, world.error().text.find(": "));
}

TEST_CASE("a script is read with its scene, and is part of the world's hash") {
  std::uint64_t one = 0, two = 0;
  CHECK(ErrorOfFolder("function update() end", &one).empty());
  CHECK(ErrorOfFolder("function update() end -- twice", &two).empty());
  CHECK(one != two);
  CHECK(ErrorOfFolder("function update() end end") == "guard.lua:1");
  CHECK(ErrorOfFolder(nullptr).ends_with("/guard.lua not found"));
}

TEST_CASE("an error of a world names its field") {
  const std::vector<std::array<const char*, 3>> cases = {
      {"10", "-1", "world.json: south: not a number from 0 to 1000000"},
      {"3", "0", "world.json: columns: not a number from 1 to 1024"},
      {"\"rows\": 2", "\"rows\": 2.5", "world.json: rows: not a whole number"},
      {"[2, 2, 2]", "[2, 0.5, 2]", "world.json: scatter[0].most: it is less than the least"},
      {"9", "5000", "world.json: scatter[0].per_tile: not a number from 1 to 4096"},
      {"false", "0", "world.json: scatter[0].upright: neither true nor false"},
      {"false", "false, \"friction\": 11",
       "world.json: scatter[0].friction: not a number from 0 to 10"},
      {"false", "false, \"friction_rule\": 3",
       "world.json: scatter[0].friction_rule: not one of usual, geometric_mean, average, minimum, "
       "multiply, maximum"},
      {"[\"a.json\"]", "[]", "world.json: scenes: it is empty"},
      {"\"a.json\"", "\"../a.json\"", "world.json: scenes: a name has no '/'"},
      {"\"a.json\"", "4", "world.json: scenes[0]: not a text"},
  };
  for (const auto& [part, by, error] : cases) {
    CAPTURE(part, by);
    CHECK(ErrorOfWorld(With(kWorld, part, by)) == error);
  }
}

// The scene's objects as another shape, with a scale.
std::string Stretched(const std::string& shape, const std::string& scale) {
  const std::string text = With(kScene, "\"box\"", "\"" + shape + "\"");
  return With(text, "\"friction\"", "\"scale\": " + scale + ", \"friction\"");
}
std::string StretchedHull(const std::string& scale) {
  return With(kWorld, "\"upright\"", "\"scale\": " + scale + ", \"upright\"");
}

TEST_CASE("placed and scattered objects may be stretched") {
  CHECK(ParseSceneKind(kScene, "a.json")->objects[0].scale == Vec3{1, 1, 1});
  const auto scene = ParseSceneKind(Stretched("box", "[2, 0.5, -3]"), "a.json");
  REQUIRE(scene);
  CHECK(scene->objects[0].scale == Vec3{2, 0.5f, -3});
  CHECK(scene->objects[0].size == Vec3{1, 2, 3});
  std::vector<std::string> files;
  const auto world = ParseWorld(StretchedHull("[1, 0.25, 3]"), files);
  REQUIRE(world);
  CHECK(world->scatter[0].scale == Vec3{1, 0.25f, 3});
  for (const auto& [shape, scale] :
       {std::pair("sphere", "[2, -2, 2]"), std::pair("capsule", "[0.5, 0.5, 0.5]"),
        std::pair("cylinder", "[2, 0.1, 2]"), std::pair("hull", "[3, 0.2, 1]")}) {
    CAPTURE(shape);
    CHECK(ErrorOfScene(Stretched(shape, scale)).empty());
  }
}

TEST_CASE("a scale that a shape cannot take is refused by name") {
  const std::string field = "a.json: objects[0].scale: ";
  const std::string factor = field + "a factor is 0.001 .. 1000, or the negative of that";
  const std::string size = field + "its shape would not be of 0.001 .. 128 m";
  const std::string equal = field + "a sphere and a capsule take three factors of one size";
  const std::vector<std::array<std::string, 3>> cases = {
      {"box", "[1, 1]", field + "not an array of 3 numbers"},
      {"box", "[1, 1, \"1\"]", field + "not a number from -1000 to 1000"},
      {"box", "[1, 1, 1000.5]", field + "not a number from -1000 to 1000"},
      {"box", "[1, 0, 1]", factor},
      {"box", "[1, 1, -0.0009]", factor},
      {"box", "[129, 1, 1]", size},
      {"sphere", "[0.5, 0.5, 0.4]", equal},
      {"capsule", "[1, 2, 1]", equal},
      {"capsule", "[100, 100, 100]", size},
      {"cylinder", "[1, 1, 2]", field + "a cylinder takes factors of one size along x and z"},
      {"hull", "[1, 129, 1]", size},
      {"hull", "[0.001, 100, 100]", field + "all nearly in one plane"},
  };
  for (const auto& [shape, scale, error] : cases) {
    CAPTURE(shape, scale);
    CHECK(ErrorOfScene(Stretched(shape, scale)) == error);
  }
  // The largest of those that are scattered counts as well as the smallest.
  CHECK(ErrorOfWorld(StretchedHull("[65, 65, 65]")) ==
        "world.json: scatter[0].scale: its shape would not be of 0.001 .. 128 m");
}

TEST_CASE("an id is a name of its own, and changes nothing") {
  const std::string named = With(kScene, R"({"shape")", R"({"id": "wall", "shape")");
  const auto scene =
      ParseSceneKind(With(named, R"({"at": [1)", R"({"id": "first", "at": [1)"), "a.json");
  REQUIRE(scene);
  CHECK(scene->objects[0].size == Vec3{1, 2, 3});
  CHECK(ErrorOfScene(With(named, R"("wall")", "7")) == "a.json: objects[0].id: not a text");
  const std::string points = R"({"id": "a", "at": [1, 2]}, {"id": "a", "at": [3, 4]})";
  CHECK(ErrorOfScene(With(kScene, R"({"at": [1, -2]})", points)) ==
        "a.json: spawn_points[1].id: another one has it");
  CHECK(ErrorOfScene(With(kScene, R"({"at": [1, -2]})", R"({"at": [1, -2], "it": 1})")) ==
        "a.json: spawn_points[0].it: an unknown field");
  const auto rule = With(kWorld, R"({"shape")", R"({"id": "stones", "shape")");
  CHECK(ErrorOfWorld(rule).empty());
  CHECK(ErrorOfWorld(With(rule, R"("stones")", "null")) == "world.json: scatter[0].id: not a text");
}

TEST_CASE("two people change a scene of the open world, and the merge is one of its documents") {
  const auto bytes = ReadFile("src/apps/openworld/world/camp.json", 1 << 20);
  REQUIRE(bytes);
  const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // One moves the boxes and takes the spheres away; the other repeats the boxes and puts the
  // capsules, which it makes larger, in front.
  std::string left = With(text, R"("at": [-12, 1.2, -10])", R"("at": [-11, 1.2, -10])");
  const std::size_t sphere = left.find(R"(    {"id": "awake spheres")");
  left.erase(sphere, left.find('\n', sphere) + 1 - sphere);
  std::string right = With(text, R"("repeat": [4, 1, 2])", R"("repeat": [3, 1, 2])");
  const std::size_t capsule = right.find(R"(    {"id": "awake capsules")");
  const std::string moved = right.substr(capsule, right.find('\n', capsule) - capsule);
  right.erase(right.rfind(',', capsule), right.find('\n', capsule) - right.rfind(',', capsule));
  right = With(
      right, R"(    {"id": "standing boxes")",
      With(moved, "0.2, 0.5, 0.2", "0.3, 0.6, 0.3") + ",\n" + R"(    {"id": "standing boxes")");
  const auto base = ParseDocument(text), one = ParseDocument(left), other = ParseDocument(right);
  REQUIRE((base && one && other));
  const auto merged = Merge(&*base, *one, *other, {});
  REQUIRE(merged);
  CHECK(merged->conflicts.empty());
  const auto scene = ParseSceneKind(WriteDocument(merged->document, LayoutOf(text)), "camp.json");
  INFO((scene ? "" : scene.error().text));
  REQUIRE(scene);
  REQUIRE(scene->objects.size() == 3);
  CHECK(scene->objects[0].kind == PlacedObject::kCapsule);
  CHECK(scene->objects[0].size == Vec3{0.3f, 0.6f, 0.3f});
  CHECK(scene->objects[1].at.x == -11);
  CHECK(scene->objects[1].repeat[0] == 3);
  CHECK(scene->objects[2].kind == PlacedObject::kCylinder);
}

TEST_CASE("the documents of the open world are good") {
  const auto world = LoadWorldSource("src/apps/openworld/world");
  INFO((world ? "" : world.error().text));
  REQUIRE(world);
  CHECK(world->scenes.size() == 3);
  CHECK(world->hash != 0);
  const auto nowhere = LoadWorldSource("no/such/folder");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().text == "no/such/folder/world.json not found: No such file or directory");
}

}  // namespace
}  // namespace nowait
