// Sampler: takes a sample each 250th of a second and puts it into a ring.
//
// The time of a sample follows from the first sample alone, not from the one before: a thread that
// always wakes late still takes 250 a second, and a delayed thread catches up at once. Samples that
// are late by more than kMakesUpFor (the machine was asleep) are not made up for: they are lost and
// counted. When the ring is full, the sample is lost and counted, and the pace is kept.
//
// Thread safety: one thread, the ring's producer. Time is the clock's: Now() in nanoseconds, and
// SleepUntil(time), which may return late.
//
// Source: [sanglard2013], "Doom 3 BFG Threading Model", 3. Lecture: publication: the
// single-producer ring.
#ifndef NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_
#define NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_

#include <cstdint>

#include "src/apps/sovereign/input.h"
#include "src/sync/spsc_ring.h"

namespace nowait {

template <class Clock>
class Sampler {
 public:
  // Nanoseconds.
  static constexpr std::uint64_t kPeriod = 1'000'000'000 / 250;
  static constexpr std::uint64_t kMakesUpFor = 64 * kPeriod;

  Sampler(SpscRing<InputSample>& ring, Clock clock)
      : ring_(ring), clock_(clock), due_(clock_.Now()) {}

  // The next sample, as soon as it is due.
  void TakeOne() {
    clock_.SleepUntil(due_ += kPeriod);
    const std::uint64_t now = clock_.Now();
    PassOver(now);
    InputSample sample = ScriptedSample(number_++);
    sample.time = now;
    if (!ring_.TryPush(sample)) ++lost_;
  }

  // The number of samples that found the ring full, or were too late.
  std::uint64_t lost() const { return lost_; }

 private:
  // Counts the samples that are too late.
  void PassOver(std::uint64_t now) {
    if (now <= due_ + kMakesUpFor) return;
    const std::uint64_t count = (now - due_ - kMakesUpFor + kPeriod - 1) / kPeriod;
    due_ += count * kPeriod;
    number_ += count;
    lost_ += count;
  }

  SpscRing<InputSample>& ring_;
  Clock clock_;
  std::uint64_t due_;
  std::uint64_t number_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SOVEREIGN_SAMPLER_H_
