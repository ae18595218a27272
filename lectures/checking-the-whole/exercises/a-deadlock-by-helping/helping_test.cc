// The program under a thousand schedules. The student's MoveAll stands before this.
#include <fmt/format.h>

#include <cstdint>

#include "lectures/checking-the-whole/exercises/a-deadlock-by-helping/program.h"
#include "lectures/judge.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::small_engine {
namespace {

void ProgramOfMoveAll() {
  Program([](Pool& pool, Locks& locks, Bodies& bodies) { MoveAll(pool, locks, bodies); });
}

int JudgeAll(std::uint64_t seed) {
  const whole::Exploration found =
      whole::Explore(&ProgramOfMoveAll, {.schedules = 1000, .seed = seed});
  fmt::print("{} of 1,000 schedules, seed {}, the longest of {} steps\n", found.schedules, seed,
             found.longest);
  if (found.failure) fmt::print("{}", found.report);
  Judge judge;
  judge.Ask(!found.failure || found.failure->kind != whole::FailureKind::kDeadlock,
            "some thread can always go on");
  judge.Ask(!found.failure, "nothing fails under the schedules that were tried");
  return judge.End();
}

}  // namespace
}  // namespace nowait::small_engine

int main() { return nowait::small_engine::JudgeAll(17); }
