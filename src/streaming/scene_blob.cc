#include "src/streaming/scene_blob.h"

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

}  // namespace

Result<SceneBlob> SceneBlob::Open(std::span<const std::byte> bytes, std::uint32_t number) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kSceneKind, kSceneVersion); !kind) {
    return std::unexpected(kind.error());
  }
  const auto first = blob->First<SceneHeader>();
  if (!first) return std::unexpected(first.error());
  const SceneHeader& header = **first;
  if (header.number != number) return Wrong(0, "another scene");
  if (!header.site.IsValid()) return Wrong(0, "its place or its radii");
  const auto points = blob->Get(header.spawn_points);
  if (!points) return std::unexpected(points.error());
  for (std::size_t i = 0; i < points->size(); ++i) {
    if (!LiesWithin((*points)[i], header.site)) {
      return Wrong(i, "a spawn point outside of its encounter area");
    }
  }
  const auto objects = OpenObjects(*blob, header.objects);
  if (!objects) return std::unexpected(objects.error());
  for (std::size_t i = 0; i < objects->objects.size(); ++i) {
    if (!LiesWithin(objects->objects[i].position, header.site)) {
      return Wrong(i, "an object outside of its encounter area");
    }
  }
  return SceneBlob(*first, *points, *objects);
}

Result<std::vector<std::byte>> MakeSceneBlob(const SceneSource& scene) {
  BlobWriter writer(kSceneKind, kSceneVersion, SceneBlob::kMostBytes);
  SceneHeader header{scene.number, scene.site, {}, {}};
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto points = writer.AddArray<Vec3>(scene.spawn_points);
  if (!points) return std::unexpected(points.error());
  const auto arrays = AddObjects(scene.objects, writer);
  if (!arrays) return std::unexpected(arrays.error());
  header.spawn_points = *points;
  header.objects = *arrays;
  writer.Set(*first, header);
  return writer.Finish();
}

}  // namespace nowait
