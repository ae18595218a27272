// Painter: pictures of a world, painted by tasks while the world goes on.
//
//   painter.Begin(world, camera, size, Painter::Look::kAt);    a picture's task, held
//   pool.CancelGroup(task);                                    a picture that nobody wants any more
//
// A picture is an empty task with a child for every few lines; the children are submitted. It has
// low priority, and lasts for as long as the threads have more urgent work: it may outlast frames.
//
// Thread safety: Begin by one task of the pool at a time, when the picture before is complete and
// has been used; picture likewise.
#ifndef NOWAIT_SRC_APPS_TERMINAL_PAINTER_H_
#define NOWAIT_SRC_APPS_TERMINAL_PAINTER_H_

#include <cstdint>

#include "src/apps/terminal/camera.h"
#include "src/apps/terminal/picture.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {

class Painter {
 public:
  enum class Look : std::uint8_t { kAt, kThrough };  // Sight::Look, Sight::LookThrough
  static constexpr std::uint32_t kLinesATask = 8;

  // affinity: of the tasks that paint.
  Painter(TaskPool& pool, std::uint8_t affinity) : pool_(pool), affinity_(affinity) {}
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // The world outlives the picture's task, which is complete when the picture is whole. A picture
  // that is cancelled fails, and is not whole.
  TaskId Begin(const World& world, const Camera& camera, PictureSize size, Look look);

  // The picture that was begun last; once its task is complete.
  const Picture& picture() const { return picture_; }

 private:
  void Paint(std::uint32_t first_line);

  TaskPool& pool_;
  const std::uint8_t affinity_;
  // Of the picture that was begun last.
  const World* world_ = nullptr;
  Camera camera_{Bounds<3>()};
  Look look_ = Look::kAt;
  Picture picture_{PictureSize()};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_PAINTER_H_
