// Crashes of a program, as failures of its run: a signal, a failed assertion.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_CRASH_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_CRASH_H_

#include "src/base/assert.h"

namespace nowait::whole {

// While it lives, a signal that a fiber causes and an assertion that fails there end the run.
class CrashScope {
 public:
  CrashScope();
  ~CrashScope();
  CrashScope(const CrashScope&) = delete;
  CrashScope& operator=(const CrashScope&) = delete;

 private:
  AssertionHandler assertion_before_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_CRASH_H_
