// Lost wake-ups: whether the threads that are blocked in atomic::wait stay so.
//
// [atomics.wait] 4 (N4861): a waiting operation on M that observed X can be unblocked by a
// notification if there is a Y that is later than X in M's modification order and happens before
// the notification. notify_all unblocks all of them, notify_one one: which one is not said, and so
// it may be one that has returned in this execution as well, or one that was blocked again by the same
// value, written anew: if it could have been blocked by then.
//
// By then: the standard orders a notification by happens-before alone. Where the looks at M are seq_cst,
// S orders them as well, and who sleeps when he is notified has looked before and looks again
// afterwards. So what the notification knows comes in S before the last look, and the look that
// put the thread to sleep before what its notifier does next. (Found by the oracle: 17 of 50,000
// programs of seq_cst atomics had an end that no interleaving has; its style `ordered` is made for it.)
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_LOST_WAKEUPS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_LOST_WAKEUPS_H_

#include <vector>

#include "models/kit/exhaustive/clock.h"
#include "models/kit/exhaustive/graph.h"

namespace nowait::model {

// A notify_one or notify_all that was called.
struct Notification {
  LocationIndex location;
  bool all;
  int thread;
  unsigned done;  // events of its thread before it
  Clock known;    // what happens before it
};

// Whether no notification need unblock any of the waiting operations that are blocked. Of all of them
// at once: where two are blocked, a notify_one that can unblock either does unblock one, unless it was
// another one's.
bool AreLost(const Graph& graph, const std::vector<Notification>& notifications);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_LOST_WAKEUPS_H_
