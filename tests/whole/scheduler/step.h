// Step: one operation of the policy, as the scheduler sees it: before it is done.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_STEP_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_STEP_H_

#include <cstdint>
#include <source_location>

namespace nowait::whole {

// Where in the source an operation stands. A helper that takes a Site and passes it on is not
// shown.
class Site {
 public:
  Site() = default;
  static constexpr Site current(std::source_location at = std::source_location::current()) {
    return Site(at);
  }
  // Without its folders.
  const char* file() const;
  std::uint32_t line() const { return at_.line(); }

 private:
  constexpr explicit Site(std::source_location at) : at_(at) {}
  std::source_location at_;
};

enum class StepKind : std::uint8_t {
  kLoad,
  kStore,
  kUpdate,  // a read-modify-write
  kWait,    // on an atomic
  kNotify,
  kLock,
  kTryLock,
  kUnlock,
  kLockShared,
  kTryLockShared,
  kUnlockShared,
  kConditionWait,
  kConditionNotify,
  kStart,  // of a thread, by another
  kBegin,  // of a thread, by itself
  kEnd,
  kJoin,
  kYield,
  kPause,
  kSleep,
  kClock,
  kCall,    // an ApiCall begins
  kReturn,  // and ends
};

struct Step {
  StepKind kind = StepKind::kBegin;
  const void* object = nullptr;  // compared with other steps' alone
  Site site = {};
  bool ordered = false;        // of a store: it is sequentially consistent
  const char* text = nullptr;  // of a call: its name
  std::uint64_t number = 0;    // of a call: its id
};

// Whether it can change what another thread's step on the same object finds.
bool Writes(StepKind kind);
// "load", "lock shared", ...
const char* NameOf(StepKind kind);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_STEP_H_
