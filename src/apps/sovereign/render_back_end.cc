#include "src/apps/sovereign/render_back_end.h"

#include <algorithm>

#include "src/base/assert.h"

namespace nowait {

void RenderBackEnd::DrawRows(const RenderFrame& frame, std::int32_t begin, std::int32_t end) {
  std::fill(image_.begin() + begin * kWidth, image_.begin() + end * kWidth, std::uint8_t{0});
  for (const DrawCommand& command : frame.commands) {
    const std::int32_t left = std::clamp(command.left, 0, kWidth);
    const std::int32_t right = std::clamp(command.right, left, kWidth);
    const std::int32_t bottom = std::clamp(command.bottom, begin, end);
    for (std::int32_t y = std::clamp(command.top, begin, bottom); y < bottom; ++y) {
      std::fill(image_.begin() + y * kWidth + left, image_.begin() + y * kWidth + right,
                command.shade);
    }
  }
}

void RenderBackEnd::Draw(const RenderFrame& frame) {
  auto draw = [&](std::uint32_t begin, std::uint32_t end) {
    DrawRows(frame, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
  };
  const auto added = batch_.AddLoop(kHeight, kBand, draw);
  NOWAIT_ASSERT(added.has_value(), "an empty batch has room for a loop");
  static_cast<void>(added);
  const auto ran = batch_.Run(pool_);
  NOWAIT_ASSERT(ran.has_value(), "the back end's thread is registered, and its jobs do not throw");
  static_cast<void>(ran);
  for (const std::uint8_t pixel : image_) hash_.AddByte(pixel);
}

}  // namespace nowait
