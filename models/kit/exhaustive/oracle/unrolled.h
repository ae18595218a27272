// Unrolled: all executions of a program that waits, by brute force over its loops.
//
// A loop that yields has a round for each time that it finds something new: of so many rounds each
// number is tried, and what then stands there is a straight line, of which brute_force.h finds all
// executions, whatever the orders of its operations. The last round succeeds, or the thread stays
// in the loop for ever: it has read the newest values. A waiting operation reads another value
// than it waits for, or sleeps for ever: no notification has to unblock it ([atomics.wait] 4).
//
// Nothing is known here of the checker that is judged, but for its rule about yields: a round is
// not repeated with the same values (waiting.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_

#include <cstddef>
#include <string>

#include "models/kit/exhaustive/oracle/waiting.h"

namespace nowait::model::oracle {

// Of a program of loads, stores, exchanges, loops that await a value, atomic::wait, notifications,
// and plain data. A notification of one is for an atomic at which one thread waits, once.
Outcomes Unroll(const Waiting& program);

// The differences, of threads that are alike. Of the executions that differ only in the names of
// threads, one has to be found, and one of the ends. More of them are no difference: where the
// threads' own addresses distinguish them, the checker need not take them for the same.
std::string CompareAlike(const Outcomes& expected, const Outcomes& found, std::size_t threads);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_UNROLLED_H_
