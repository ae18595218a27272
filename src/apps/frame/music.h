// Music: a file that is read while it plays: each frame asks a device for the next one's block.
//
// Thread safety: the tasks that call Ask and Heard for a frame are ordered: Ask, the request,
// Heard, Ask for the frame after the next.
#ifndef NOWAIT_SRC_APPS_FRAME_MUSIC_H_
#define NOWAIT_SRC_APPS_FRAME_MUSIC_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/apps/frame/world.h"
#include "src/base/result.h"
#include "src/jobs/file_read.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class Music {
 public:
  static constexpr std::size_t kBlock = std::size_t{FrameWorld::kSamples} * 2;  // bytes a frame

  // blocks: the number in the file, at least 1; the first follows the last.
  Music(TaskPool& pool, std::string path, std::uint64_t blocks)
      : pool_(pool), path_(std::move(path)), blocks_(blocks) {}

  // A request for a frame's block, submitted.
  Result<TaskId> Ask(std::uint64_t frame) {
    Block& block = blocks_of_[frame % 2];
    block.read.emplace(path_, frame % blocks_ * kBlock, block.bytes);
    const auto task = pool_.AddRequest("disk", block.read->request());
    if (!task) return task;
    if (auto submitted = pool_.Submit(*task); !submitted) return std::unexpected(submitted.error());
    return task;
  }

  // The frame's block, once its request is complete.
  Result<std::span<const std::byte>> Heard(std::uint64_t frame) const {
    return blocks_of_[frame % 2].read->bytes();
  }

 private:
  struct Block {
    std::array<std::byte, kBlock> bytes;
    std::optional<FileRead> read;
  };

  TaskPool& pool_;
  const std::string path_;
  const std::uint64_t blocks_;
  std::array<Block, 2> blocks_of_;  // a frame's and the next one's
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_FRAME_MUSIC_H_
