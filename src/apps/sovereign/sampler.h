// Sampler: takes a sample each 250th of a second and puts it into a ring.
//
// When a sample is due follows from the first alone, not from when the one before was taken: a thread
// that is woken late each time still takes 250 a second, and one that was held up for a while makes up
// for it at once. Where the ring is full, the sample is lost and counted, and the pace is kept.
//
// Thread safety: one thread, the ring's producer. Time is the clock's: Now() in nanoseconds, and
// SleepUntil(time), which may return late.
//
// Source: the review, "Doom 3 BFG Threading Model", 3. Lecture: publication: the single-producer ring.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_

#include <cstdint>

#include "src/apps/sovereign/input.h"
#include "src/sync/spsc_ring.h"

namespace nowait {

template <class Clock>
class Sampler {
 public:
  static constexpr std::uint64_t kPeriod = 1'000'000'000 / 250;  // nanoseconds

  Sampler(SpscRing<InputSample>& ring, Clock clock)
      : ring_(ring), clock_(clock), due_(clock_.Now()) {}

  // The next sample, as soon as it is due.
  void TakeOne() {
    clock_.SleepUntil(due_ += kPeriod);
    InputSample sample = ScriptedSample(number_++);
    sample.time = clock_.Now();
    if (!ring_.TryPush(sample)) ++lost_;
  }

  // How many found the ring full.
  std::uint64_t lost() const { return lost_; }

 private:
  SpscRing<InputSample>& ring_;
  Clock clock_;
  std::uint64_t due_;
  std::uint64_t number_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_
