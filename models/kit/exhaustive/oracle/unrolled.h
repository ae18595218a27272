// Unrolled: all executions of a program that waits, by brute force over its loops.
//
// A loop that yields has one round each time that it finds something new. Each number of rounds is
// tried, up to that many. The result is a straight line, of which brute_force.h finds all
// executions, whatever the orders of its operations. The last round succeeds, or the thread stays
// in the loop for ever because it has read the newest values. A waiting operation reads another
// value than the one it waits on, or sleeps for ever: no notification has to unblock it
// ([atomics.wait] 4).
//
// This code knows nothing of the checker under judgement except its rule about yields: a round is
// not repeated with the same values (waiting.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_

#include <cstddef>
#include <string>

#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

// For a program of loads, stores, exchanges, loops that await a value, atomic::wait, notifications
// and plain data. A notify_one must be for an atomic at which one thread waits, once.
Outcomes Unroll(const Waiting& program);

// The differences for interchangeable threads. Of the executions that differ only in the names of
// threads, at least one must be found, and at least one of the ends. Finding more is no difference:
// where the threads' own addresses distinguish them, the checker need not treat them as the same.
std::string CompareAlike(const Outcomes& expected, const Outcomes& found, std::size_t threads);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_
