#include "models/kit/gaps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nowait::model {

const std::vector<Gap>& Gaps() {
  static const std::vector<Gap> gaps = {
      {"a relaxed store that takes effect after later operations of its thread (without +deferred)",
       &Search::deferred_stores,
       {"2+2W+rlx", "2+2W+rmw+acq", "2+2W+load+sc", "S+rlx", "SB+rmw+rlx"}},
      {"a compare-exchange that fails on a value that is old by now (without +stale)",
       &Search::stale_exchanges,
       {"CAS+stale"}},
      {"a load that reads more than one store back (without +deep)",
       &Search::deep_history,
       {"Stale+2", "Stale+3", "Stale+7"}},
      {"a load that reads more than seven stores back", nullptr, {"Stale+8"}},
      {"load buffering: a load that reads what a later store of its thread has led to",
       nullptr,
       {"LB+rlx"}},
      {"a store that takes effect after a later release or yield, or after its own thread reads "
       "it; "
       "a release or a read-modify-write that takes effect late; a fourth late store",
       nullptr,
       {"SB+rmw+acq_rel", "2+2W+rlx+rel", "2+2W+rel+rlx", "2+2W+own", "2+2W+yield", "2+2W+xchg",
        "S+rel+rlx", "S+four"}},
      {"a store that others read before it has its place in modification order",
       nullptr,
       {"WWC+rlx"}},
      {"an order of seq_cst operations that contradicts happens-before, or who read from whom",
       nullptr,
       {"Z6.U", "IRIW+acq+sc", "WRC+sc+rlx"}},
      {"a load after a yield that goes back to a value which its thread read before",
       nullptr,
       {"Stale+yield"}},
      {"a second spurious failure or wake-up of one object, and one on an old value",
       nullptr,
       {"CAS+weak+twice", "CAS+stale+spurious", "TryLock+twice", "CV+spurious+twice"}},
      {"a notification that wakes nobody because its thread saw the change only relaxed",
       nullptr,
       {"Notify+rlx"}},
      {"a consume that is weaker than an acquire", nullptr, {"MP+rel+consume"}},
  };
  return gaps;
}

std::vector<Gap> GapsOf(const std::vector<Search>& searches) {
  std::vector<Gap> gaps;
  for (const Gap& gap : Gaps()) {
    if (std::all_of(searches.begin(), searches.end(),
                    [&](const Search& search) { return gap.In(search); })) {
      gaps.push_back(gap);
    }
  }
  return gaps;
}

std::string Format(const Gap& gap) {
  return fmt::format("{} [{}]", gap.words, fmt::join(gap.rows, ", "));
}

}  // namespace nowait::model
