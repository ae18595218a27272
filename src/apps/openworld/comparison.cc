#include "src/apps/openworld/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "src/apps/svg/svg.h"
#include "src/apps/svg/timeline.h"

namespace nowait {
namespace {

double Ms(double nanoseconds) { return nanoseconds / 1e6; }
double Ms(std::uint64_t nanoseconds) { return Ms(static_cast<double>(nanoseconds)); }

std::vector<const RideFrame*> Sorted(const RideResult& ride, std::uint64_t RideFrame::*figure) {
  std::vector<const RideFrame*> frames;
  for (const RideFrame& frame : ride.frames) frames.push_back(&frame);
  std::stable_sort(frames.begin(), frames.end(),
                   [figure](const auto* a, const auto* b) { return a->*figure < b->*figure; });
  return frames;
}

double At(const RideResult& ride, std::uint64_t RideFrame::*figure, std::size_t percent) {
  const auto frames = Sorted(ride, figure);
  return Ms(frames[(frames.size() - 1) * percent / 100]->*figure);
}

double Late(const RideResult& ride) {
  return static_cast<double>(
      std::count_if(ride.frames.begin(), ride.frames.end(),
                    [](const RideFrame& frame) { return frame.whole > 33'333'333; }));
}

double Seconds(const RideResult& ride) { return static_cast<double>(ride.frames.size()) / 30.0; }

double RaysASecond(const RideResult& ride) {
  return static_cast<double>(ride.machines.rays + ride.frames.size()) / Seconds(ride);
}

double CellsASecond(const RideResult& ride) {
  return static_cast<double>(ride.paths.cells.built) / Seconds(ride);
}

// From the median frame's begin, as long as the longer one of both takes.
std::string Timeline(const RecordedRide& recorded, std::uint64_t length, const char* what,
                     TimelineColours& colours) {
  const RideFrame& frame = MedianFrame(recorded.ride, &RideFrame::whole);
  return DrawTimeline(recorded.profile, frame.begin, frame.begin + length,
                      fmt::format("{}: the median frame, {:.1f} ms", what, Ms(frame.whole)),
                      colours);
}

}  // namespace

const RideFrame& MedianFrame(const RideResult& ride, std::uint64_t RideFrame::*figure) {
  return *Sorted(ride, figure)[(ride.frames.size() - 1) / 2];
}

double WaitedForLocks(const RideResult& ride) {
  WaitTime all = ride.tree_lock;
  for (const WaitTime& one : {ride.update_locks, ride.machines.wait, ride.folk.wait,
                              ride.arrows.wait, ride.survey.wait, ride.paths.wait}) {
    all += one;
  }
  return static_cast<double>(all.waited.count()) /
         static_cast<double>(ride.threads * ride.frames.size());
}

std::string ComparisonTable(const RideResult& earlier, const RideResult& ride) {
  std::string text = fmt::format("  {:<52}{:>10}{:>10}\n", "", "before", "after");
  const auto row = [&](const char* what, const auto& figure) {
    text += fmt::format("  {:<52}{:>10.2f}{:>10.2f}\n", what, figure(earlier), figure(ride));
  };
  row("waits for locks, a thread and frame, us",
      [](const RideResult& one) { return WaitedForLocks(one) / 1e3; });
  row("the longest stall by loading, ms",
      [](const RideResult& one) { return At(one, &RideFrame::streaming, 100); });
  row("loading in half of the frames, ms",
      [](const RideResult& one) { return At(one, &RideFrame::streaming, 50); });
  row("half of the frames, ms",
      [](const RideResult& one) { return At(one, &RideFrame::whole, 50); });
  row("99% of the frames, ms",
      [](const RideResult& one) { return At(one, &RideFrame::whole, 99); });
  row("the longest frame, ms",
      [](const RideResult& one) { return At(one, &RideFrame::whole, 100); });
  row("frames above 33.3 ms", &Late);
  row("islands on one thread, half of the frames, ms",
      [](const RideResult& one) { return At(one, &RideFrame::islands, 50); });
  row("ray casts of machines and the player a second", &RaysASecond);
  row("navigation cells a second", &CellsASecond);
  return text;
}

std::string DrawComparison(const RecordedRide& earlier, const RecordedRide& ride) {
  const std::uint64_t length = std::max(MedianFrame(earlier.ride, &RideFrame::whole).whole,
                                        MedianFrame(ride.ride, &RideFrame::whole).whole);
  TimelineColours colours;
  const std::string before =
      Timeline(earlier, length, "Before: one lock, loads waited for, a flood fill", colours);
  return Svg::Stacked("One ride before and after",
                      {before, Timeline(ride, length, "After", colours)});
}

}  // namespace nowait
