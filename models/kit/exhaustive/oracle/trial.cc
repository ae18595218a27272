#include "models/kit/exhaustive/oracle/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/shrink.h"

namespace nowait::model::oracle {

Difference Judge(Checker checker, const StraightLine& program, const Findings& expected) {
  return Compare(expected, checker(program));
}

std::string Trial::Explain(Checker checker, std::uint64_t number,
                           const StraightLine& program) const {
  const StraightLine smallest = Shrink(program, [&](const StraightLine& smaller) {
    return Judge(checker, smaller, BruteForce(smaller)).Any();
  });
  return fmt::format("{} program {} of seed {}, the smallest part that differs:\n{}{}", style_.name,
                     number, seed_, Format(smallest),
                     Format(Judge(checker, smallest, BruteForce(smallest))));
}

std::string Trial::Run(std::uint64_t number) {
  const StraightLine program = Generate(style_, seed_, number);
  const Findings expected = BruteForce(program);
  ++tally_.programs;
  if (expected.race) {
    ++tally_.races;
  } else {
    tally_.executions += expected.executions.size();
    tally_.largest = std::max<std::uint64_t>(tally_.largest, expected.executions.size());
  }
  for (const Checker checker : checkers_) {
    if (!Judge(checker, program, expected).Any()) continue;
    ++tally_.differing;
    return Explain(checker, number, program);
  }
  return "";
}

}  // namespace nowait::model::oracle
