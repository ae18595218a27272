// One program after another through the brute force and through a checker, and what differed.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

struct Tally {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;  // of those without a race
  std::uint64_t largest = 0;     // executions of one program
  std::uint64_t races = 0;
  std::uint64_t differing = 0;
};

class Trial {
 public:
  Trial(const Style& style, std::uint64_t seed, std::vector<Checker> checkers)
      : style_(style), seed_(seed), checkers_(std::move(checkers)) {}

  // Program `number`. Returns what differed, for people, by the smallest program that shows it;
  // empty when nothing did.
  std::string Run(std::uint64_t number);

  const Style& style() const { return style_; }
  const Tally& tally() const { return tally_; }

 private:
  std::string Explain(Checker checker, std::uint64_t number, const StraightLine& program) const;

  const Style& style_;
  std::uint64_t seed_;
  std::vector<Checker> checkers_;
  Tally tally_;
};

// What the checker says otherwise than the brute force.
Difference Judge(Checker checker, const StraightLine& program, const Findings& expected);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_
