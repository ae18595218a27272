// Search: which executions of a scenario to try, and how many at most.
//
// A scenario names its searches; the command line can name another one in the same words:
//
//   graphs               every execution graph: all executions that the memory model allows,
//                        exhaustively (models/kit/exhaustive)
//   graphs+tries         the same with the failing tries of compare_exchange_retry
//
// and those that Relacy runs (models/kit/relacy):
//
//   full                 every schedule, and every choice of the store that a load reads
//   bound:2              the same, with at most 2 switches away from a thread that could run on
//   random:20000         20,000 executions at random, numbered; execution k depends on k alone
//
// each of these three followed by any of
//
//   +deferred            a relaxed store may take effect after later operations of its thread, as
//                        far as C++ allows: the shapes 2+2W and S
//   +stale               a compare-exchange may fail on a stale value, as a load that reads it
//   +deep                a load may read up to seven stores back instead of one
//
// Each option multiplies the choices: more is found in each scenario, fewer scenarios are finished
// in the same time. models/README.md says what a PASS means for each. None of the three is
// for `graphs`, which leaves nothing out that they would add.
#ifndef NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_
#define NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/base/assert.h"

namespace nowait::model {

// Tries of compare_exchange_retry (src/sync/policy.h) that find another value than expected. The
// execution in which the look before them found that value leads to the same.
enum class FailedTries : bool { kLeftOut, kExamined };

struct Search {
  enum class Kind : std::uint8_t { kGraphs, kFull, kContextBound, kRandom };

  Kind kind = Kind::kFull;
  unsigned bound = 0;            // context bound only
  std::uint64_t executions = 0;  // stop after so many; 0: no limit
  double seconds = 60.0;         // stop after so long; of graphs, not finished then
  bool deferred_stores = false;
  bool stale_exchanges = false;
  bool deep_history = false;
  FailedTries failed_tries = FailedTries::kLeftOut;  // of graphs

  constexpr Search DeferringStores() const { return With(&Search::deferred_stores); }
  constexpr Search StaleExchanges() const { return With(&Search::stale_exchanges); }
  constexpr Search DeepHistory() const { return With(&Search::deep_history); }
  constexpr Search EveryTry() const {
    NOWAIT_ASSERT(kind == Kind::kGraphs, "an option of graphs");
    Search search = *this;
    search.failed_tries = FailedTries::kExamined;
    return search;
  }
  constexpr Search AtMost(std::uint64_t count) const {
    Search search = *this;
    search.executions = count;
    return search;
  }
  constexpr Search Within(double limit) const {
    Search search = *this;
    search.seconds = limit;
    return search;
  }

 private:
  constexpr Search With(bool Search::*option) const {
    NOWAIT_ASSERT(kind != Kind::kGraphs, "graphs has no options");
    Search search = *this;
    search.*option = true;
    return search;
  }
};

constexpr Search Graphs() {
  Search search;
  search.kind = Search::Kind::kGraphs;
  return search;
}
constexpr Search Full() { return {}; }
constexpr Search ContextBound(unsigned switches) {
  Search search;
  search.kind = Search::Kind::kContextBound;
  search.bound = switches;
  return search;
}
constexpr Search Random(std::uint64_t executions) {
  Search search;
  search.kind = Search::Kind::kRandom;
  search.executions = executions;
  return search;
}

// The words above, and back; nothing when they are not understood.
std::string Format(const Search& search);
std::optional<Search> ParseSearch(std::string_view text);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_
