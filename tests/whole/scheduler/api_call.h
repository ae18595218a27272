// ApiCall: says that the calling thread is in a call of the program's, until the end of the block.
//
//   { const ApiCall call("Wait", id); Require(pool.Wait(task).has_value(), "a wait returns"); }
//
// Reports show calls beside steps, and a call that never returns while others do is starvation.
// Require ends a run whose program finds a promise broken.
//
// Both do nothing in a program that runs with real threads, but that a broken promise ends it.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_API_CALL_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_API_CALL_H_

#include <cstdint>
#include <string_view>

#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

class [[nodiscard]] ApiCall {
 public:
  // name: a literal.
  explicit ApiCall(const char* name, std::uint64_t id = 0, Site site = Site::current());
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

 private:
  const bool noted_;
  const Site site_;
};

// promise: the condition that must hold, in words.
void Require(bool holds, std::string_view promise, Site site = Site::current());

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_API_CALL_H_
