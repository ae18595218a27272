#include "models/kit/back_ends/unsupported_behaviours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::model {
namespace {

template <Gap kGap>
bool Shows(const Omitted& omitted) {
  return omitted.gaps.Has(kGap);
}

bool HasRounds(const Omitted& omitted) { return omitted.rounds > 0; }

}  // namespace

const std::vector<UnsupportedBehaviour>& UnsupportedBehaviours() {
  static const std::vector<UnsupportedBehaviour> gaps = {
      {"a relaxed store that takes effect after later operations of its thread (without +deferred)",
       BackEnds::kRelacy,
       &Search::deferred_stores,
       {"2+2W+rlx", "2+2W+rmw+acq", "2+2W+load+sc", "3.2W+rlx", "S+rlx", "SB+rmw+rlx"}},
      {"a compare-exchange that fails on a value that is old by now (without +stale)",
       BackEnds::kRelacy,
       &Search::stale_exchanges,
       {"CAS+stale"}},
      {"a load that reads more than one store back (without +deep)",
       BackEnds::kRelacy,
       &Search::deep_history,
       {"Stale+2", "Stale+3", "Stale+7"}},
      {"a load that reads more than seven stores back", BackEnds::kRelacy, nullptr, {"Stale+8"}},
      {"load buffering: a load that reads what a later store of its thread has led to",
       BackEnds::kBoth,
       nullptr,
       {"LB+rlx", "2+2W+xchg"},
       Shows<Gap::kLoadBuffering>},
      {"a store that takes effect after a later release or yield, or after its own thread reads "
       "it; "
       "a release or a read-modify-write that takes effect late; a fourth late store",
       BackEnds::kRelacy,
       nullptr,
       {"SB+rmw+acq_rel", "2+2W+rlx+rel", "2+2W+rel+rlx", "2+2W+own", "2+2W+yield", "S+rel+rlx",
        "S+four", "Z6.0+fences+rlx"}},
      {"a store that others read before it has its place in modification order",
       BackEnds::kRelacy,
       nullptr,
       {"WWC+rlx"}},
      {"an order of seq_cst operations that contradicts happens-before or reads-from",
       BackEnds::kRelacy,
       nullptr,
       {"Z6.U", "IRIW+acq+sc", "WRC+sc+rlx", "RWC+acq+sc"}},
      {"seq_cst loads of stores that are not seq_cst, in an order that only the letter of C++20 "
       "forbids (LWG 3941, open; x86 does it)",
       BackEnds::kRelacy,
       nullptr,
       {"SB+rfis", "R+rfi", "IRIW+rlx+sc"}},
      {"a load after a yield that goes back to a value which its thread read before",
       BackEnds::kRelacy,
       nullptr,
       {"Stale+yield"}},
      {"a spurious failure of a compare-exchange on an old value",
       BackEnds::kRelacy,
       nullptr,
       {"CAS+stale+spurious"}},
      {"a second spurious failure or wake-up: of one object (Relacy), in one thread (graphs)",
       BackEnds::kBoth,
       nullptr,
       {"CAS+weak+twice", "TryLock+twice", "CV+spurious+twice"},
       Shows<Gap::kSecondSpuriousFailure>},
      {"a spurious failure of a thread that has had one at another object",
       BackEnds::kExhaustive,
       nullptr,
       {"CAS+weak+both"},
       Shows<Gap::kSpuriousFailureElsewhere>},
      {"a failed turn of a waiting loop that is repeated with the same values again and again: "
       "after a Yield that has changed nothing a thread waits for a change (a loop that gives up "
       "is "
       "NOT FINISHED, where a probe of 1,000 rounds or one of 32 shows it)",
       BackEnds::kExhaustive,
       nullptr,
       {"Yield+same"},
       HasRounds},
      {"a notification that wakes no thread because its own saw the change only relaxed",
       BackEnds::kRelacy,
       nullptr,
       {"Notify+rlx"}},
      {"a freed block that a thread gets which only the allocator orders after its end",
       BackEnds::kRelacy,
       nullptr,
       {"Reuse+rlx"}},
      {"a data race of memory that is no Sync::plain: looked for by <model>_watched, in the first "
       "50,000 executions",
       BackEnds::kBoth,
       nullptr,
       {"MP+undeclared"}},
      {"a consume that is weaker than an acquire",
       BackEnds::kBoth,
       nullptr,
       {"MP+rel+consume"},
       Shows<Gap::kWeakConsume>},
  };
  return gaps;
}

bool IsLeftOut(const UnsupportedBehaviour& gap, const std::vector<Search>& searches) {
  const auto graphs = std::find_if(searches.begin(), searches.end(), [](const Search& search) {
    return search.kind == Search::Kind::kGraphs;
  });
  if (graphs != searches.end()) return gap.In(*graphs);
  return std::all_of(searches.begin(), searches.end(),
                     [&](const Search& search) { return gap.In(search); });
}

bool IsLeftOut(const UnsupportedBehaviour& gap, const Omitted& omitted) {
  return gap.In(Graphs()) && (gap.shows == nullptr || gap.shows(omitted));
}

std::vector<UnsupportedBehaviour> UnsupportedBehavioursOf(const std::vector<Search>& searches) {
  std::vector<UnsupportedBehaviour> gaps;
  std::copy_if(UnsupportedBehaviours().begin(), UnsupportedBehaviours().end(),
               std::back_inserter(gaps),
               [&](const UnsupportedBehaviour& gap) { return IsLeftOut(gap, searches); });
  return gaps;
}

bool LeavesOut(const Search& search, std::string_view row) {
  return std::any_of(UnsupportedBehaviours().begin(), UnsupportedBehaviours().end(),
                     [&](const UnsupportedBehaviour& gap) {
                       return gap.In(search) &&
                              std::find(gap.rows.begin(), gap.rows.end(), row) != gap.rows.end();
                     });
}

std::string Format(const UnsupportedBehaviour& gap) {
  return fmt::format("{} [{}]", gap.words, fmt::join(gap.rows, ", "));
}

}  // namespace nowait::model
