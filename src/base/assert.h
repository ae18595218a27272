// NOWAIT_ASSERT(condition, "what must hold"): a programmer's error, checked in debug builds.
//
// It is for contracts between our own functions (a phase rule, a lock order, an invariant). Input
// from outside (a file, an option, a capacity reached) never triggers an assertion: it is handled
// by a Result, see src/base/result.h.
//
// A failing assertion prints itself and aborts. A program that tests assertions and continues after
// one installs a handler.
//
// Thread safety: assertions anywhere. A handler must be installed before the start of any thread
// whose assertions may fail.
#ifndef NOWAIT_SRC_BASE_ASSERT_H_
#define NOWAIT_SRC_BASE_ASSERT_H_

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace nowait {

struct FailedAssertion {
  const char* condition;  // as written in the source
  const char* what;       // what must hold, in words
  std::source_location site;
};

// Called first when an assertion fails; may leave by a jump. If it returns, the failure is printed
// and the program aborts, as without a handler.
using AssertionHandler = void (*)(const FailedAssertion& failed);
inline AssertionHandler assertion_handler = nullptr;

[[noreturn]] inline void AssertionFailed(const FailedAssertion& failed) {
  if (assertion_handler != nullptr) assertion_handler(failed);
  std::fprintf(stderr, "%s:%u: %s (%s)\n", failed.site.file_name(),
               static_cast<unsigned>(failed.site.line()), failed.what, failed.condition);
  std::abort();
}

}  // namespace nowait

#ifdef NDEBUG
// Named in an unevaluated operand, so that a variable used only here is not "unused".
#define NOWAIT_ASSERT(condition, what) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define NOWAIT_ASSERT(condition, what) \
  ((condition) ? static_cast<void>(0)  \
               : ::nowait::AssertionFailed({#condition, what, std::source_location::current()}))
#endif

#endif  // NOWAIT_SRC_BASE_ASSERT_H_
