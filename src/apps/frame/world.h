// FrameWorld: a frame's data, as in [bitsquid2010]: animation, scene graph, gui, render, sound.
//
// Each stage is a function that cuts its work into tasks and helps with them. The stages that it
// reads from, shown below, must be complete before it starts:
//
//   Animate ── UpdateScene ──┐
//                 UpdateGui ─┴─ Render ──┐
//                                   Mix ─┴─ Present
//
// Whole numbers only, and each element is written by one piece: the same hash for any number of
// threads.
//
// Thread safety: a stage by one thread at a time, which is one of the pool's.
//
// Source: World::update in [bitsquid2010]. The image stands in for a graphics card, the hash for a
// screen.
#ifndef NOWAIT_SRC_APPS_FRAME_WORLD_H_
#define NOWAIT_SRC_APPS_FRAME_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/math/hash.h"

namespace nowait {

class FrameWorld {
 public:
  // In pixels.
  static constexpr std::int32_t kWidth = 320;
  static constexpr std::int32_t kHeight = 180;
  // In samples of 16 bits: a 60th of a second at 48 kHz.
  static constexpr std::uint32_t kSamples = 800;

  // nodes: of the scene graph, at least 1; the parent of node i is node (i - 1) / 8.
  FrameWorld(TaskPool& pool, std::uint32_t nodes, std::uint64_t seed);

  Result<void> Animate(std::uint64_t frame);    // poses
  Result<void> UpdateScene();                   // places, from poses
  Result<void> UpdateGui(std::uint64_t frame);  // widgets
  Result<void> Render();                        // image, from places and widgets
  // music: little-endian samples, as many as there are; silence follows.
  Result<void> Mix(std::uint64_t frame, std::span<const std::byte> music);
  void Present();  // image and samples, into the hash

  std::uint64_t hash() const { return hash_.value(); }

 private:
  struct Point {
    std::int32_t x;
    std::int32_t y;
  };
  struct Widget {
    std::int32_t left;
    std::int32_t top;
    std::int32_t width;
    std::uint8_t shade;
  };

  void Fill(std::int32_t left, std::int32_t right, std::int32_t top, std::int32_t bottom,
            std::int32_t first_row, std::int32_t end_row, std::uint8_t shade);

  TaskPool& pool_;
  const std::uint32_t seed_;
  std::vector<Point> poses_;   // a node's place, relative to its parent
  std::vector<Point> places_;  // its place in the world, 16 units a pixel
  std::vector<Widget> widgets_;
  std::vector<std::uint8_t> image_;
  std::vector<std::int32_t> samples_;
  Hash hash_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_FRAME_WORLD_H_
