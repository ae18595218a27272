// RenderFrame: the draw commands from the front end to the back end, as plain data.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_RENDER_FRAME_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_RENDER_FRAME_H_

#include <cstdint>
#include <vector>

namespace nowait {

// A filled rectangle, in pixels: left <= x < right, top <= y < bottom.
struct DrawCommand {
  std::int32_t left;
  std::int32_t top;
  std::int32_t right;
  std::int32_t bottom;
  std::uint8_t shade;
};

struct RenderFrame {
  std::uint32_t number = 0;
  std::uint64_t handed_over = 0;  // nanoseconds
  std::vector<DrawCommand> commands;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_RENDER_FRAME_H_
