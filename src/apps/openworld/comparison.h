// Comparison: the figures of [rouwe2022] before and after, of one ride made twice on this machine.
//
// Thread safety: plain data.
// Source: [rouwe2022], "Results". Test: tests/apps/openworld/comparison_test.cc.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_COMPARISON_H_
#define NOWAIT_SRC_APPS_OPENWORLD_COMPARISON_H_

#include <cstdint>
#include <string>

#include "src/apps/openworld/ride_result.h"
#include "src/profile/profile.h"

namespace nowait {

// Of both: rides of at least one frame. earlier: made as earlier.h says.
std::string ComparisonTable(const RideResult& earlier, const RideResult& ride);

// A ride and what its threads recorded.
struct RecordedRide {
  const RideResult& ride;
  const Profile& profile;
};

// The frame of each that took half as long as the longest of its neighbours in order: the median.
// Both as timelines in one picture (SVG), at the same scale.
std::string DrawComparison(const RecordedRide& earlier, const RecordedRide& ride);

// The time that all threads of a ride waited for locks, in nanoseconds a thread and frame.
double WaitedForLocks(const RideResult& ride);

// The frame whose figure is the middle one, by nearest rank.
const RideFrame& MedianFrame(const RideResult& ride, std::uint64_t RideFrame::*figure);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_COMPARISON_H_
