// RenderBackEnd: the renderer's back end, in software: it draws commands into a hashed image.
//
// It processes whole command buffers, one after the other, and needs nothing else from the game.
// Like the game it has a job list of its own, which it fills and submits independently: a job draws
// all commands, in their order, in a band of rows, so the image is the same with any number of
// threads.
//
// Thread safety: one thread, a main thread of the pool; jobs on any.
//
// Source: [sanglard2013], "Doom 3 BFG Threading Model": each sovereign thread fills sections of its
// own.
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

  // Draws a frame on an empty image. O(bands * commands + pixels drawn).
  void Draw(const RenderFrame& frame);

  // The hash of all images so far, each of them whole.
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
