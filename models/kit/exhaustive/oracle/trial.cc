#include "models/kit/exhaustive/oracle/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/classes.h"
#include "models/kit/exhaustive/oracle/shrink.h"
#include "models/kit/exhaustive/oracle/unrolled.h"

namespace nowait::model::oracle {

Difference Judge(Checker checker, const StraightLine& program, const Findings& expected) {
  return Compare(expected, checker(program));
}

void Trial::Count(bool race, std::uint64_t executions) {
  ++tally_.programs;
  if (race) {
    ++tally_.races;
    return;
  }
  tally_.executions += executions;
  tally_.largest = std::max(tally_.largest, executions);
}

std::string Trial::Title(std::uint64_t number) const {
  return fmt::format("{} program {} of seed {}, the smallest part that differs:\n", name_, number,
                     seed_);
}

std::string StraightLineTrial::Explain(Checker checker, std::uint64_t number,
                                       const StraightLine& program) const {
  const StraightLine smallest = Shrink(program, [&](const StraightLine& smaller) {
    return Judge(checker, smaller, BruteForce(smaller)).Any();
  });
  return Title(number) + Format(smallest) + Format(Judge(checker, smallest, BruteForce(smallest)));
}

std::string StraightLineTrial::Run(std::uint64_t number) {
  const StraightLine program = Generate(style_, seed_, number);
  const Findings expected = BruteForce(program);
  Count(expected.race, expected.executions.size());
  for (const Checker checker : checkers_) {
    if (!Judge(checker, program, expected).Any()) continue;
    ++tally_.differing;
    return Explain(checker, number, program);
  }
  return "";
}

std::string SymmetricTrial::Run(std::uint64_t number) {
  std::vector<const Style*> styles;
  for (const Style& style : Styles()) {
    if (!HasData(style)) styles.push_back(&style);
  }
  const std::uint64_t round = number / styles.size();
  // Few programs have four threads, because their brute force takes longest.
  const std::size_t threads = round % 3 == 0 ? 2 : round % 12 == 1 ? 4 : 3;
  const StraightLine program =
      MadeSymmetric(Generate(*styles[number % styles.size()], seed_, round), threads);
  const Findings expected = ClassesOf(BruteForce(program), threads);
  Findings found = checker_(program);
  for (std::string& signature : found.executions) signature = ClassOf(signature, threads);
  Count(expected.race, expected.executions.size());
  const Difference difference = Compare(expected, found);
  if (!difference.Any()) return "";
  ++tally_.differing;
  return fmt::format("{} program {} of seed {}, one for each class:\n", name_, number, seed_) +
         Format(program) + Format(difference);
}

Outcomes WaitingTrial::Expect(const Waiting& program) const {
  return style_.IsUnrolled() ? Unroll(program) : Interleave(program);
}

std::string WaitingTrial::Judge(const Waiting& program, const Outcomes& expected) const {
  const Outcomes found = checker_(program);
  return program.alike ? CompareAlike(expected, found, program.threads.size())
                       : Compare(expected, found, style_.exact);
}

std::string WaitingTrial::Run(std::uint64_t number) {
  const Waiting program = Generate(style_, seed_, number);
  const Outcomes expected = Expect(program);
  Count(expected.race, expected.executions.size());
  if (!expected.ends.empty()) ++tally_.ends;
  if (Judge(program, expected).empty()) return "";
  ++tally_.differing;
  const Waiting smallest = Shrink(
      program, [&](const Waiting& smaller) { return !Judge(smaller, Expect(smaller)).empty(); });
  return Title(number) + Format(smallest) + Judge(smallest, Expect(smallest));
}

std::string RetryTrial::Run(std::uint64_t number) {
  const Retries program = GenerateRetries(seed_, number);
  const Retried expected = checker_(program, Tries::kEvery);
  const std::string differs =
      CompareRetries(program, expected, checker_(program, Tries::kThatSucceed));
  Count(expected.race, expected.executions.size());
  if (differs.empty()) return "";
  ++tally_.differing;
  const Retries smallest =
      Shrink(program, [&](const Retries& smaller) { return !Judge(smaller).empty(); });
  return Title(number) + Format(smallest) + Judge(smallest);
}

}  // namespace nowait::model::oracle
