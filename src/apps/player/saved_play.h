// SavedPlay: a scene as a run has left it, from which another run goes on.
//
//   play pile --headless --seconds 10 --save pile.play
//   play --load pile.play
//
// The file is two blobs in a row (src/resource/blob.h): one of kind "PLAY", with what the player
// knows beside the world, and the world's own (World::Save).
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_
#define NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"

namespace nowait {

struct SavedPlay {
  std::string scene;                    // of SceneNames()
  std::optional<std::uint32_t> bodies;  // as PlayerScene::Create has it
  std::uint64_t seed = 0;
  std::uint64_t step = 0;             // frames that were computed
  std::vector<std::uint32_t> thrown;  // slots of the bodies that viewers have thrown, oldest first
  std::vector<std::byte> world;       // World::Save
};

// kCapacity "blob bytes" or "memory".
Result<std::vector<std::byte>> ToBytes(const SavedPlay& saved);

// bytes: aligned to 16 bytes. kCorrupt names the fault of the first blob, or of the second one's
// header; World::Restore judges the second one's content.
Result<SavedPlay> ReadSavedPlay(std::span<const std::byte> bytes);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_
