// The memory orders of three small programs: yours to choose. Each program stands above its orders,
// with what must not happen in it.
#ifndef NOWAIT_LECTURES_02_MEMORY_ORDERS_EXERCISES_WEAKEST_ORDERS_WEAKEST_ORDERS_H_
#define NOWAIT_LECTURES_02_MEMORY_ORDERS_EXERCISES_WEAKEST_ORDERS_WEAKEST_ORDERS_H_

#include <array>
#include <atomic>

namespace nowait::model {

using enum std::memory_order;

// 1. A message that is counted on its way. It must not be read before it is written.
//
//      thread A                     thread B                thread C
//      data = 1                     y.fetch_add(1, ...)     if (y.load(...) == 2) read data
//      y.fetch_add(1, ...)
//
//    in this order: A's fetch_add, B's fetch_add, C's load.
inline constexpr std::array kCounted = {relaxed, relaxed, relaxed};

// 2. A message that is passed on. It must not be read before it is written.
//
//      thread A             thread B                                thread C
//      data = 1             if (y.load(...) == 1)                   if (z.load(...) == 1) read data
//      y.store(1, ...)        z.store(1, ...)
//
//    in this order: A's store, B's load, B's store, C's load.
inline constexpr std::array kPassedOn = {relaxed, relaxed, relaxed, relaxed};

// 3. Two threads meet: at least one of them must see the other.
//
//      thread A                 thread B
//      x.store(1, ...)          y.store(1, ...)
//      r0 = y.load(...)         r1 = x.load(...)          not r0 == 0 and r1 == 0
//
//    in this order: A's store, A's load, B's store, B's load.
inline constexpr std::array kMeeting = {relaxed, relaxed, relaxed, relaxed};

}  // namespace nowait::model

#endif  // NOWAIT_LECTURES_02_MEMORY_ORDERS_EXERCISES_WEAKEST_ORDERS_WEAKEST_ORDERS_H_
