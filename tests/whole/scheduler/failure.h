// Failure: the end of a program that should have ended otherwise.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_FAILURE_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_FAILURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

enum class FailureKind : std::uint8_t {
  kDeadlock,     // every thread waits for another
  kStarvation,   // a call does not return although the schedule is fair and others go on
  kLivelock,     // under a fair schedule no thread gets anywhere
  kTooLong,      // the limit of steps came before a fair schedule had its turn
  kException,    // an exception left a thread
  kThreadsLeft,  // the program returned while a thread of it was running
  kAssertion,    // NOWAIT_ASSERT, Require
  kCrash,        // a signal
};

const char* NameOf(FailureKind kind);

// A step that was done.
struct TraceEntry {
  std::uint64_t number = 0;
  std::uint32_t thread = 0;
  Step step;
};

struct Failure {
  FailureKind kind{};
  std::string what;
  // Each thread: what it waits for, which thread has that, where; and in which calls it is.
  std::vector<std::string> threads;
  std::vector<std::string> names;  // of the threads
  std::vector<TraceEntry> last;    // the last steps, oldest first
};

// Two failures of one cause, as far as a machine sees: the kind, and for what a program said of
// itself (an assertion, an exception) its words. Numbers in them do not count: ids differ from run
// to run.
bool SameCause(const Failure& a, const Failure& b);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_FAILURE_H_
