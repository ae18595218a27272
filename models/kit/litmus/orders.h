// Short names for the tables of the suite: the orders, and the sources that many tests share.
#ifndef NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_
#define NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_

#include <atomic>

namespace nowait::model {

using Order = std::memory_order;
inline constexpr Order rlx = Order::relaxed;
inline constexpr Order acq = Order::acquire;
inline constexpr Order rel = Order::release;
inline constexpr Order sc = Order::seq_cst;

// The paragraph numbers are those of N4861, the working draft that became C++20.
inline constexpr char kVisible[] = "[intro.races] 14: any store that 15 to 18 do not rule out";
inline constexpr char kOwnOrders[] =
    "[intro.races] 4: the modification orders of different atomics are not tied";
inline constexpr char kReadRead[] = "[intro.races] 16, read-read coherence";
inline constexpr char kReadWrite[] = "[intro.races] 17, read-write coherence";
inline constexpr char kWriteRead[] = "[intro.races] 18, write-read coherence";
inline constexpr char kDataRace[] = "[intro.races] 21, data race";
inline constexpr char kReleased[] = "[atomics.order] 2, synchronises with; [intro.races] 18";
inline constexpr char kNotReleased[] =
    "[atomics.order] 2: only a release and an acquire that reads from it synchronise";
inline constexpr char kTotalOrder[] = "[atomics.order] 3 and 4, first condition on S";
inline constexpr char kTotalOrderOfFences[] = "[atomics.order] 3 and 4, fourth condition on S";
// "[atomics.order] inadvertently prohibits widespread implementation techniques": S has to agree
// with every coherence order of seq_cst operations, even one that arises from a store that is not
// seq_cst. The paper that the paragraph follows (seq_cst.cc) does not demand that, and x86 does not
// provide it.
inline constexpr char kOpenIssue[] =
    "LWG 3941, open: [atomics.order] 3 and 4 forbid it, the model of PLDI 2017 allows it";
inline constexpr char kYieldOrdersNothing[] =
    "[thread.thread.this] 3: a yield synchronises with nothing";

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_ORDERS_H_
