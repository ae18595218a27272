// Saved plays: refused with one line, or a scene that goes on, whatever words of the file's first
// blob were changed. That blob has what a scene keeps beside its world.
//
// An input is the number of a scene, and edits of its file, 6 bytes each: the word that is
// replaced, and its new value. The blob gets its right checksum. The input is also tried as a file.
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "src/apps/player/game.h"
#include "src/apps/player/saved_play.h"
#include "src/apps/player/scenes.h"
#include "src/resource/blob.h"
#include "tests/fuzz/promise.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array kScenes = {"course", "machines", "wall"};
constexpr std::uint32_t kBodies = 6;

struct Saved {
  explicit Saved(const char* name, TaskPool& pool)
      : scene(std::move(*PlayerScene::Load(name, ""))) {
    auto game = std::move(*PlayerGame::Create(scene, kBodies, 0, 1));
    for (int i = 0; i < 60; ++i) static_cast<void>(*game.Advance(pool));
    bytes = *ToBytes(*game.Save());
    BlobHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    first = header.bytes;
  }

  PlayerScene scene;
  Bytes bytes;
  std::size_t first = 0;  // the bytes of the first blob
};

Bytes Edited(const Saved& saved, const std::uint8_t* data, std::size_t size) {
  Bytes file = saved.bytes;
  for (std::size_t at = 0; at + 6 <= size; at += 6) {
    std::uint16_t word = 0;
    std::memcpy(&word, data + at, sizeof word);
    std::memcpy(file.data() + word % (saved.first / 4) * 4, data + at + 2, 4);
  }
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(file.data()) + 16, saved.first - 16));
  std::memcpy(file.data() + offsetof(BlobHeader, checksum), &checksum, sizeof checksum);
  return file;
}

void Check(const Saved& of, TaskPool& pool, const Bytes& file) {
  const auto saved = ReadSavedPlay(file);
  if (!saved) return fuzz::PromiseOneLine(ToString(saved.error()));
  // The program makes another scene then.
  if (saved->scene != of.scene.name() || saved->bodies != kBodies) return;
  auto game = PlayerGame::Create(of.scene, kBodies, 0, saved->seed);
  fuzz::Promise(game.has_value(), "any seed makes a scene");
  if (const auto restored = game->Restore(*saved); !restored) {
    return fuzz::PromiseOneLine(ToString(restored.error()));
  }
  for (int i = 0; i < 3; ++i) {
    fuzz::Promise(game->Advance(pool).has_value(), "a restored scene goes on");
  }
  const auto again = game->Save();
  fuzz::Promise(again.has_value(), "and can be saved");
  const auto hash = game->world().StateHash();
  fuzz::Promise(game->Restore(*again).has_value(), "what was saved can be restored");
  fuzz::Promise(game->world().StateHash() == hash, "and is the same");
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const nowait::PoolHere pool(0);
  static const std::array saved = {nowait::Saved(nowait::kScenes[0], pool),
                                   nowait::Saved(nowait::kScenes[1], pool),
                                   nowait::Saved(nowait::kScenes[2], pool)};
  if (size == 0) return 0;
  const nowait::Saved& of = saved[data[0] % saved.size()];
  nowait::Check(of, pool, nowait::Edited(of, data + 1, size - 1));
  nowait::Bytes raw(size);
  std::memcpy(raw.data(), data, size);
  nowait::Check(of, pool, raw);
  return 0;
}
