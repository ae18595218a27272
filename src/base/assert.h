// NOWAIT_ASSERT(condition, "what must hold"): a programmer's error, checked in debug builds.
//
// It is for contracts between our own functions (a phase rule, a lock order, an invariant). Input
// from outside (a file, an option, a capacity reached) is never asserted on: that is a Result, see
// src/base/result.h.
#ifndef NOWAIT_SRC_BASE_ASSERT_H_
#define NOWAIT_SRC_BASE_ASSERT_H_

#include <cstdio>
#include <cstdlib>

namespace nowait {

[[noreturn]] inline void AssertionFailed(const char* file, int line, const char* condition,
                                         const char* what) {
  std::fprintf(stderr, "%s:%d: %s (%s)\n", file, line, what, condition);
  std::abort();
}

}  // namespace nowait

#ifdef NDEBUG
// Named in an unevaluated operand, so that a variable used only here is not "unused".
#define NOWAIT_ASSERT(condition, what) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define NOWAIT_ASSERT(condition, what) \
  ((condition) ? static_cast<void>(0)  \
               : ::nowait::AssertionFailed(__FILE__, __LINE__, #condition, what))
#endif

#endif  // NOWAIT_SRC_BASE_ASSERT_H_
