// Run: the three sovereign threads of [sanglard2013], and the pool that helps them.
//
//   sampler    250 times a second     stick -> ring ------------.
//   game       frame by frame         ring -> game -> front end -> pipe
//   back end   one frame behind                                    pipe -> image
//
// Game and back end each fill a job list of their own, and the pool's workers and waiting threads
// run both lists. Each thread has its own pace, and only the pipe makes one wait for another: the
// game may be at most one frame ahead of the back end.
//
// In lockstep the sampler takes as many samples for each frame as the ring has room for, and the
// game waits for a frame's number of samples: nothing depends on time, and the images are the same
// in every run.
//
// Source: [sanglard2013], "Doom 3 BFG Threading Model". Lecture: publication: the single-producer
// ring.
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
  std::uint64_t samples = 0;        // received by the game
  std::uint64_t lost = 0;           // rejected by a full ring
  std::uint32_t least_samples = 0;  // in one frame, except the first
  std::uint32_t most_samples = 0;
  // Nanoseconds, mean over the frames.
  std::uint64_t input_age = 0;       // from a sample to the frame that uses it
  std::uint64_t game_time = 0;       // game and front end
  std::uint64_t game_waits = 0;      // of the game for a command buffer
  std::uint64_t back_end_time = 0;   // drawing
  std::uint64_t back_end_waits = 0;  // of the back end for a frame
  std::uint64_t latency = 0;         // from the hand-over of a frame to its image
};

// Starts the threads, runs all frames at 60 a second (in lockstep as fast as possible) and ends the
// threads. After a delay at most a quarter of a second of frames is made up for at once. kCapacity
// "threads": the system refuses one.
Result<SovereignResult> RunSovereign(const SovereignDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_RUN_H_
