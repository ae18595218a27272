// Lanes: a failure for a reader: what happened, what each thread waits for, and the last steps, a
// column a thread.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_LANES_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_LANES_H_

#include <cstddef>
#include <string>

#include "tests/whole/scheduler/failure.h"

namespace nowait::whole {

// most_steps: how many of the last steps are shown, and how many of the last calls before them.
std::string Lanes(const Failure& failure, std::size_t most_steps = 60);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_LANES_H_
