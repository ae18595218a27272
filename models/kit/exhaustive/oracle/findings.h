// Findings: what one side says about all executions of a program, and the differences between two
// sides.
//
// Two executions are the same if every operation read from the same store, every compare-exchange
// had the same outcome, and the stores to each atomic took effect in the same order, that is, if
// they have the same graph. Written out, executions are strings that can be compared and read.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// A statement of the program; thread -1: the initial value of an atomic.
struct Where {
  int thread = -1;
  std::size_t statement = 0;
};

// The result of one statement.
struct Outcome {
  enum class Result { kPlain, kExchanged, kSpuriousFailure };

  std::optional<Where> from;       // if an atomic was read
  Result result = Result::kPlain;  // kPlain also for a compare-exchange that found another value
};

struct Picture {
  std::vector<std::vector<Outcome>> threads;                    // as in the program
  std::array<std::vector<Where>, kMaxLocations> modifications;  // in modification order
};

// "init! - | 0.0 | x: 0.0 ": for each thread and statement the store that it read from, with !
// after an exchange and ? after a spurious failure; then the modification orders without initial
// values.
std::string Signature(const Picture& picture);

struct Findings {
  std::vector<std::string> executions = {};  // signatures, one per visit
  bool race = false;                         // on the plain datum, in some execution
  std::string complaint = {};                // any further complaint of a checker
};

struct Difference {
  std::vector<std::string> missing;
  std::vector<std::string> extra;
  std::vector<std::string> repeated;  // visited more than once
  std::string words;                  // a differing verdict

  bool Any() const {
    return !missing.empty() || !extra.empty() || !repeated.empty() || !words.empty();
  }
};

// Compares only the verdicts of a program with a race, because a checker stops at the first race.
Difference Compare(Findings expected, Findings found);

// For readers: at most a few differences of each kind.
std::string Format(const Difference& difference);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_
