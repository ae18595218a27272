// Timing: says when each thread of a run does its steps, where times decide in place of a strategy.
// The machine asks which thread is the next one, and says what has happened to it since.
//
//   CoreClocks cores(costs);                        // tests/whole/cores: a core for each thread
//   Machine machine({.spurious = 0}, cores);   // threads go on in the order of their times
//
// A thread that gives way or pauses is not passed over, as it is under a strategy: the pause takes
// its time, and no more. Times are the thread's own: its clock shows them.
//
// Thread safety: as Machine. It outlives the run.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_TIMING_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_TIMING_H_

#include <cstdint>

#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

class Timing {
 public:
  static constexpr std::uint64_t kForEver = ~std::uint64_t{0};

  virtual ~Timing() = default;

  // Of the threads that do not wait, the one whose next step comes first; kNobody: all wait.
  virtual std::uint32_t Next() = 0;
  // The thread has done the step. kEnd is its last one.
  virtual void Done(std::uint32_t thread, const Step& step) = 0;
  // It waits from now on, until another one wakes it or that time has come; kForEver: never.
  virtual void Waits(std::uint32_t thread, std::uint64_t until) = 0;
  // `by` lets it go on, because it waits or because it is new. by is kNobody for the first thread.
  virtual void Wakes(std::uint32_t thread, std::uint32_t by) = 0;
  // It computes for so long: no step, but its own time.
  virtual void Computes(std::uint32_t thread, std::uint64_t nanoseconds) = 0;
  // Nanoseconds since the run began, on the thread's clock.
  virtual std::uint64_t Now(std::uint32_t thread) const = 0;

  // A thread more is refused, as a system refuses it.
  virtual std::uint32_t most_threads() const = 0;
  // The policy's kSpins.
  virtual std::uint32_t spins() const = 0;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_TIMING_H_
