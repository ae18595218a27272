// Short names for the tables of the suite: the orders, and the sources that many tests have.
#ifndef NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_
#define NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_

#include <atomic>

namespace nowait::model {

using Order = std::memory_order;
inline constexpr Order rlx = Order::relaxed;
inline constexpr Order acq = Order::acquire;
inline constexpr Order rel = Order::release;
inline constexpr Order sc = Order::seq_cst;

inline constexpr char kAtomicsOrder4[] = "[atomics.order] 4";
inline constexpr char kThinAir[] = "[atomics.order], out-of-thin-air values (a recommendation)";
inline constexpr char kAtomicsFences[] = "[atomics.fences]";
inline constexpr char kCoherence[] = "[intro.races], coherence";
inline constexpr char kRaces[] = "[intro.races]";
// Batty, Owens, Sarkar, Sewell, Weber.
inline constexpr char kMathematizing[] = "Mathematizing C++ Concurrency, POPL 2011";
// Lahav, Vafeiadis, Kang, Hur, Dreyer.
inline constexpr char kRepairing[] = "Repairing Sequential Consistency in C/C++11, PLDI 2017";

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_
