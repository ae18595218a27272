#include "tests/whole/scheduler/shorten.h"

#include <algorithm>
#include <cstddef>

namespace nowait::whole {

Shortened Shorten(const Schedule& schedule, const std::function<bool(const Schedule&)>& fails,
                  std::uint64_t most_runs) {
  Shortened best{.schedule = schedule};
  if (most_runs > 0 && !schedule.empty()) {
    ++best.runs;
    if (fails({})) return {.schedule = {}, .runs = best.runs, .smallest = true};
  }
  std::size_t piece = (best.schedule.size() + 1) / 2;
  while (!best.schedule.empty() && best.runs < most_runs) {
    bool left_out = false;
    // From the end: what a failure needs last is near it, and the rest of the tail goes at once.
    for (std::size_t end = best.schedule.size(); end > 0 && best.runs < most_runs;) {
      const std::size_t begin = end > piece ? end - piece : 0;
      Schedule less = best.schedule;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(begin),
                 less.begin() + static_cast<std::ptrdiff_t>(end));
      ++best.runs;
      if (fails(less)) {
        best.schedule = std::move(less);
        left_out = true;
      }
      end = begin;
    }
    if (piece == 1 && !left_out) {
      best.smallest = best.runs < most_runs;
      break;
    }
    piece = std::max<std::size_t>(left_out ? std::min(piece, best.schedule.size()) : piece / 2, 1);
  }
  if (best.schedule.empty()) best.smallest = true;
  return best;
}

}  // namespace nowait::whole
