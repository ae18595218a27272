#include "models/kit/exhaustive/oracle/written.h"

#include <array>

#include "models/kit/exhaustive/oracle/statements.h"

namespace nowait::model::oracle {
namespace {

Threads StoreBufferingReadBack(Order order) {
  return {{Store(x, 1, order), Load(x, sc), Load(y, sc)},
          {Store(y, 1, order), Load(y, sc), Load(x, sc)}};
}

// The cycle: x = 0 is read before x = 1 is stored, which happens before x = 2 is read; y = 0 is
// read after that, before y = 1 is stored, and then x = 0 is read.
Threads ReadOfLaterStore(Order last) {
  return {{Store(x, 1, sc)},
          {Load(x, acq), Load(x, last), Load(y, sc)},
          {Store(y, 1, sc), Load(x, sc)},
          {Store(x, 2, rlx)}};
}

// The cycle: the fence comes before x = 1 is read, y = 0 is read after that, and before y = 1 is
// stored, then z = 0 is read, and the store of z that it does not see happens before the fence.
Threads FenceBeforeReadStore(Order order) {
  return {{Store(z, 1, rlx), Fence(order), Store(x, 1, rlx)},
          {Load(x, sc), Load(y, sc)},
          {Store(y, 1, sc), Load(z, sc)}};
}

// The same, but the store of x comes after the fence and is not published.
Threads ToldOfFence(Order order) {
  return {{Store(z, 1, rlx), Fence(order), Store(z, 2, rel)},
          {Load(z, acq), Store(x, 1, rlx)},
          {Load(x, sc), Load(y, sc)},
          {Store(y, 1, sc), Load(z, sc)}};
}

// Thread 1 passes on the message that it has read, with a single fence.
Threads PassedOn(Order fence) {
  return {{Store(z, 1, rlx), Store(x, 1, rel)},
          {Load(x, rlx), Fence(fence), Store(y, 1, rlx)},
          {Load(y, acq), Load(z, rlx)}};
}

}  // namespace

std::span<const Written> WrittenPrograms() {
  static const std::array kPrograms = {
      // LWG 3941: both may finally read 0.
      Written{"SB by releases that each thread reads back", 4, {StoreBufferingReadBack(rel)}},
      Written{"the same, seq_cst", 3, {StoreBufferingReadBack(sc)}},
      Written{"SB by read-modify-writes that each thread reads back",
              3,
              {{{Add(x, 1, rlx), Load(x, sc), Load(y, sc)},
                {Add(y, 1, rlx), Load(y, sc), Load(x, sc)}}}},
      // Two orders of the stores of x; two consecutive loads read one of six pairs. With y = 0 and
      // then x = 0 there are six cycles, and three more when x = 2 comes first and is then read.
      Written{"a load after a store that happens before it, of a later one, relaxed",
              2 * 6 * 2 * 3,
              {ReadOfLaterStore(rlx)}},
      Written{"the same, seq_cst", 2 * 6 * 2 * 3 - 6 - 3, {ReadOfLaterStore(sc)}},
      Written{"a fence before the load of a store after it, no fence in S",
              8,
              {FenceBeforeReadStore(Order::acq_rel)}},
      Written{"the same, seq_cst", 7, {FenceBeforeReadStore(sc)}},
      // Two of the three values that thread 1 may read reveal nothing about the fence.
      Written{"a fence before the load of a store that happens after it, no fence in S",
              3 * 2 * 2 * 3,
              {ToldOfFence(Order::acq_rel)}},
      Written{"the same, seq_cst", 3 * 2 * 2 * 3 - 1, {ToldOfFence(sc)}},
      // Three loads with two values each. Whenever both flags are seen, the message is seen.
      Written{"a message passed on by a fence that acquires and releases",
              2 * 2 * 2 - 1,
              {PassedOn(Order::acq_rel)}},
      Written{"the same, a fence that only releases", 2 * 2 * 2, {PassedOn(rel)}},
  };
  return kPrograms;
}

}  // namespace nowait::model::oracle
