// A clock and a core that a test sets; a profile takes both as plain functions.
#ifndef NOWAIT_TESTS_PROFILE_FAKE_CLOCK_H_
#define NOWAIT_TESTS_PROFILE_FAKE_CLOCK_H_

#include <cstdint>

#include "src/profile/profile.h"

namespace nowait {

inline std::uint64_t fake_now = 0;
inline std::uint64_t readings = 0;  // of the clock
inline std::uint64_t FakeClock() {
  ++readings;
  return fake_now;
}

// The core that a thread runs on.
inline std::uint16_t fake_core = 0;
inline std::uint16_t FakeCore() { return fake_core; }

inline ProfileDef FakeDef() {
  fake_now = 1'000'000;
  readings = 0;
  fake_core = 0;
  return {
      .lanes = 2, .spans_per_lane = 4, .samples_per_lane = 2, .clock = FakeClock, .core = FakeCore};
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_PROFILE_FAKE_CLOCK_H_
