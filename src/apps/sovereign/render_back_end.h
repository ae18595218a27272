// RenderBackEnd: the renderer's back end, in software: it draws commands into an image and knows its hash.
//
// It works through whole command buffers, one after the other, and asks the game for nothing. Like the
// game it has a job list of its own, which it fills and submits without a thought of the other one's: a
// job draws a band of rows, all commands in their order, so the image is the same with any number of
// threads.
//
// Thread safety: one thread, a main thread of the pool; jobs on any.
//
// Source: the review, "Doom 3 BFG Threading Model": each sovereign thread fills sections of its own.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_RENDER_BACK_END_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_RENDER_BACK_END_H_

#include <cstdint>
#include <vector>

#include "src/apps/sovereign/render_frame.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/math/hash.h"

namespace nowait {

class RenderBackEnd {
 public:
  // In pixels.
  static constexpr std::int32_t kWidth = 320;
  static constexpr std::int32_t kHeight = 180;

  explicit RenderBackEnd(TaskPool& pool)
      : pool_(pool), image_(static_cast<std::size_t>(kWidth) * kHeight) {}

  // Draws a frame from nothing. O(bands * commands + pixels drawn).
  void Draw(const RenderFrame& frame);

  // Of all images so far, each of them whole.
  std::uint64_t hash() const { return hash_.value(); }

 private:
  static constexpr std::int32_t kBand = 20;  // rows

  // Rows begin .. end-1.
  void DrawRows(const RenderFrame& frame, std::int32_t begin, std::int32_t end);

  TaskPool& pool_;
  JobBatch batch_;
  std::vector<std::uint8_t> image_;
  Hash hash_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_RENDER_BACK_END_H_
