// The part of ordered-before that one thread's code gives, whatever the other threads do.
//
// It is the union of dob, aob and bob of [pulte2018], "The ARMv8 axiomatic concurrency model",
// without the parts that need reads-from; README.md of this folder has the list, with the two rules
// where today's architecture is weaker. Pairs are (earlier, later) places in program order.
#ifndef NOWAIT_MODELS_KIT_ARM_LOCAL_ORDER_H_
#define NOWAIT_MODELS_KIT_ARM_LOCAL_ORDER_H_

#include <cstddef>
#include <vector>

#include "models/kit/arm/event.h"

namespace nowait::arm {

// For each event: the events that come before it in local order, not transitively closed.
std::vector<Places> LocalOrder(const std::vector<Event>& events);

// The events that come before a read because it reads from `write` of its own thread:
// (addr | data); rfi, and rmw; rfi; [A | Q].
Places OrderedByForwarding(const std::vector<Event>& events, std::size_t write, std::size_t read);

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_KIT_ARM_LOCAL_ORDER_H_
