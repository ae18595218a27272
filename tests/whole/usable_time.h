// UsableTime: how long another process could have run. A watch may hold that time against it.
//
// A process that waits for a processor is not one that hangs. So time counts while no thread of the
// process is ready to run (it sleeps, or waits for something that does not come), and time of a
// processor counts; the rest of the wall clock, which others had, does not.
//
// Thread safety: by one thread. Linux: reads /proc/PID/task and the process's clock.
#ifndef NOWAIT_TESTS_WHOLE_USABLE_TIME_H_
#define NOWAIT_TESTS_WHOLE_USABLE_TIME_H_

#include <sys/types.h>

#include <chrono>

namespace nowait::whole {

class UsableTime {
 public:
  // process: a child of the caller's that has not been waited for.
  explicit UsableTime(pid_t process);

  // The time that the process could have used since the last call, or since the construction: at
  // most the wall clock's. Its readiness is looked at once, now; call it several times a second.
  std::chrono::nanoseconds SinceLastLook();

 private:
  using Clock = std::chrono::steady_clock;

  pid_t process_;
  Clock::time_point looked_;
  std::chrono::nanoseconds ran_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_USABLE_TIME_H_
