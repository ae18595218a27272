// Search: which executions of a scenario to try, and how many at most.
//
// A scenario names its searches. The command line can name another one in the same notation:
//
//   graphs               every execution graph: all executions that the memory model allows,
//                        exhaustively (models/kit/exhaustive)
//
// followed by any of these, each of which switches one of its reductions off (Reductions, below)
//
//   +tries               the failing tries of compare_exchange_retry are executions, too
//   +names               so is each way to name interchangeable threads
//   +looks               a look that was in vain is made again in other executions
//
//   pct:3:20000          20,000 execution graphs at random, numbered, each of which meets a defect
//                        of depth 3 with a known probability (models/kit/exhaustive/sample)
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
// Each option multiplies the choices: more can be found in each scenario, but fewer scenarios
// finish in the same time. models/README.md says what a PASS means for each. These three do not
// apply to `graphs`, which already includes everything that they would add.
#ifndef NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_
#define NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/base/assert.h"

namespace nowait::model {

// The executions that a search of graphs leaves out because one that it visits has the same
// outcome. Each reduction can be switched off, which shows how much it saves and leaves the verdict
// as it is (models/kit/exhaustive/README.md, "What each reduction saves").
struct Reductions {
  // Attempts of compare_exchange_retry (src/sync/policy.h) that find another value than expected:
  // in another execution the preceding load already finds that value.
  bool failed_tries = true;
  // Executions that differ from another one only in the names of interchangeable threads.
  bool names = true;
  // Executions in which a thread would look at something stale that it has looked at in vain
  // before: each of them ends in a wait.
  bool vain_looks = true;

  constexpr bool operator==(const Reductions&) const = default;
};

struct Search {
  enum class Kind : std::uint8_t { kGraphs, kPct, kFull, kContextBound, kRandom };

  Kind kind = Kind::kFull;
  unsigned bound = 0;            // of a context-bounded search only
  unsigned depth = 0;            // of kPct only: 1 .. kMaxDepth
  std::uint64_t executions = 0;  // stop after this many; 0: no limit
  double seconds = 60.0;         // stop after this time; graphs then count as unfinished
  bool deferred_stores = false;
  bool stale_exchanges = false;
  bool deep_history = false;
  Reductions reductions;  // of a search of graphs

  // Whether the exhaustive back end runs it, on execution graphs; Relacy runs the others.
  constexpr bool IsOnGraphs() const { return kind == Kind::kGraphs || kind == Kind::kPct; }
  // Whether each of its executions has a number, and depends on that alone.
  constexpr bool IsNumbered() const { return kind == Kind::kPct || kind == Kind::kRandom; }

  constexpr Search DeferringStores() const { return With(&Search::deferred_stores); }
  constexpr Search StaleExchanges() const { return With(&Search::stale_exchanges); }
  constexpr Search DeepHistory() const { return With(&Search::deep_history); }
  constexpr Search EveryTry() const { return Without(&Reductions::failed_tries); }
  constexpr Search EveryName() const { return Without(&Reductions::names); }
  constexpr Search EveryLook() const { return Without(&Reductions::vain_looks); }
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
    NOWAIT_ASSERT(!IsOnGraphs(), "an option of Relacy's searches");
    Search search = *this;
    search.*option = true;
    return search;
  }
  constexpr Search Without(bool Reductions::*reduction) const {
    NOWAIT_ASSERT(kind == Kind::kGraphs, "an option of graphs");
    Search search = *this;
    search.reductions.*reduction = false;
    return search;
  }
};

constexpr Search Graphs() {
  Search search;
  search.kind = Search::Kind::kGraphs;
  return search;
}
// The largest depth of a defect that a sample may be asked for: with more the bound says nothing.
inline constexpr unsigned kMaxDepth = 8;
constexpr Search Pct(unsigned depth, std::uint64_t executions) {
  NOWAIT_ASSERT(depth >= 1 && depth <= kMaxDepth, "a depth has a bound");
  Search search;
  search.kind = Search::Kind::kPct;
  search.depth = depth;
  search.executions = executions;
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

// Converts a search to the notation above and back. Parsing returns nothing for any other text.
std::string Format(const Search& search);
std::optional<Search> ParseSearch(std::string_view text);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_SEARCH_H_
