// SavedPlay: a scene as a run has left it, from which another run goes on.
//
//   play pile --headless --seconds 10 --save pile.play
//   play --load pile.play
//
// The file is blobs in a row (src/resource/blob.h): one of kind "PLAY", with what the player knows
// beside the world, the world's own (World::Save), and those of the shapes that its bodies share
// (shape_set.h). So a scene on a terrain goes on without the file of the terrain's heights.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_
#define NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/apps/player/walkers.h"
#include "src/apps/player/wall.h"
#include "src/base/result.h"
#include "src/bodies/shape.h"
#include "src/collision/shape_set.h"

namespace nowait {

struct SavedPlay {
  std::string scene;                    // of SceneNames()
  std::optional<std::uint32_t> bodies;  // as PlayerScene::Create has it
  std::uint64_t seed = 0;
  std::uint64_t step = 0;               // frames that were computed
  std::vector<std::uint32_t> thrown;    // slots of the bodies that viewers threw, oldest first
  std::optional<SavedWall> wall;        // of a scene that has one
  std::optional<SavedWalkers> walkers;  // likewise
  std::optional<float> lift_time;       // of machines
  std::vector<std::byte> world;         // World::Save, with these shapes
  std::vector<Shape> shared;
  // Their owner, if they came from a file; null: the game that was saved has them.
  std::shared_ptr<const ShapeSet> shapes;
};

// kCapacity "blob bytes" or "memory".
Result<std::vector<std::byte>> ToBytes(const SavedPlay& saved);

// bytes: aligned to 16 bytes. kCorrupt names the fault of the first blob, of the second one's
// header or of a shape; World::Restore judges the second one's content.
Result<SavedPlay> ReadSavedPlay(std::span<const std::byte> bytes);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_SAVED_PLAY_H_
