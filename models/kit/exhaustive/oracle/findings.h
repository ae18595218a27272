// Findings: one side's statement about all executions of a program, and the differences of two
// sides.
//
// An execution is the same for both when every operation read from the same store, every
// compare-exchange went the same way, and the stores to each atomic took effect in the same order:
// its graph. Written out, these are strings that can be compared and read.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// A statement of the program; thread -1: the first value of an atomic.
struct Where {
  int thread = -1;
  std::size_t statement = 0;
};

// The result of one statement.
struct Outcome {
  enum class Result { kPlain, kExchanged, kSpuriousFailure };

  std::optional<Where> from;       // an atomic that was read
  Result result = Result::kPlain;  // kPlain also of a compare-exchange that found another value
};

struct Picture {
  std::vector<std::vector<Outcome>> threads;                    // as in the program
  std::array<std::vector<Where>, kMaxLocations> modifications;  // in modification order
};

// "init! - | 0.0 | x: 0.0 ": by thread and statement the store that it read from, with ! after an
// exchange and ? after a spurious failure; then the modification orders without the first values.
std::string Signature(const Picture& picture);

struct Findings {
  std::vector<std::string> executions = {};  // signatures, each once for each time it was visited
  bool race = false;                         // of the plain datum, in some execution
  std::string complaint = {};                // any other complaint of a checker
};

struct Difference {
  std::vector<std::string> missing;
  std::vector<std::string> extra;
  std::vector<std::string> repeated;  // visited more than once
  std::string words;                  // another verdict

  bool Any() const {
    return !missing.empty() || !extra.empty() || !repeated.empty() || !words.empty();
  }
};

// Of a program with a race only the verdict is compared: a checker stops at the first one.
Difference Compare(Findings expected, Findings found);

// For people; at most a few of each.
std::string Format(const Difference& difference);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_FINDINGS_H_
