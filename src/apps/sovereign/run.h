// Run: the three sovereign threads of the review, with the pool to help them.
//
//   sampler    250 times a second     stick -> ring ------------.
//   game       frame by frame         ring -> game -> front end -> pipe
//   back end   one frame behind                                    pipe -> image
//
// Game and back end each fill a job list of their own, and both lists are run by the pool's workers and by
// whoever waits. Each has its own pace, and none holds up another but by the pipe: the game may be one frame ahead of the
// back end and no more.
//
// In lockstep the sampler takes as many samples for each frame as the ring has room for, and the game waits
// for the number that a frame has: nothing depends on time, and the images are the same in every run.
//
// Source: the review, "Doom 3 BFG Threading Model". Lecture: publication: the single-producer ring.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_RUN_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_RUN_H_

#include <cstdint>

#include "src/base/result.h"

namespace nowait {

struct SovereignDef {
  std::uint32_t frames = 240;
  std::uint32_t objects = 20'000;
  std::uint32_t workers = 1;
  std::uint64_t seed = 1;
  bool lockstep = false;
};

struct SovereignResult {
  std::uint64_t image_hash = 0;  // of all frames
  std::uint64_t commands = 0;
  std::uint64_t samples = 0;        // that came to the game
  std::uint64_t lost = 0;           // that found the ring full
  std::uint32_t least_samples = 0;  // in one frame but the first
  std::uint32_t most_samples = 0;
  // Nanoseconds, mean over the frames.
  std::uint64_t input_age = 0;       // from a sample to the frame that uses it
  std::uint64_t game_time = 0;       // game and front end
  std::uint64_t game_waits = 0;      // of the game for a command buffer
  std::uint64_t back_end_time = 0;   // drawing
  std::uint64_t back_end_waits = 0;  // of the back end for a frame
  std::uint64_t latency = 0;         // from the hand-over of a frame to its image
};

// Starts the threads, runs all frames at 60 a second (in lockstep as fast as they come) and ends the
// threads. After a delay a quarter of a second of frames is made up for at once, and no more.
// kCapacity "threads": the system refuses one.
Result<SovereignResult> RunSovereign(const SovereignDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_RUN_H_
