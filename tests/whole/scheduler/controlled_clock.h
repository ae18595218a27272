// ControlledClock: the time of a controlled program.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_CLOCK_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_CLOCK_H_

#include <chrono>
#include <cstdint>

#include "tests/whole/scheduler/hooks.h"
#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

// The machine's time. It begins with each run, some days after the epoch.
struct ControlledClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ControlledClock>;
  static constexpr bool is_steady = true;

  static time_point now(Site site = Site::current()) {
    return time_point(duration(NowHere(site)) + kBegin);
  }
  // As the machine counts it: nanoseconds since the run began.
  static std::uint64_t InMachine(time_point time) {
    const auto since = time.time_since_epoch() - kBegin;
    return since.count() > 0 ? static_cast<std::uint64_t>(since.count()) : 0;
  }

 private:
  static constexpr duration kBegin = std::chrono::days(3);
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_CLOCK_H_
