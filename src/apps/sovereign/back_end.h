// BackEnd: the renderer's back end, in software: it draws commands into an image and knows its hash.
//
// It stands in for a device: it works through whole command buffers, one after the other, and asks the
// game for nothing.
//
// Thread safety: one thread.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_BACK_END_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_BACK_END_H_

#include <cstdint>
#include <vector>

#include "src/apps/sovereign/render_frame.h"
#include "src/math/hash.h"

namespace nowait {

class BackEnd {
 public:
  // In pixels.
  static constexpr std::int32_t kWidth = 320;
  static constexpr std::int32_t kHeight = 180;

  BackEnd() : image_(static_cast<std::size_t>(kWidth) * kHeight) {}

  // Draws a frame from nothing. O(commands + pixels drawn).
  void Draw(const RenderFrame& frame);

  // Of all images so far, each of them whole.
  std::uint64_t hash() const { return hash_.value(); }

 private:
  std::vector<std::uint8_t> image_;
  Hash hash_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_BACK_END_H_
