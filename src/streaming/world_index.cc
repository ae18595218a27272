#include "src/streaming/world_index.h"

#include <fmt/format.h>

#include "src/base/or_no_memory.h"
#include "src/resource/file.h"

namespace nowait {
namespace {

constexpr std::uint32_t kKind = FourCharacters("OPEN");
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMostBytes = 64u << 20;

struct IndexHeader {
  std::uint64_t source = 0;
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  BlobArray<SceneSite> scenes;
};
static_assert(BlobData<IndexHeader>);

std::unexpected<Error> Wrong(std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, "world index", static_cast<std::int64_t>(place), why);
}

bool IsSide(std::uint32_t tiles) { return tiles >= 1 && tiles <= WorldIndex::kMostSide; }

}  // namespace

std::string FileOfTile(const std::string& folder, TileCoord tile) {
  return fmt::format("{}/tile-{}-{}", folder, tile.column, tile.row);
}

std::string FileOfScene(const std::string& folder, std::uint32_t number) {
  return fmt::format("{}/scene-{}", folder, number);
}

std::string FileOfIndex(const std::string& folder) { return folder + "/index"; }

Result<std::vector<std::byte>> MakeIndexBlob(const WorldIndex& index) {
  BlobWriter writer(kKind, kVersion, kMostBytes);
  IndexHeader header{index.source, index.columns, index.rows, {}};
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto scenes = writer.AddArray<SceneSite>(index.scenes);
  if (!scenes) return std::unexpected(scenes.error());
  header.scenes = *scenes;
  writer.Set(*first, header);
  return writer.Finish();
}

Result<WorldIndex> OpenIndexBlob(std::span<const std::byte> bytes) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kKind, kVersion); !kind) return std::unexpected(kind.error());
  const auto header = blob->First<IndexHeader>();
  if (!header) return std::unexpected(header.error());
  if (!IsSide((*header)->columns) || !IsSide((*header)->rows)) {
    return Wrong(0, "not 1 to 1024 tiles along a side");
  }
  const auto scenes = blob->Get((*header)->scenes);
  if (!scenes) return std::unexpected(scenes.error());
  if (scenes->size() > WorldIndex::kMostScenes) return Wrong(scenes->size(), "too many scenes");
  for (std::size_t i = 0; i < scenes->size(); ++i) {
    if (!(*scenes)[i].IsValid()) return Wrong(i, "the place or the radii of a scene");
  }
  return OrNoMemory([&]() -> Result<WorldIndex> {
    return WorldIndex{
        (*header)->columns, (*header)->rows, (*header)->source, {scenes->begin(), scenes->end()}};
  });
}

Result<WorldIndex> LoadWorldIndex(const std::string& folder) {
  const std::string path = FileOfIndex(folder);
  const auto bytes = ReadFile(path, kMostBytes);
  if (bytes) return OpenIndexBlob(*bytes);
  // The subject of a file's errors is its path, which is gone before this error is.
  Error error = bytes.error();
  error.subject = "world index";
  return std::unexpected(error);
}

}  // namespace nowait
