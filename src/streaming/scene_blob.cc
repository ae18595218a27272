#include "src/streaming/scene_blob.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

std::unexpected<Error> Wrong(std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, "scene", static_cast<std::int64_t>(place), why);
}

bool LiesWithin(Vec3 point, const SceneSite& site) {
  const float dx = point.x - site.x;
  const float dz = point.z - site.z;
  return std::abs(point.y) <= 1e6f && dx * dx + dz * dz <= site.encounter * site.encounter;
}

bool IsSize(float half) {
  return half >= PlacedObject::kLeastSize && half <= SceneSite::kMostEncounter;
}

bool IsWithin(const SceneBox& box, const SceneSite& site) {
  return LiesWithin(box.centre, site) && IsSize(box.half.x) && IsSize(box.half.y) &&
         IsSize(box.half.z);
}

std::string_view TextOf(std::span<const char> text) { return {text.data(), text.size()}; }

}  // namespace

bool SceneScript::IsName(std::string_view name) {
  const auto fits = [](char c) { return c > ' ' && c <= '~' && c != '/'; };
  return !name.empty() && name.size() <= kMostName && std::ranges::all_of(name, fits);
}

Result<SceneBlob> SceneBlob::Open(std::span<const std::byte> bytes, std::uint32_t number) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kSceneKind, kSceneVersion); !kind) {
    return std::unexpected(kind.error());
  }
  const auto first = blob->First<SceneHeader>();
  if (!first) return std::unexpected(first.error());
  if ((*first)->number != number) return Wrong(0, "another scene");
  if (!(*first)->site.IsValid()) return Wrong(0, "its place or its radii");
  SceneBlob scene(*first);
  auto opened = scene.OpenPlaces(*blob);
  if (opened) opened = scene.OpenScript(*blob);
  if (!opened) return std::unexpected(opened.error());
  const auto objects = OpenObjects(*blob, (*first)->objects);
  if (!objects) return std::unexpected(objects.error());
  for (std::size_t i = 0; i < objects->objects.size(); ++i) {
    if (!LiesWithin(objects->objects[i].position, scene.site())) {
      return Wrong(i, "an object outside of its encounter area");
    }
  }
  scene.objects_ = *objects;
  return scene;
}

Result<void> SceneBlob::OpenPlaces(const Blob& blob) {
  const auto points = blob.Get(header_->spawn_points);
  if (!points) return std::unexpected(points.error());
  for (std::size_t i = 0; i < points->size(); ++i) {
    if (!LiesWithin((*points)[i], site())) {
      return Wrong(i, "a spawn point outside of its encounter area");
    }
  }
  spawn_points_ = *points;
  const auto triggers = blob.Get(header_->triggers);
  if (!triggers) return std::unexpected(triggers.error());
  if (triggers->size() > kMostTriggers) return Wrong(triggers->size(), "too many triggers");
  for (std::size_t i = 0; i < triggers->size(); ++i) {
    if (!IsWithin((*triggers)[i], site())) return Wrong(i, "the place or the size of a trigger");
  }
  triggers_ = *triggers;
  const auto gates = blob.Get(header_->gates);
  if (!gates) return std::unexpected(gates.error());
  if (gates->size() > kMostGates) return Wrong(gates->size(), "too many gates");
  for (std::size_t i = 0; i < gates->size(); ++i) {
    if (!IsWithin((*gates)[i], site())) return Wrong(i, "the place or the size of a gate");
  }
  gates_ = *gates;
  return {};
}

// Whether the text is one of a script, its language says when it is loaded.
Result<void> SceneBlob::OpenScript(const Blob& blob) {
  const auto name = blob.Get(header_->script_name);
  if (!name) return std::unexpected(name.error());
  const auto text = blob.Get(header_->script_text);
  if (!text) return std::unexpected(text.error());
  script_name_ = TextOf(*name);
  script_text_ = TextOf(*text);
  if (script_name_.empty() && script_text_.empty()) return {};
  if (!SceneScript::IsName(script_name_)) return Wrong(0, "the name of its script");
  if (script_text_.size() > SceneScript::kMostText) return Wrong(0, "its script is too long");
  return {};
}

Result<std::vector<std::byte>> MakeSceneBlob(const SceneSource& scene) {
  BlobWriter writer(kSceneKind, kSceneVersion, SceneBlob::kMostBytes);
  SceneHeader header;
  header.number = scene.number;
  header.site = scene.site;
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto points = writer.AddArray<Vec3>(scene.spawn_points);
  if (!points) return std::unexpected(points.error());
  const auto triggers = writer.AddArray<SceneBox>(scene.triggers);
  if (!triggers) return std::unexpected(triggers.error());
  const auto gates = writer.AddArray<SceneBox>(scene.gates);
  if (!gates) return std::unexpected(gates.error());
  const auto arrays = AddObjects(scene.objects, writer);
  if (!arrays) return std::unexpected(arrays.error());
  const auto name = writer.AddArray<char>(scene.script.name);
  if (!name) return std::unexpected(name.error());
  const auto text = writer.AddArray<char>(scene.script.text);
  if (!text) return std::unexpected(text.error());
  header.spawn_points = *points;
  header.triggers = *triggers;
  header.gates = *gates;
  header.objects = *arrays;
  header.script_name = *name;
  header.script_text = *text;
  writer.Set(*first, header);
  return writer.Finish();
}

}  // namespace nowait
