// Whether threads that are blocked at the end of an execution stay blocked for ever.
//
// A thread that waits for a mutex stays if nobody unlocks it: it finds the last value.
//
// A thread that sleeps stays if no notification has to wake it.
// - An atomic, [atomics.wait] 4 (N4861): a notification can unblock a wait that has seen X if a
//   later write of the atomic happens before the notification.
// - A condition variable, [thread.condition] 4 and 5: notifications and sleeping threads lie in one
//   order that follows happens-before. A notification can wake each sleeper that it does not come
//   before in that order, and has to if the sleeping happens before it.
// notify_all wakes all of them. notify_one wakes one, and perhaps another one that could be asleep
// by then; the order S is not asked. Each sleeper takes at most as many notifications as the times
// that it could fall asleep.
//
// A sleeper of a condition variable that goes on without a spurious waking has a notification that
// can have woken it, and each of its thread's sleeps has another one.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_WAITING_H_
#define NOWAIT_MODELS_KIT_BUFFERING_WAITING_H_

#include <cstdint>
#include <vector>

#include "models/kit/buffering/executions.h"
#include "models/kit/buffering/thread_run.h"

namespace nowait::model::buffering {

// Whether each sleeper of a condition variable that was woken has a notification.
bool WakingsHaveCauses(const Runs& runs, const Judged& execution);

enum class Standstill : std::uint8_t {
  kNone,      // some thread goes on, or has not ended for another reason
  kSpins,     // a thread that spins finds nothing new
  kDeadlock,  // all threads that have not returned are blocked
};
Standstill StandstillOf(const Runs& runs, const Judged& execution);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_WAITING_H_
