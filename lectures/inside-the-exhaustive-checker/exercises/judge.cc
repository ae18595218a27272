#include <fmt/format.h>

#include "lectures/inside-the-exhaustive-checker/exercises/program.h"
#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/findings.h"

namespace nowait::model::oracle {

int Judge(Fault what, std::size_t size) {
  const StraightLine program = TheProgram();
  fmt::print("{}", Format(program));
  if (program.Size() > size) {
    fmt::print("  NO   {} operations; at most {}\n0 passed, 1 failed\n", program.Size(), size);
    return 1;
  }
  const Findings allowed = BruteForce(program);
  const Findings found = FindByGraphs(program);
  fmt::print("brute force: {} executions; the broken search: {}\n", allowed.executions.size(),
             found.executions.size());
  const Difference difference = Compare(allowed, found);
  fmt::print("{}", Format(difference));
  const bool differs =
      what == Fault::kRepeated ? !difference.repeated.empty() : !difference.extra.empty();
  fmt::print("  {}  {}\n", differs ? "yes" : "NO ",
             what == Fault::kRepeated ? "some execution is visited more than once"
                                      : "some execution is found that is not allowed");
  fmt::print("{}\n", differs ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return differs ? 0 : 1;
}

}  // namespace nowait::model::oracle
