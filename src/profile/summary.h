// Summarise: for each name in a profile, the count of its spans and their total, mean, 99th
// percentile and longest time.
//
// Thread safety: one thread, while no thread writes the lanes.
#ifndef NOWAIT_SRC_PROFILE_SUMMARY_H_
#define NOWAIT_SRC_PROFILE_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/profile/profile.h"

namespace nowait {

// Times in nanoseconds.
struct SpanSummary {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t total = 0;
  std::uint64_t p99 = 0;  // the shortest duration that 99% of the spans do not exceed
  std::uint64_t max = 0;

  double mean() const {
    return count == 0 ? 0.0 : static_cast<double>(total) / static_cast<double>(count);
  }
};

// By name, over all lanes. Spans that a lane had no room for are missing: see Profile::lost.
std::vector<SpanSummary> Summarise(const Profile& profile);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_SUMMARY_H_
