// Scaling: what a ride's frames take on other numbers of threads, computed from its task graph.
//
//   const std::vector<Stage> stages = StagesOf(profile.lanes()[0], frame);    of one thread's ride
//   std::uint64_t time = TimeOn(8, stages);                                   nanoseconds
//
// A frame forks and joins: work of one thread, then pieces that any threads take, in their order,
// then work of one thread again. A ride on one thread has recorded each piece as a span. So the
// computed frame assumes that
//   - a piece takes as long on any thread, beside any others: caches and memory are not looked at
//   - to fork and to join costs nothing, and a piece begins as soon as a thread is free
//   - the pieces are those of the recorded ride
//   - what goes on beside frames (loads, the survey, navigation cells) finds threads of its own
// All four are kind to more threads. How far that is from the truth is seen where it was measured.
//
// Thread safety: the profile's threads no longer write. Test: tests/apps/openworld/scaling_test.cc.
// Complexity: O(n log n) in the lane's spans for all frames together.
// Source: [rouwe2022], "Results": where more threads gain nothing.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_SCALING_H_
#define NOWAIT_SRC_APPS_OPENWORLD_SCALING_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/apps/openworld/ride_result.h"
#include "src/profile/profile.h"

namespace nowait {

// Nanoseconds.
struct Stage {
  std::uint64_t serial = 0;
  std::vector<std::uint64_t> pieces;  // behind it

  friend bool operator==(const Stage&, const Stage&) = default;
};

// The stages of each frame, by a lane in which all of it happened.
std::vector<std::vector<Stage>> StagesOf(const Lane& lane, std::span<const RideFrame> frames);

// threads: at least one.
std::uint64_t TimeOn(std::uint32_t threads, std::span<const Stage> stages);

struct ScalingPoint {
  std::uint32_t threads = 1;
  double computed = 0.0;  // milliseconds of the median frame
  double measured = 0.0;  // likewise; 0: it was not
};

// Of rides on 1, 2, ... threads, as many as there are, and computed for up to 32. The first one is
// on one thread, with its lane.
std::vector<ScalingPoint> Scaling(const Lane& lane, std::span<const RideResult> rides);

std::string ScalingTable(std::span<const ScalingPoint> points);
// A picture (SVG), with the talk's knee.
std::string DrawScaling(std::span<const ScalingPoint> points);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_SCALING_H_
