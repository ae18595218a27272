#include "src/profile/summary.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace nowait {

std::vector<SpanSummary> Summarise(const Profile& profile) {
  // By content, not by address: equal literals may have several addresses.
  std::map<std::string_view, std::vector<std::uint64_t>> durations;
  for (const Lane& lane : profile.lanes()) {
    for (const Span& span : lane.spans) durations[span.name].push_back(span.end - span.begin);
  }
  std::vector<SpanSummary> summaries;
  summaries.reserve(durations.size());
  for (auto& [name, times] : durations) {
    std::sort(times.begin(), times.end());
    SpanSummary& summary = summaries.emplace_back();
    summary.name = name;
    summary.count = times.size();
    for (const std::uint64_t time : times) summary.total += time;
    summary.p99 = times[(times.size() * 99 + 99) / 100 - 1];
    summary.max = times.back();
  }
  return summaries;
}

}  // namespace nowait
