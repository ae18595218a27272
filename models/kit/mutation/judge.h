// Judge: decides whether the scenarios accept a program with edits.
//
// Most mutants fail within a few executions, but it is not known in which scenario. All scenarios
// are therefore searched in rounds, each deeper than the one before.
//
// The first rounds examine execution graphs of the unbounded scenarios. For a scenario whose search
// reaches its end, the verdict is exact: no counterexample exists. These rounds have a limit of
// executions (Depth), because a mutant may have many more than the source; a search that reaches
// the limit is no verdict. Each round continues where the previous one stopped.
//
// A surviving mutation is searched with Relacy: at random with the options of the scenario's own
// random search (with all options without such a search), then depth first. Execution k of a random
// search depends on k alone, so verdicts repeat exactly, on any machine. Scenarios that were
// examined completely take part as well, which checks one back end against the other: a failure
// found there is one that the graphs never produce or have overlooked (Verdict::disagrees). The
// last round takes the large scenarios.
//
// A scenario that never executes an edited operation is left out. Up to the first edited operation,
// an execution of the edited program is one of the source's, and each search takes the same course
// through the same executions. Where Visit's searches met no edited operation, the judge's would
// only repeat them, and a completely examined scenario has no other executions. (For a delayed
// store, only the stores of the scenario's threads count, because set-up delays nothing. An edit
// that sets the order which the source already has edits nothing.)
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

// The largest number of execution graphs that is examined per scenario. kQuick is for one step of a
// long series, whose end is judged again.
enum class Depth : std::uint8_t { kQuick, kWhole };

struct Verdict {
  bool killed = false;
  // Killed by Relacy in a scenario in which every execution graph had been examined.
  bool disagrees = false;
  std::uint64_t executions = 0;  // of all scenarios together, until it was killed or until the end
  std::uint64_t effects = 0;     // of tampering; see EditingMachine

  // The number of completely examined scenarios, and of all scenarios.
  std::size_t examined = 0;  // completely, by this trial or by Visit
  std::size_t scenarios = 0;

  // For a survivor: whether no counterexample exists in any scenario.
  bool exact() const { return !killed && examined == scenarios; }

  // If it was killed: where, and how to reproduce the failure.
  std::string scenario;
  Search search;
  Failure failure;
  Start replay;
};

class Judge {
 public:
  // executions: the limit of each of Relacy's searches in each scenario.
  Judge(const std::vector<ScenarioEntry>& scenarios, std::uint64_t executions,
        BackEnds back_ends = BackEnds::kBoth);

  // Tries the source itself, counts the operations that it executes in `sites`, and notes what each
  // scenario executes and which scenarios are examined completely. Optional before Try, which
  // leaves nothing out without it. depth: kWhole adds Try's last round, which pays off before many
  // trials; `sites` does not count what that round executes.
  Verdict Visit(SiteTable& sites, Depth depth);

  Verdict Try(const Edits& edits, Depth depth = Depth::kWhole) const;

 private:
  // The knowledge of a trial about one scenario.
  struct Seen {
    SiteTable operations;
    SiteTable stores_of_threads;        // without those of set-up
    bool examined = false;              // every execution was examined
    bool untouched = false;             // the source executes no edited operation in it
    std::optional<Position> left = {};  // where the search of graphs continues
  };

  struct Round {
    Search::Kind kind;
    std::uint64_t begin;          // of a random search: the number of the first execution
    std::uint64_t executions;     // of graphs: including those of earlier rounds
    Depth depth = Depth::kQuick;  // the least depth that includes this round
  };

  // The round's search of a scenario; nothing if the round leaves the scenario out.
  std::optional<Search> SearchOf(const Round& round, const ScenarioEntry& scenario) const;

  // The part of its search that a round makes.
  static SearchControl PieceOf(const Round& round, const Seen& seen);

  // Whether the source has made this search already without executing an edited operation.
  bool IsKnown(const Round& round, const Seen& seen) const;

  // Whether no edit takes effect where the source executes what `source` lists.
  static bool IsUntouched(const Seen& source, const Edits& edits);

  // The rounds of one depth.
  void SearchRounds(const Edits& edits, Depth depth, std::vector<Seen>& seen,
                    Verdict& verdict) const;

  const std::vector<ScenarioEntry>& scenarios_;
  BackEnds back_ends_;
  std::vector<Round> rounds_;
  std::vector<Seen> source_;  // by scenario, as Visit saw it; empty before Visit
  Depth visited_ = Depth::kQuick;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_
