// Stores that enter the modification order late, after the next step of their thread.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

bool FirstStoresLast(const Cells& c) { return c.last.x == 1 && c.last.y == 1; }

// Each thread stores to one variable, does something, and stores to the other variable.
template <Order kFirst, Order kSecond, void (*kBetween)(Cells& c, int t)>
LitmusTest TwoPlusTwoWrites(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, kFirst);
                        kBetween(c, 0);
                        c.y.store(2, kSecond);
                      },
                      [](Cells& c) {
                        c.y.store(1, kFirst);
                        kBetween(c, 1);
                        c.x.store(2, kSecond);
                      }},
          .asked = "each thread's first store ends up last",
          .outcome = FirstStoresLast,
          .cxx20 = cxx20,
          .source = source};
}

void Nothing(Cells&, int) {}
void ReadOwn(Cells& c, int t) { c.r[static_cast<std::size_t>(t)] = (t == 0 ? c.x : c.y).load(rlx); }
void ReadSeqCst(Cells& c, int) { c.z.load(sc); }
void ModifyAcquire(Cells& c, int) { c.z.fetch_add(1, acq); }
void YieldOnce(Cells&, int) { ModelSync::Yield(); }

template <Order kStore>
LitmusTest ThreeTimesTwoWrites(const char* name, const char* says, Cxx20 cxx20,
                               const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, kStore);
                        c.y.store(2, kStore);
                      },
                      [](Cells& c) {
                        c.y.store(1, kStore);
                        c.z.store(2, kStore);
                      },
                      [](Cells& c) {
                        c.z.store(1, kStore);
                        c.x.store(2, kStore);
                      }},
          .asked = "each thread's first store ends up last",
          .outcome = [](const Cells& c) { return FirstStoresLast(c) && c.last.z == 1; },
          .cxx20 = cxx20,
          .source = source};
}

template <Order kFirst, Order kFlag, Order kLoad>
LitmusTest LateStore(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(2, kFirst);
                        c.y.store(1, kFlag);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(kLoad);
                        c.x.store(1, rlx);
                      }},
          .asked = "the flag is seen, and the store before it ends up last",
          .outcome = [](const Cells& c) { return c.r[0] == 1 && c.last.x == 2; },
          .cxx20 = cxx20,
          .source = source};
}

template <Order kStore, Order kLoad>
LitmusTest StoreThenLoad(const char* name, const char* says, Cxx20 cxx20, const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, kStore);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.y.store(2, kStore);
                        c.r[0] = c.x.load(kLoad);
                      }},
          .asked = "thread 1's store ends up last, and it reads x = 0",
          .outcome = [](const Cells& c) { return c.last.y == 2 && c.r[0] == 0; },
          .cxx20 = cxx20,
          .source = source};
}

template <Order kStore, Order kLoad>
LitmusTest WriteToWriteCausality(const char* name, const char* says, Cxx20 cxx20,
                                 const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) { c.x.store(2, rlx); },
                      [](Cells& c) {
                        c.r[0] = c.x.load(kLoad);
                        c.y.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[1] = c.y.load(kLoad);
                        c.x.store(1, rlx);
                      }},
          .asked = "x = 2 is read, thread 2 learns of it and stores x = 1, and x = 2 ends up last",
          .outcome = [](const Cells& c) { return c.r[0] == 2 && c.r[1] == 1 && c.last.x == 2; },
          .cxx20 = cxx20,
          .source = source};
}

}  // namespace

std::vector<LitmusTest> LateStoreTests() {
  return {
      TwoPlusTwoWrites<rlx, rlx, Nothing>("2+2W+rlx", "two stores in each thread, crosswise",
                                          Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<rlx, rel, Nothing>("2+2W+rlx+rel", "the second stores release",
                                          Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<rel, rlx, Nothing>("2+2W+rel+rlx", "the first stores release",
                                          Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<sc, sc, Nothing>("2+2W+sc", "all stores are seq_cst", Cxx20::kForbidden,
                                        kTotalOrder),
      TwoPlusTwoWrites<rlx, rlx, ModifyAcquire>(
          "2+2W+rmw+acq", "an acquire read-modify-write in between", Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<rlx, rlx, ReadSeqCst>("2+2W+load+sc", "a seq_cst load in between",
                                             Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<rlx, rlx, ReadOwn>("2+2W+own", "each thread reads its own first store",
                                          Cxx20::kAllowed, kOwnOrders),
      TwoPlusTwoWrites<rlx, rlx, YieldOnce>("2+2W+yield", "a yield in between", Cxx20::kAllowed,
                                            kYieldOrdersNothing),
      {.name = "2+2W+xchg",
       .says = "the first stores are exchanges",
       .threads = {[](Cells& c) {
                     c.x.exchange(1, rlx);
                     c.y.store(2, rlx);
                   },
                   [](Cells& c) {
                     c.y.exchange(1, rlx);
                     c.x.store(2, rlx);
                   }},
       .asked = "each thread's first store ends up last",
       .outcome = FirstStoresLast,
       .cxx20 = Cxx20::kAllowed,
       .source =
           "[intro.races] 4 and 14; each exchange reads the other's last store: load buffering"},
      {.name = "2+2W+fences",
       .says = "seq_cst fences in between",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     Fence(sc);
                     c.y.store(2, rlx);
                   },
                   [](Cells& c) {
                     c.y.store(1, rlx);
                     Fence(sc);
                     c.x.store(2, rlx);
                   }},
       .asked = "each thread's first store ends up last",
       .outcome = FirstStoresLast,
       .cxx20 = Cxx20::kForbidden,
       .source = kTotalOrderOfFences},
      ThreeTimesTwoWrites<rlx>("3.2W+rlx", "2+2W in a cycle of three threads", Cxx20::kAllowed,
                               kOwnOrders),
      ThreeTimesTwoWrites<sc>("3.2W+sc", "the same, seq_cst", Cxx20::kForbidden, kTotalOrder),
      LateStore<rlx, rlx, rlx>("S+rlx", "a store that is overtaken by its flag", Cxx20::kAllowed,
                               kOwnOrders),
      LateStore<rlx, rel, acq>("S+rel+acq", "the flag is released and acquired", Cxx20::kForbidden,
                               "[atomics.order] 2; [intro.races] 15, write-write coherence"),
      LateStore<rel, rlx, acq>("S+rel+rlx", "the store releases, the flag does not",
                               Cxx20::kAllowed, kNotReleased),
      {.name = "S+four",
       .says = "four stores that are overtaken by one flag",
       .threads = {[](Cells& c) {
                     c.x.store(2, rlx);
                     c.z.store(2, rlx);
                     c.v.store(2, rlx);
                     c.w.store(2, rlx);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     if (c.y.load(rlx) == 0) return;
                     c.r[0] = 1;
                     c.x.store(1, rel);
                     c.z.store(1, rel);
                     c.v.store(1, rel);
                     c.w.store(1, rel);
                   }},
       .asked = "the flag is seen, and all stores before it end up last",
       .outcome =
           [](const Cells& c) {
             return c.r[0] == 1 && c.last.x == 2 && c.last.z == 2 && c.last.v == 2 && c.last.w == 2;
           },
       .cxx20 = Cxx20::kAllowed,
       .source = kOwnOrders},
      StoreThenLoad<rlx, rlx>("R+rlx", "a store after a store, then a load", Cxx20::kAllowed,
                              kOwnOrders),
      StoreThenLoad<rel, acq>("R+rel+acq", "the same, release and acquire", Cxx20::kAllowed,
                              kOwnOrders),
      StoreThenLoad<sc, sc>("R+sc", "the same, seq_cst", Cxx20::kForbidden, kTotalOrder),
      {.name = "R+fences",
       .says = "the same, relaxed with seq_cst fences in between",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     Fence(sc);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.y.store(2, rlx);
                     Fence(sc);
                     c.r[0] = c.x.load(rlx);
                   }},
       .asked = "thread 1's store ends up last, and it reads x = 0",
       .outcome = [](const Cells& c) { return c.last.y == 2 && c.r[0] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = kTotalOrderOfFences},
      WriteToWriteCausality<rlx, rlx>("WWC+rlx", "a store that another thread has read lands late",
                                      Cxx20::kAllowed, kOwnOrders),
      WriteToWriteCausality<rel, acq>("WWC+rel+acq", "the same, release and acquire",
                                      Cxx20::kForbidden, "[atomics.order] 2; [intro.races] 17"),
  };
}

}  // namespace nowait::model
