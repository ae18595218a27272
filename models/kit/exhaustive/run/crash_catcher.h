// CrashCatcher: a fault of the code under test is a failure of its scenario, not the end of the
// checker.
//
// A null pointer that is followed, a division by zero, a stack that overflows, an assertion of the
// code's own that fails: the system sends a signal, and would end the program. While a catcher
// exists, a signal that the code under test causes ends the function of its fiber instead
// (Fiber::Fault), and the machine fails. Every execution of a search is a real one, and its crash a
// defect like any other, with a counterexample.
//
// Caught are SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGABRT. The code under test runs in a
// region of the arena, and the kit outside of one. In an operation memory that is not there is the
// code's: its atomic is. A stack that is full is found before an operation begins (code_stack.h).
// Any other fault of the kit, a fault of code that has destroyed the kit's own memory, and a signal
// that is sent, do what they would have done. Nothing unwinds. A lock of the C library stays locked
// if the code itself held it (malloc finds its heap destroyed), as in any program that leaves a
// handler by a jump.
//
// Thread safety: any thread makes one; faults of a thread are caught if it has made one itself.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_CRASH_CATCHER_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_CRASH_CATCHER_H_

namespace nowait::model {

class CrashCatcher {
 public:
  CrashCatcher();
  ~CrashCatcher();
  CrashCatcher(const CrashCatcher&) = delete;
  CrashCatcher& operator=(const CrashCatcher&) = delete;

  // For Fiber::Start: the machine that runs on this thread fails, as kCrash, for the last fault.
  static void Fail(void*);
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_CRASH_CATCHER_H_
