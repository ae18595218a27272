// Judge: whether the scenarios accept a program with edits.
//
// Most mutants fall within a few executions, but nobody knows in which scenario. So all scenarios
// are searched in rounds, each round deeper than the one before.
//
// The first rounds examine execution graphs, of the scenarios that are not bounded. When they come
// to their end in a scenario the verdict is exact there: no counterexample exists. They have a
// limit of executions (Depth), for a mutant may have many more than the source; one that it stops
// is no verdict. Each of these rounds goes on where the one before it has stopped.
//
// A surviving mutation is searched with Relacy: at random, with the options of the scenario's own
// random search (with all of them if the scenario has no such search), then depth first. Execution
// k of a random search depends on k alone, so verdicts repeat exactly, on any machine. Scenarios
// that have been examined take part as well, as a check of one back end by the other: what is found
// there, the other one never produces, or has overlooked (Verdict::disagrees). The last round takes
// the large scenarios.
//
// A scenario that never executes what is edited is left out. Up to the first operation that is
// edited an execution of the edited program is one of the source's, and each search takes the same
// way through the same executions: so where Visit's searches met no such operation, theirs would be
// made once more, one by one. Of a scenario that they examined wholly there are no others. (Of a
// store that is delayed the scenario's threads count only; what sets the scenario up delays
// nothing. An edit that sets the order which the source has edits nothing.)
#ifndef NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_
#define NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/mutation/edits.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// How many execution graphs of a scenario are examined at most. kQuick: for a step of a long way,
// whose end is judged again.
enum class Depth : std::uint8_t { kQuick, kWhole };

struct Verdict {
  bool killed = false;
  // Killed by Relacy in a scenario of which every execution had been examined.
  bool disagrees = false;
  std::uint64_t executions = 0;  // of all scenarios together, until it was killed or to the end
  std::uint64_t effects = 0;     // of tampering; see EditingMachine

  // Of how many scenarios, and how many there are.
  std::size_t examined = 0;  // every execution was, by this trial or by Visit
  std::size_t scenarios = 0;

  // Of a survivor: that no counterexample exists in any scenario.
  bool exact() const { return !killed && examined == scenarios; }

  // When it was killed: by what, and how to see it again.
  std::string scenario;
  Search search;
  Failure failure;
  Start replay;
};

class Judge {
 public:
  // executions: at most so many of each kind of Relacy's searches for each scenario.
  Judge(const std::vector<ScenarioEntry>& scenarios, std::uint64_t executions,
        BackEnds back_ends = BackEnds::kBoth);

  // Tries the source itself, counts in `sites` what it executes, and notes what each scenario
  // executes and which are examined wholly. Not needed before Try, which then leaves nothing out.
  // depth: with kWhole Try's last round is made too, which is worth it before many trials; what it
  // executes is not counted.
  Verdict Visit(SiteTable& sites, Depth depth);

  Verdict Try(const Edits& edits, Depth depth = Depth::kWhole) const;

 private:
  // A trial's knowledge of one scenario.
  struct Seen {
    SiteTable operations;
    SiteTable stores_of_threads;        // without what sets it up
    bool examined = false;              // every execution
    bool untouched = false;             // the source executes nothing in it that is edited
    std::optional<Position> left = {};  // where the search of graphs goes on
  };

  struct Round {
    Search::Kind kind;
    std::uint64_t begin;          // random: the number of the first execution
    std::uint64_t executions;     // graphs: those of the rounds before it included
    Depth depth = Depth::kQuick;  // the least that it belongs to
  };

  // A round's search in a scenario; nothing when it has no part in it.
  std::optional<Search> SearchOf(const Round& round, const ScenarioEntry& scenario) const;

  // Which part of its search a round makes.
  static SearchControl PieceOf(const Round& round, const Seen& seen);

  // Whether the source has made this search, and executed nothing in its scenario that is edited.
  bool IsKnown(const Round& round, const Seen& seen) const;

  // Whether nothing that is edited comes into force where the source executes this.
  static bool IsUntouched(const Seen& source, const Edits& edits);

  // The rounds of one depth.
  void SearchRounds(const Edits& edits, Depth depth, std::vector<Seen>& seen,
                    Verdict& verdict) const;

  const std::vector<ScenarioEntry>& scenarios_;
  BackEnds back_ends_;
  std::vector<Round> rounds_;
  std::vector<Seen> source_;  // by scenario, as Visit has seen it; empty before
  Depth visited_ = Depth::kQuick;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_
