// FrameStats: one figure, summarised over all frames.
#ifndef NOWAIT_SRC_APPS_DEMO_FRAME_STATS_H_
#define NOWAIT_SRC_APPS_DEMO_FRAME_STATS_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "src/apps/demo/run.h"

namespace nowait {

// In milliseconds.
struct FrameStats {
  double mean = 0.0;
  double p99 = 0.0;  // the shortest time that 99% of the frames do not exceed
  double max = 0.0;
};

inline FrameStats Summed(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return {};
  std::sort(milliseconds.begin(), milliseconds.end());
  double sum = 0.0;
  for (const double time : milliseconds) sum += time;
  const std::size_t count = milliseconds.size();
  return {sum / static_cast<double>(count), milliseconds[(count * 99 + 99) / 100 - 1],
          milliseconds.back()};
}

struct PhaseStats {
  const char* name;
  FrameStats stats;
};

// The frame's parts in their order, then the whole physics update and the whole frame.
inline std::vector<PhaseStats> PhasesOf(const RunRecord& record) {
  using std::chrono::nanoseconds;
  const auto stats = [&record](auto nanoseconds_of) {
    std::vector<double> times;
    times.reserve(record.frames.size());
    for (const FrameRecord& frame : record.frames) {
      times.push_back(static_cast<double>(nanoseconds_of(frame)) * 1e-6);
    }
    return Summed(std::move(times));
  };
  const auto phase = [&stats](nanoseconds PhaseTimes::*time) {
    return stats([time](const FrameRecord& frame) { return (frame.times.*time).count(); });
  };
  return {{"game_update", stats([](const FrameRecord& frame) { return frame.game; })},
          {"begin", phase(&PhaseTimes::begin)},
          {"collide", phase(&PhaseTimes::collide)},
          {"finalise", phase(&PhaseTimes::finalise)},
          {"solve", phase(&PhaseTimes::solve)},
          {"finish", phase(&PhaseTimes::finish)},
          {"physics_update", phase(&PhaseTimes::total)},
          {"frame", stats([](const FrameRecord& frame) { return frame.end - frame.begin; })}};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_FRAME_STATS_H_
