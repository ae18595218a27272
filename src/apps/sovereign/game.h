// Game: the game's logic and the renderer's front end, which share a thread; the pool helps.
//
// Thread safety: one thread. The work on objects goes to the pool in lists, in pieces that depend
// on the number of objects alone. Whole numbers only: the same input gives the same commands with
// any number of workers.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_GAME_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_GAME_H_

#include <cstdint>
#include <vector>

#include "src/apps/sovereign/input.h"
#include "src/apps/sovereign/render_frame.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class Game {
 public:
  Game(TaskPool& pool, std::uint32_t objects, std::uint64_t seed);

  void Steer(const InputSample& sample);
  // Moves all objects by one frame.
  void Step();
  // The front end: commands for the objects in view, in the order of their numbers.
  void MakeCommands(RenderFrame& frame);

 private:
  static constexpr std::int32_t kWorld = 1 << 14;  // the world is a torus of this width and height
  static constexpr std::uint32_t kPiece = 256;

  struct Object {
    std::int32_t x;
    std::int32_t y;
    std::int32_t dx;  // a frame
    std::int32_t dy;
    std::int32_t size;
    std::uint8_t shade;
  };

  TaskPool& pool_;
  JobBatch batch_;
  std::vector<Object> objects_;
  std::vector<std::vector<DrawCommand>> pieces_;
  std::int32_t view_x_ = 0;
  std::int32_t view_y_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_GAME_H_
