// FaultScope: the parts of a program that a run's fault (faults.h) may hit.
//
//   const FaultScope own(false);    // the test's own allocations and threads are not refused
//   const auto id = MeetingFaults([&] { return world.CreateBody(def, wait); });
//   if (!id && IsOfFault(id.error())) ...
//
// At first everything may be hit. A thread begins with what holds where it is started: a pool's
// workers with the engine's, a test's own threads with the test's. The test's code that an engine's
// thread calls, such as the work of a task, has a scope of its own.
//
// Does nothing in a program that runs with real threads.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_FAULT_SCOPE_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_FAULT_SCOPE_H_

#include "src/base/result.h"

namespace nowait::whole {

// Of the calling thread, until the end of the block.
class [[nodiscard]] FaultScope {
 public:
  explicit FaultScope(bool meets_faults);
  ~FaultScope();
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;

 private:
  const bool before_;
};

// The value of call(). A fault may hit what it does.
template <class Call>
decltype(auto) MeetingFaults(const Call& call) {
  const FaultScope engine(true);
  return call();
}

// Whether an allocation has failed in this run, or a thread has been refused.
bool FaultHasStruck();

// Whether the error is one that the headers name for the fault that has struck in this run:
// kCapacity "memory", or "threads", since a thread needs memory, too.
bool IsOfFault(const Error& error);

// The value of call(); if a fault has struck meanwhile, its answer to a second call: nothing
// has happened the first time, and there is one fault in a run.
template <class Call>
auto AskTwice(const Call& call) {
  auto result = call();
  if (result || !IsOfFault(result.error())) return result;
  return call();
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_FAULT_SCOPE_H_
