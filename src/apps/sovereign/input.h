// Input: the player's actions, sampled at their own pace by a thread of their own.
//
// The sampler's thread is independent of frames: it reads the stick 250 times a second, even while
// a frame takes too long, and the game finds all samples since the last frame in a ring. When the
// game stays away until the ring is full, samples are lost, and counted; the sampler does not wait.
//
// Source: [sanglard2013], "Doom 3 BFG Threading Model", 3: high frequency joystick sampling.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_INPUT_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_INPUT_H_

#include <cstdint>

namespace nowait {

struct InputSample {
  std::uint64_t time = 0;  // nanoseconds, when it was taken
  std::int32_t x = 0;      // how far the stick is pushed, -100 .. 100
  std::int32_t y = 0;
};

// A deterministic player: sample `number` of a walk in circles, with an occasional step to the
// side.
inline InputSample ScriptedSample(std::uint64_t number) {
  const auto corner = [](std::uint64_t n) {
    const auto phase = static_cast<std::int32_t>(n % 400);
    return phase < 200 ? phase - 100 : 300 - phase;
  };
  return {0, corner(number), number % 50 == 0 ? 100 : corner(number + 100)};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_INPUT_H_
