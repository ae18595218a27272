// Tiles, scenes and indexes of an open world: refused with one line, or whole and usable.
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/resource/blob.h"
#include "src/streaming/contents.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_blob.h"
#include "src/streaming/world_index.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

constexpr TileCoord kTile{1, 2};
constexpr std::uint32_t kScene = 3;

template <class T>
bool IsThere(const Result<T>& opened) {
  if (!opened) fuzz::PromiseOneLine(ToString(opened.error()));
  return opened.has_value();
}

void CheckObjects(const ObjectsView& view) {
  for (const PlacedObject& object : view.objects) {
    fuzz::Promise(object.kind <= PlacedObject::kHull, "an object has a kind");
    fuzz::Promise(object.kind != PlacedObject::kHull || object.hull < view.hulls.size(),
                  "an object's hull is there");
    fuzz::Promise(IsFinite(object.position), "an object is somewhere");
  }
}

void CheckScene(const SceneBlob& scene) {
  fuzz::Promise(scene.site().IsValid(), "a scene has a site");
  for (const auto boxes : {scene.triggers(), scene.gates()}) {
    for (const SceneBox& box : boxes) {
      fuzz::Promise(IsFinite(box.centre) && IsFinite(box.half), "a box is somewhere");
    }
  }
  fuzz::Promise(SceneScript::IsName(scene.script_name()) || scene.script_text().empty(),
                "a script has a name");
  CheckObjects(scene.objects());
}

void CheckContents(const Result<Contents>& contents, std::size_t bodies) {
  if (!IsThere(contents)) return;  // points that make no hull
  fuzz::Promise(contents->bodies.size() == bodies, "each object is a body");
  for (const BodyDef& body : contents->bodies) {
    fuzz::Promise(body.shape.kind != ShapeKind::kHull || body.shape.hull != nullptr,
                  "a body's hull is there");
  }
}

void Check(const Bytes& bytes) {
  if (const auto tile = TileBlob::Open(bytes, kTile); IsThere(tile)) {
    fuzz::Promise(tile->heights().size() == TileBlob::kHeights, "a tile has all its heights");
    fuzz::Promise(tile->materials().size() == TileBlob::kCells, "a tile has all its materials");
    CheckObjects(tile->objects());
    CheckContents(ReadTile(bytes, {}, kTile, 0), 1 + tile->objects().objects.size());
  }
  if (const auto scene = SceneBlob::Open(bytes, kScene); IsThere(scene)) {
    CheckScene(*scene);
    CheckContents(ReadScene(bytes, kScene, scene->site(), 0),
                  scene->gates().size() + scene->objects().objects.size());
  }
  if (const auto index = OpenIndexBlob(bytes); IsThere(index)) {
    for (const SceneSite& site : index->scenes) fuzz::Promise(site.IsValid(), "a scene has a site");
  }
}

// With the header of a blob of this kind, and the right checksum.
Bytes Sealed(Bytes bytes, std::uint32_t kind, std::uint32_t version) {
  BlobHeader header{{'N', 'O', 'W', 'A', 'I', 'T', 'B', 'L'}, 1, 0, kind, version, bytes.size()};
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + 16, bytes.size() - 16));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

// With flat ground of soil behind the bytes: a fuzzer does not find 29,584 heights.
Bytes AsTile(Bytes bytes) {
  TileHeader header;
  std::memcpy(&header, bytes.data() + sizeof(BlobHeader), sizeof header);
  header.column = kTile.column;
  header.row = kTile.row;
  header.heights = {static_cast<std::uint32_t>(bytes.size()), TileBlob::kHeights};
  const std::size_t after = bytes.size() + TileBlob::kHeights * sizeof(float);
  header.materials = {static_cast<std::uint32_t>(after), TileBlob::kCells};
  std::memcpy(bytes.data() + sizeof(BlobHeader), &header, sizeof header);
  bytes.resize((after + TileBlob::kCells + 15) / 16 * 16);
  return Sealed(std::move(bytes), kTileKind, kTileVersion);
}

}  // namespace
}  // namespace nowait

// As it is, and with what no fuzzer guesses made right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nowait::Bytes bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  nowait::Check(bytes);
  if (size < 96) return 0;
  bytes.resize(size / 16 * 16);
  nowait::Check(nowait::Sealed(bytes, nowait::kSceneKind, nowait::kSceneVersion));
  nowait::Check(nowait::Sealed(bytes, nowait::FourCharacters("OPEN"), 1));
  nowait::Check(nowait::AsTile(bytes));
  return 0;
}
