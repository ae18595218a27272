#include "src/apps/terminal/painter.h"

#include <algorithm>

#include "src/apps/terminal/sight.h"
#include "src/base/or_end.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"

namespace nowait {

TaskId Painter::Begin(const World& world, const Camera& camera, PictureSize size, Look look) {
  world_ = &world;
  camera_ = camera;
  look_ = look;
  picture_ = Picture(size);
  const TaskId whole = pool_.AddOrEnd(TaskDef());
  for (std::uint32_t first = 0; first < size.lines; first += kLinesATask) {
    const TaskId lines = pool_.AddOrEnd([this, first] { Paint(first); },
                                        {.parent = whole,
                                         .priority = static_cast<std::uint8_t>(Priority::kLow),
                                         .affinity = affinity_},
                                        {.name = "paint"});
    OrEnd(pool_.Submit(lines));
  }
  return whole;
}

void Painter::Paint(std::uint32_t first_line) {
  const PictureSize size = picture_.size();
  Sight sight(*world_, camera_.eye());
  for (std::uint32_t line = first_line; line < std::min(first_line + kLinesATask, size.lines);
       ++line) {
    std::uint32_t column = 0;
    for (Pixel& pixel : picture_.line(line)) {
      const RayCast ray = camera_.RayThrough(column++, line, size);
      pixel = look_ == Look::kThrough ? sight.LookThrough(ray) : sight.Look(ray);
    }
  }
}

}  // namespace nowait
