// Shorten: a schedule that fails in the same way with as few interruptions as can be found.
//
// Delta debugging over the schedule's choices: halves, quarters and so on are left out, and what
// still fails is kept, until no single choice can be left out (or so many runs have been made). The
// same schedule gives the same result.
//
// Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE
// 28(2), 2002.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_SHORTEN_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_SHORTEN_H_

#include <cstdint>
#include <functional>

#include "tests/whole/scheduler/schedule.h"

namespace nowait::whole {

struct Shortened {
  Schedule schedule;
  std::uint64_t runs = 0;
  bool smallest = false;  // no single choice can be left out
};

// fails: whether a run by this schedule fails in the same way. It did with `schedule`.
Shortened Shorten(const Schedule& schedule, const std::function<bool(const Schedule&)>& fails,
                  std::uint64_t most_runs = 1000);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_SHORTEN_H_
