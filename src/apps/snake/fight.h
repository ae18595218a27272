// Fight: the end of a snake among ragdolls and rubble, measured in each frame.
//
//   the snake rears up, held by its motors ── dies_at ──> it falls on figures and rubble, and rests
//
// Frames of 1/30 s, each of one physics step or two. The question is the cost of one step and its
// loss beside two: the joints of a long chain are where a large step is seen first.
//
// Thread safety: by a main thread of the pool, outside tasks; it helps.
// Promise: the hash is the same for any number of threads.
// Source: [rouwe2022], which runs the physics at 60 Hz in frames of 30 Hz, or once.
#ifndef NOWAIT_SRC_APPS_SNAKE_FIGHT_H_
#define NOWAIT_SRC_APPS_SNAKE_FIGHT_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"

namespace nowait {

struct FightDef {
  std::uint32_t frames = 300;
  std::uint32_t steps = 2;  // in a frame
  std::uint32_t links = 60;
  std::uint32_t figures = 24;  // at most kMostFigures stand around the coil
  std::uint32_t rubble = 500;
  std::uint32_t dies_at = 60;  // frame
  // Of the snake's motors. The stiffness of one follows from the mass of two links, and it bears
  // that of all above it.
  std::uint32_t motor_hertz = 15;
  // The snake dies of a cut behind this link, counted from the tail: 1 .. links - 1; 0: in one
  // piece.
  std::uint32_t cut = 0;
  std::uint64_t seed = 1;
  std::function<bool()> interrupted = [] { return false; };

  static constexpr std::uint32_t kMostFigures = 44;
};

struct FightFrame {
  std::uint64_t cost = 0;  // nanoseconds, of World::Update
  float gap = 0.0f;        // metres: the widest of the snake's joints
  float force = 0.0f;      // newtons: the largest that one of them had to hold in the last step
  // The links' change of velocity since the frame before: the root of the mean of the squares, in
  // metres a second. In a snake at rest the eye sees it as a jitter.
  float jitter = 0.0f;
  std::uint32_t awake = 0;
};

struct FightResult {
  std::vector<FightFrame> frames;
  std::uint32_t bodies = 0;
  std::uint32_t joints = 0;
  float reared = 0.0f;  // metres: the height of the head when it died
  float fallen = 0.0f;  // and at the end
  std::uint64_t hash = 0;
};

// The errors of World::Create and of its functions; kInvalidArgument "links" or "cut".
Result<FightResult> RunFight(const FightDef& def, TaskPool& pool);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SNAKE_FIGHT_H_
