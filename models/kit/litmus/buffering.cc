// Store buffering and load buffering: a load that takes effect before its thread's earlier store,
// or after a consequence of its thread's later store.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

bool BothReadZero(const Cells& c) { return c.r[0] == 0 && c.r[1] == 0; }
bool BothReadOne(const Cells& c) { return c.r[0] == 1 && c.r[1] == 1; }

template <Order kStore, Order kLoad>
LitmusTest StoreBuffering(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, kStore);
                        c.r[0] = c.y.load(kLoad);
                      },
                      [](Cells& c) {
                        c.y.store(1, kStore);
                        c.r[1] = c.x.load(kLoad);
                      }},
          .asked = "each thread reads the other's variable as 0",
          .outcome = BothReadZero,
          .cxx20 = cxx20,
          .source = source};
}

template <Order kFence>
LitmusTest StoreBufferingWithFences(const char* name, const char* says, Cxx20 cxx20,
                                    const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        Fence(kFence);
                        c.r[0] = c.y.load(rlx);
                      },
                      [](Cells& c) {
                        c.y.store(1, rlx);
                        Fence(kFence);
                        c.r[1] = c.x.load(rlx);
                      }},
          .asked = "each thread reads the other's variable as 0",
          .outcome = BothReadZero,
          .cxx20 = cxx20,
          .source = source};
}

template <Order kRmw>
LitmusTest StoreBufferingWithRmw(const char* name, const char* says) {
  return {
      .name = name,
      .says = says,
      .threads = {[](Cells& c) {
                    c.x.store(1, rlx);
                    c.r[0] = c.y.fetch_add(0, kRmw);
                  },
                  [](Cells& c) {
                    c.y.store(1, rlx);
                    c.r[1] = c.x.fetch_add(0, kRmw);
                  }},
      .asked = "each thread reads the other's variable as 0",
      .outcome = BothReadZero,
      .cxx20 = Cxx20::kAllowed,
      .source = "[atomics.order] 10: each reads the value before its own; nothing synchronises"};
}

template <Order kLoad, Order kStore>
LitmusTest LoadBuffering(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.r[0] = c.x.load(kLoad);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[1] = c.y.load(kLoad);
                        c.x.store(1, kStore);
                      }},
          .asked = "each thread reads what the other stores after its own load",
          .outcome = BothReadOne,
          .cxx20 = cxx20,
          .source = source};
}

}  // namespace

std::vector<LitmusTest> BufferingTests() {
  return {
      StoreBuffering<rlx, rlx>("SB+rlx", "store, then load the other's variable", Cxx20::kAllowed,
                               kVisible),
      StoreBuffering<rel, acq>("SB+rel+acq",
                               "release and acquire do not order a store before a load",
                               Cxx20::kAllowed, kNotReleased),
      StoreBuffering<sc, acq>("SB+sc+acq", "seq_cst on the stores alone is not enough",
                              Cxx20::kAllowed, "[atomics.order] 4: S has no place for the loads"),
      StoreBuffering<sc, sc>("SB+sc", "seq_cst on both sides", Cxx20::kForbidden, kTotalOrder),
      {.name = "SB+xchg+sc",
       .says = "the stores are seq_cst exchanges, and no fence: the loads are not seq_cst",
       .threads = {[](Cells& c) {
                     c.x.exchange(1, sc);
                     c.r[0] = c.y.load(acq);
                   },
                   [](Cells& c) {
                     c.y.exchange(1, sc);
                     c.r[1] = c.x.load(acq);
                   }},
       .asked = "each thread reads the other's variable as 0",
       .outcome = BothReadZero,
       .cxx20 = Cxx20::kAllowed,
       .source = "[atomics.order] 4: S has no place for the loads"},
      StoreBufferingWithFences<Order::acq_rel>(
          "SB+fences+acq_rel", "acq_rel fences in between", Cxx20::kAllowed,
          "[atomics.fences] 2: no thread reads a store that the other made before a fence"),
      StoreBufferingWithFences<sc>("SB+fences+sc", "seq_cst fences in between", Cxx20::kForbidden,
                                   kTotalOrderOfFences),
      {.name = "SB+fence+sc",
       .says = "a seq_cst fence on one side, seq_cst accesses on the other",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     Fence(sc);
                     c.r[0] = c.y.load(rlx);
                   },
                   [](Cells& c) {
                     c.y.store(1, sc);
                     c.r[1] = c.x.load(sc);
                   }},
       .asked = "each thread reads the other's variable as 0",
       .outcome = BothReadZero,
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.order] 3 and 4, second and third condition on S"},
      StoreBufferingWithRmw<rlx>("SB+rmw+rlx", "the loads are read-modify-writes"),
      StoreBufferingWithRmw<Order::acq_rel>("SB+rmw+acq_rel",
                                            "the loads are acq_rel read-modify-writes"),
      LoadBuffering<rlx, rlx>("LB+rlx", "load, then store to the other thread's variable",
                              Cxx20::kAllowed,
                              "[intro.races] 14: neither load happens before the store it reads"),
      LoadBuffering<acq, rel>("LB+acq+rel", "acquire and release", Cxx20::kForbidden,
                              "[atomics.order] 2; [intro.races] 10: happens before has no cycle"),
      {.name = "LB+data",
       .says = "each stores the value that it has read: a value out of thin air",
       .threads = {[](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     c.y.store(c.r[0], rlx);
                   },
                   [](Cells& c) {
                     c.r[1] = c.y.load(rlx);
                     c.x.store(c.r[1], rlx);
                   }},
       .asked = "both read 1",
       .outcome = BothReadOne,
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.order] 8, a recommendation: no value out of thin air"},
      {.name = "LB+ctrl",
       .says = "each stores 1 only if it has read 1",
       .threads = {[](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     if (c.r[0] == 1) c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[1] = c.y.load(rlx);
                     if (c.r[1] == 1) c.x.store(1, rlx);
                   }},
       .asked = "both read 1",
       .outcome = BothReadOne,
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.order] 9, a recommendation, as for LB+data"},
  };
}

}  // namespace nowait::model
