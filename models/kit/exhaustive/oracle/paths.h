// The paths through a thread of a program that waits: its loops unrolled, round by round.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_PATHS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/oracle/straight_line.h"
#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

// One path through the text of a thread.
struct Path {
  std::vector<Statement> statements;
  // The notifications among these. They are not events, but fences that order nothing.
  std::vector<std::size_t> notifications;
  // After this many statements, in the loop of a step of this kind.
  struct Yield {
    std::size_t after;
    Step::Kind place;
  };
  std::vector<Yield> yields;
  std::optional<std::size_t> found_by;  // the statement whose result later steps depend on
  std::size_t at = 0;                   // the step where it stays; one past the last step: it has
                                        // ended
  enum class End : std::uint8_t { kReturns, kSpins, kSleeps } end = End::kReturns;
  std::size_t last_round = 0;  // of a spinning thread: the beginning of its last round
};

std::vector<Path> AllPaths(const Waiting& program, std::size_t thread);

// Of one path per thread: whether each read can find one of the values that it may find.
bool CanFind(const std::vector<const Path*>& paths);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_PATHS_H_
