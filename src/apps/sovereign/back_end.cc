#include "src/apps/sovereign/back_end.h"

#include <algorithm>

namespace nowait {

void BackEnd::Draw(const RenderFrame& frame) {
  std::ranges::fill(image_, std::uint8_t{0});
  for (const DrawCommand& command : frame.commands) {
    const std::int32_t left = std::clamp(command.left, 0, kWidth);
    const std::int32_t right = std::clamp(command.right, left, kWidth);
    const std::int32_t bottom = std::clamp(command.bottom, 0, kHeight);
    for (std::int32_t y = std::clamp(command.top, 0, bottom); y < bottom; ++y) {
      std::fill(image_.begin() + y * kWidth + left, image_.begin() + y * kWidth + right,
                command.shade);
    }
  }
  for (const std::uint8_t pixel : image_) hash_.AddByte(pixel);
}

}  // namespace nowait
