#include "src/streaming/world_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "src/collision/scaled_shape.h"
#include "src/math/hash.h"
#include "src/resource/document_text.h"
#include "src/resource/file.h"
#include "src/script/lua_language.h"
#include "src/streaming/document_reader.h"
#include "src/streaming/object_scale.h"
#include "src/streaming/scene_site.h"
#include "src/streaming/world_index.h"

namespace nowait {
namespace {

constexpr std::int64_t kMostBytes = 1 << 20;  // of a document
constexpr double kFarthest = 1e6;             // metres
constexpr std::uint32_t kMostObjects = 100'000;

std::expected<Value, SourceError> Parse(std::string_view text, std::string_view file) {
  auto document = ParseDocument(text);
  if (document) return *std::move(document);
  const auto place = static_cast<std::size_t>(document.error().amount);
  return std::unexpected(SourceError{
      fmt::format("{}:{}: {}", file, PlaceOf(text, place), ToString(document.error()))});
}

PlacedObject::Kind KindOf(DocumentReader& in, const Value& object) {
  return static_cast<PlacedObject::Kind>(
      in.Choice(object, "shape", {"sphere", "capsule", "box", "cylinder", "hull"}));
}

PlacedObject::Motion MotionOf(DocumentReader& in, const Value& object) {
  return static_cast<PlacedObject::Motion>(
      in.Choice(object, "motion", {"static", "asleep", "awake"}));
}

void CheckSizes(DocumentReader& in, std::string_view key, Vec3 size) {
  if (!(std::min({size.x, size.y, size.z}) >= PlacedObject::kLeastSize)) {
    in.Fail(key, "a size is 0.001 m at least");
  }
}

Vec3 SizeOf(DocumentReader& in, const Value& object, std::string_view key) {
  const Vec3 size = in.Vector(object, key, PlacedObject::kMostSize);
  // All three, also where a shape needs fewer: there they are any other size.
  CheckSizes(in, key, size);
  return size;
}

// An item may have a name, by which a merge finds it again (src/resource/merge.h). The program does
// not use it. ids: those of the array so far.
void CheckId(DocumentReader& in, const Value& item, std::set<std::string>& ids) {
  const Value* const id = item.Find("id");
  if (id == nullptr) return;
  if (!ids.insert(in.Text(*id, "id")).second) in.Fail("id", "another one has it");
}

// Both fields are optional.
Grip GripOf(DocumentReader& in, const Value& object) {
  Grip grip;
  if (object.Find("friction") != nullptr) {
    grip.friction =
        static_cast<float>(in.Number(object, "friction", 0.0, PlacedObject::kMostFriction));
  }
  if (object.Find("friction_rule") != nullptr) {
    grip.rule = static_cast<CombineRule>(
        in.Choice(object, "friction_rule",
                  {"usual", "geometric_mean", "average", "minimum", "multiply", "maximum"}));
  }
  return grip;
}

// Optional. sizes: those that the shape is stretched from.
Vec3 ScaleOf(DocumentReader& in, const Value& object, PlacedObject::Kind kind,
             std::initializer_list<Vec3> sizes) {
  if (object.Find("scale") == nullptr) return kNoScale;
  const Vec3 scale = in.Vector(object, "scale", kMostScale);
  if (!in.error().empty()) return kNoScale;
  for (const Vec3 size : sizes) {
    const auto scaled = ScaledSize(kind, size, scale);
    if (!scaled) in.Fail("scale", scaled.error().detail);
  }
  return scale;
}

ScatterRule RuleOf(DocumentReader& in, const Value& object) {
  in.Expect(object, {"id", "shape", "motion", "least", "most", "per_tile", "upright", "friction",
                     "friction_rule", "scale"});
  ScatterRule rule;
  rule.kind = KindOf(in, object);
  rule.motion = MotionOf(in, object);
  rule.least = SizeOf(in, object, "least");
  rule.most = SizeOf(in, object, "most");
  if (rule.most.x < rule.least.x || rule.most.y < rule.least.y || rule.most.z < rule.least.z) {
    in.Fail("most", "it is less than the least");
  }
  rule.per_tile = in.Whole(object, "per_tile", 1, ScatterRule::kMostPerTile);
  rule.upright = in.Flag(object, "upright");
  rule.grip = GripOf(in, object);
  rule.scale = ScaleOf(in, object, rule.kind, {rule.least, rule.most});
  return rule;
}

SceneObjects ObjectsOf(DocumentReader& in, const Value& object) {
  in.Expect(object, {"id", "shape", "motion", "size", "at", "repeat", "step", "friction",
                     "friction_rule", "scale"});
  SceneObjects objects;
  objects.kind = KindOf(in, object);
  objects.motion = MotionOf(in, object);
  objects.size = SizeOf(in, object, "size");
  objects.at = in.Vector(object, "at", SceneSite::kMostEncounter);
  const std::vector<double> repeat = in.Numbers(object, "repeat", 3, SceneObjects::kMostRepeat);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(repeat[i] >= 1.0)) in.Fail("repeat", "at least once along each axis");
    objects.repeat[i] = repeat[i] >= 1.0 ? static_cast<std::uint32_t>(repeat[i]) : 1;
  }
  objects.step = in.Vector(object, "step", SceneSite::kMostEncounter);
  objects.grip = GripOf(in, object);
  objects.scale = ScaleOf(in, object, objects.kind, {objects.size});
  return objects;
}

bool EndsWithin(const SceneObjects& objects, float encounter) {
  for (const std::uint32_t i : {0u, objects.repeat[0] - 1}) {
    for (const std::uint32_t k : {0u, objects.repeat[2] - 1}) {
      const float x = objects.at.x + objects.step.x * static_cast<float>(i);
      const float z = objects.at.z + objects.step.z * static_cast<float>(k);
      if (x * x + z * z > 0.998f * encounter * encounter) return false;
    }
  }
  return true;
}

void ReadObjects(DocumentReader& in, const Value& document, SceneKind& scene) {
  std::uint32_t count = 0;
  std::set<std::string> ids;
  for (const Value& item : in.Items(document, "objects")) {
    in.Enter(fmt::format("objects[{}].", scene.objects.size()));
    CheckId(in, item, ids);
    scene.objects.push_back(ObjectsOf(in, item));
    const SceneObjects& objects = scene.objects.back();
    if (!EndsWithin(objects, scene.encounter)) in.Fail("at", "outside of the encounter area");
    count += objects.repeat[0] * objects.repeat[1] * objects.repeat[2];
    if (count > kMostObjects) in.Fail("repeat", "more than 100,000 objects in a scene");
    if (!in.error().empty()) return;
  }
  in.Enter({});
}

void ReadSpawnPoints(DocumentReader& in, const Value& document, SceneKind& scene) {
  std::set<std::string> ids;
  for (const Value& item : in.Items(document, "spawn_points")) {
    in.Enter(fmt::format("spawn_points[{}].", scene.spawn_points.size()));
    in.Expect(item, {"id", "at"});
    CheckId(in, item, ids);
    const std::vector<double> at = in.Numbers(item, "at", 2, SceneSite::kMostEncounter);
    if (at[0] * at[0] + at[1] * at[1] > 0.998 * scene.encounter * scene.encounter) {
      in.Fail("at", "outside of the encounter area");
    }
    scene.spawn_points.push_back({static_cast<float>(at[0]), static_cast<float>(at[1])});
  }
  in.Enter({});
}

std::vector<SceneBox> ReadBoxes(DocumentReader& in, const Value& document, const char* key,
                                std::size_t most, float encounter) {
  std::vector<SceneBox> boxes;
  if (document.Find(key) == nullptr) return boxes;  // optional
  for (const Value& item : in.Items(document, key)) {
    in.Enter(fmt::format("{}[{}].", key, boxes.size()));
    in.Expect(item, {"at", "half"});
    const Vec3 at = in.Vector(item, "at", SceneSite::kMostEncounter);
    const Vec3 half = in.Vector(item, "half", SceneSite::kMostEncounter);
    CheckSizes(in, "half", half);
    if (at.x * at.x + at.z * at.z > 0.998f * encounter * encounter) {
      in.Fail("at", "outside of the encounter area");
    }
    if (boxes.size() == most) in.Fail("at", fmt::format("more than {} of them", most));
    if (!in.error().empty()) break;
    boxes.push_back({at, half});
  }
  in.Enter({});
  return boxes;
}

void ReadScript(DocumentReader& in, const Value& document, SceneKind& scene) {
  const Value* const script = document.Find("script");
  if (script == nullptr) return;
  scene.script.name = in.Text(*script, "script");
  if (!in.error().empty()) return;
  if (!SceneScript::IsName(scene.script.name)) in.Fail("script", "no name of a file in the folder");
  if (!scene.script.name.ends_with(".lua")) in.Fail("script", "a script ends in .lua");
}

void AddText(Hash& hash, std::span<const std::byte> text) {
  hash.Add(static_cast<std::uint32_t>(text.size()));
  for (const std::byte byte : text) hash.AddByte(static_cast<std::uint8_t>(byte));
}

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::expected<std::vector<std::byte>, SourceError> ReadText(const std::string& folder,
                                                            const std::string& file) {
  const std::string path = folder + "/" + file;
  auto bytes = ReadFile(path, kMostBytes);
  if (!bytes) return std::unexpected(SourceError{ToString(bytes.error())});
  return *std::move(bytes);
}

}  // namespace

std::expected<SceneKind, SourceError> ParseSceneKind(std::string_view text, std::string file) {
  const auto document = Parse(text, file);
  if (!document) return std::unexpected(document.error());
  DocumentReader in(file);
  in.Expect(*document,
            {"encounter", "activation", "objects", "spawn_points", "triggers", "gates", "script"});
  SceneKind scene;
  scene.file = std::move(file);
  scene.encounter =
      static_cast<float>(in.Number(*document, "encounter", 1.0, SceneSite::kMostEncounter));
  scene.activation =
      static_cast<float>(in.Number(*document, "activation", 1.0, SceneSite::kMostActivation));
  ReadObjects(in, *document, scene);
  if (in.error().empty()) ReadSpawnPoints(in, *document, scene);
  if (in.error().empty()) {
    scene.triggers =
        ReadBoxes(in, *document, "triggers", SceneBlob::kMostTriggers, scene.encounter);
  }
  if (in.error().empty()) {
    scene.gates = ReadBoxes(in, *document, "gates", SceneBlob::kMostGates, scene.encounter);
  }
  if (in.error().empty()) ReadScript(in, *document, scene);
  if (!in.error().empty()) return std::unexpected(SourceError{in.error()});
  return scene;
}

std::expected<WorldSource, SourceError> ParseWorld(std::string_view text,
                                                   std::vector<std::string>& files) {
  const auto document = Parse(text, "world.json");
  if (!document) return std::unexpected(document.error());
  DocumentReader in("world.json");
  in.Expect(*document,
            {"south", "east", "columns", "rows", "scatter", "scenes_per_tile", "scenes"});
  WorldSource world;
  world.south = in.Number(*document, "south", 0.0, kFarthest);
  world.east = in.Number(*document, "east", 0.0, kFarthest);
  world.columns = in.Whole(*document, "columns", 1, WorldIndex::kMostSide);
  world.rows = in.Whole(*document, "rows", 1, WorldIndex::kMostSide);
  world.scenes_per_tile = in.Whole(*document, "scenes_per_tile", 0, 64);
  std::set<std::string> ids;
  for (const Value& item : in.Items(*document, "scatter")) {
    in.Enter(fmt::format("scatter[{}].", world.scatter.size()));
    CheckId(in, item, ids);
    world.scatter.push_back(RuleOf(in, item));
  }
  in.Enter({});
  for (const Value& item : in.Items(*document, "scenes")) {
    files.push_back(in.Text(item, fmt::format("scenes[{}]", files.size())));
    if (files.back().find('/') != std::string::npos) in.Fail("scenes", "a name has no '/'");
  }
  if (world.scenes_per_tile > 0 && files.empty()) in.Fail("scenes", "it is empty");
  if (!in.error().empty()) return std::unexpected(SourceError{in.error()});
  return world;
}

std::expected<void, SourceError> CheckScript(const SceneScript& script) {
  if (script.text.size() > SceneScript::kMostText) {
    return std::unexpected(
        SourceError{fmt::format("{}: longer than {} bytes", script.name, SceneScript::kMostText)});
  }
  const auto machine = LuaLanguage({.memory = SceneScript::kMostMemory}).CreateMachine();
  if (!machine) return std::unexpected(SourceError{ToString(machine.error())});
  const auto loaded = (*machine)->Load(script.name, std::as_bytes(std::span(script.text)));
  if (!loaded) return std::unexpected(SourceError{loaded.error().text});
  return {};
}

std::expected<WorldSource, SourceError> LoadWorldSource(const std::string& folder) {
  const auto text = ReadText(folder, "world.json");
  if (!text) return std::unexpected(text.error());
  std::vector<std::string> files;
  auto world = ParseWorld(TextOf(*text), files);
  if (!world) return world;
  Hash hash;
  AddText(hash, *text);
  for (const std::string& file : files) {
    const auto scene_text = ReadText(folder, file);
    if (!scene_text) return std::unexpected(scene_text.error());
    auto scene = ParseSceneKind(TextOf(*scene_text), file);
    if (!scene) return std::unexpected(scene.error());
    AddText(hash, *scene_text);
    if (scene->script.exists()) {
      const auto script = ReadText(folder, scene->script.name);
      if (!script) return std::unexpected(script.error());
      scene->script.text = TextOf(*script);
      if (auto good = CheckScript(scene->script); !good) return std::unexpected(good.error());
      AddText(hash, *script);
    }
    world->scenes.push_back(*std::move(scene));
  }
  world->hash = hash.value();
  return world;
}

}  // namespace nowait
