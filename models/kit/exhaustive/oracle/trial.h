// Runs one program after another through a reference that is known to be right and through a
// checker, and compares them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/retries.h"
#include "models/kit/exhaustive/oracle/straight_line.h"
#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

struct Tally {
  std::uint64_t programs = 0;
  std::uint64_t executions = 0;  // of programs without a race
  std::uint64_t largest = 0;     // the most executions of one program
  std::uint64_t races = 0;
  std::uint64_t ends = 0;  // programs in which some thread may wait for ever
  std::uint64_t differing = 0;
};

// Programs of one style.
class Trial {
 public:
  virtual ~Trial() = default;

  // Tries program `number`. Returns the difference in words, shown by the smallest program that has
  // it; empty if the two agree.
  virtual std::string Run(std::uint64_t number) = 0;

  std::string_view name() const { return name_; }
  const Tally& tally() const { return tally_; }

 protected:
  Trial(std::string_view name, std::uint64_t seed) : name_(name), seed_(seed) {}

  // Counts one more program. executions: counted if it has no race.
  void Count(bool race, std::uint64_t executions);
  std::string Title(std::uint64_t number) const;

  const std::string_view name_;
  const std::uint64_t seed_;
  Tally tally_;
};

// Compares with the brute force.
class StraightLineTrial final : public Trial {
 public:
  StraightLineTrial(const Style& style, std::uint64_t seed, std::vector<Checker> checkers)
      : Trial(style.name, seed), style_(style), checkers_(std::move(checkers)) {}
  std::string Run(std::uint64_t number) override;

 private:
  std::string Explain(Checker checker, std::uint64_t number, const StraightLine& program) const;

  const Style& style_;
  std::vector<Checker> checkers_;
};

// Interchangeable threads, compared with the brute force: one of each class. number: the styles
// take turns.
class SymmetricTrial final : public Trial {
 public:
  SymmetricTrial(std::uint64_t seed, Checker checker)
      : Trial("symmetric", seed), checker_(checker) {}
  std::string Run(std::uint64_t number) override;

 private:
  Checker checker_;
};

// Compares with all interleavings, or with the brute force over unrolled loops.
class WaitingTrial final : public Trial {
 public:
  using Checker = Outcomes (*)(const Waiting&);

  WaitingTrial(const WaitingStyle& style, std::uint64_t seed, Checker checker)
      : Trial(style.name, seed), style_(style), checker_(checker) {}
  std::string Run(std::uint64_t number) override;

 private:
  std::string Judge(const Waiting& program, const Outcomes& expected) const;
  Outcomes Expect(const Waiting& program) const;

  const WaitingStyle& style_;
  Checker checker_;
};

// Compares the search with and without the failing tries of compare-exchange loops.
class RetryTrial final : public Trial {
 public:
  using Checker = Retried (*)(const Retries&, Tries);

  RetryTrial(std::uint64_t seed, Checker checker) : Trial("retries", seed), checker_(checker) {}
  std::string Run(std::uint64_t number) override;

 private:
  std::string Judge(const Retries& program) const {
    return CompareRetries(program, checker_(program, Tries::kEvery),
                          checker_(program, Tries::kThatSucceed));
  }

  Checker checker_;
};

// The checker's differences from the brute force.
Difference Judge(Checker checker, const StraightLine& program, const Findings& expected);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_TRIAL_H_
