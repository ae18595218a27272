// The order S of seq_cst operations, where it may contradict happens-before, and the effect of
// fences.
//
// Z6.U, IRIW+acq+sc, RWC+fences, W+RWC+fences, SB+rfis and WWmerge are examples of "Repairing
// Sequential Consistency in C/C++11" (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017). Its model
// came to C++20 by way of P0668R5 (Boehm, Giroux, Vafeiadis, "Revising the C++ memory model"). In
// the last two the wording there forbids an outcome that the paper allows; likewise in SB+RMW+rfis.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

bool ThirdReadsOld(const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 0; }

// W+RWC: a flag tells thread 1 that x has been stored.
template <Order kStore, Order kLoad>
LitmusTest ReadToWriteCausalityTold(const char* name, const char* says, Cxx20 cxx20,
                                    const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        c.z.store(1, kStore);
                      },
                      [](Cells& c) {
                        c.r[0] = c.z.load(kLoad);
                        Fence(sc);
                        c.r[1] = c.y.load(rlx);
                      },
                      [](Cells& c) {
                        c.y.store(1, rlx);
                        Fence(sc);
                        c.r[2] = c.x.load(rlx);
                      }},
          .asked = "the flag is seen before y = 0 is read, and x = 0 after y = 1",
          .outcome = ThirdReadsOld,
          .cxx20 = cxx20,
          .source = source};
}

// Z6.0: two stores; a load and a store; a store and a load.
template <Order kLoad>
LitmusTest StoreThenReadToWrite(const char* name, const char* says, Cxx20 cxx20,
                                const char* source) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, rlx);
                        Fence(sc);
                        c.y.store(1, rlx);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(kLoad);
                        c.z.store(1, rlx);
                      },
                      [](Cells& c) {
                        c.z.store(2, rlx);
                        Fence(sc);
                        c.r[1] = c.x.load(rlx);
                      }},
          .asked = "y = 1 is read, z = 2 ends up last, and x = 0 is read after it",
          .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.last.z == 2; },
          .cxx20 = cxx20,
          .source = source};
}

}  // namespace

std::vector<LitmusTest> SeqCstTests() {
  return {
      {.name = "Z6.U",
       .says = "S may put a store after an event that it simply happens before (release, acquire)",
       .threads = {[](Cells& c) {
                     c.x.store(1, sc);
                     c.y.store(1, rel);
                   },
                   [](Cells& c) {
                     c.r[0] = c.y.fetch_add(1, sc);
                     c.r[1] = c.y.load(rlx);
                   },
                   [](Cells& c) {
                     c.y.store(3, sc);
                     c.r[2] = c.x.load(sc);
                   }},
       .asked = "the read-modify-write reads 1, the load after it 3, and the last load x = 0",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 3 && c.r[2] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source =
           "PLDI 2017, Z6.U; [intro.races] 12: x = 1 only simply happens before the addition"},
      {.name = "IRIW+acq+sc",
       .says = "seq_cst stores, the first load of each reader acquire, the second seq_cst",
       .threads = {[](Cells& c) { c.x.store(1, sc); }, [](Cells& c) { c.y.store(1, sc); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(acq);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.r[2] = c.y.load(acq);
                     c.r[3] = c.x.load(sc);
                   }},
       .asked = "two readers disagree about which of two stores came first",
       .outcome =
           [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 1 && c.r[3] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = "PLDI 2017, IRIW-acq-sc; [intro.races] 12: the stores only simply happen before"},
      {.name = "WRC+sc+rlx",
       .says = "two seq_cst loads of a relaxed store, with a relaxed flag from one to the other",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(sc);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[1] = c.y.load(rlx);
                     c.r[2] = c.x.load(sc);
                   }},
       .asked = "the flag is seen, and the second load reads the older value",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.r[2] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[atomics.order] 3 and 4: S can have the second load before the first"},
      {.name = "RWC+rel+acq",
       .says = "read-to-write causality, release and acquire",
       .threads = {[](Cells& c) { c.x.store(1, rel); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(acq);
                     c.r[1] = c.y.load(acq);
                   },
                   [](Cells& c) {
                     c.y.store(1, rel);
                     c.r[2] = c.x.load(acq);
                   }},
       .asked = "x = 1 is read before y = 0, and x = 0 after y = 1",
       .outcome = ThirdReadsOld,
       .cxx20 = Cxx20::kAllowed,
       .source = kVisible},
      {.name = "RWC+sc",
       .says = "the same, seq_cst",
       .threads = {[](Cells& c) { c.x.store(1, sc); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(sc);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.y.store(1, sc);
                     c.r[2] = c.x.load(sc);
                   }},
       .asked = "x = 1 is read before y = 0, and x = 0 after y = 1",
       .outcome = ThirdReadsOld,
       .cxx20 = Cxx20::kForbidden,
       .source = kTotalOrder},
      {.name = "RWC+acq+sc",
       .says = "the same, but the store is read by an acquire: a synchronisation that S need not "
               "follow",
       .threads = {[](Cells& c) { c.x.store(1, sc); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(acq);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.y.store(1, sc);
                     c.r[2] = c.x.load(sc);
                   }},
       .asked = "x = 1 is read before y = 0, and x = 0 after y = 1",
       .outcome = ThirdReadsOld,
       .cxx20 = Cxx20::kAllowed,
       .source = "[intro.races] 12: the store only simply happens before the load of y"},
      {.name = "WWmerge",
       .says = "the same with two stores to x: S has to follow, since one lies before the release",
       .threads = {[](Cells& c) {
                     c.x.store(1, sc);
                     c.x.store(2, sc);
                   },
                   [](Cells& c) {
                     c.r[0] = c.x.load(acq);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.y.store(1, sc);
                     c.r[2] = c.x.load(sc);
                   }},
       .asked = "x = 2 is read before y = 0, and x = 0 after y = 1",
       .outcome = [](const Cells& c) { return c.r[0] == 2 && c.r[1] == 0 && c.r[2] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source =
           "[intro.races] 12: x = 1 strongly happens before the load of y; PLDI 2017 allows it"},
      {.name = "RWC+fences",
       .says = "the same, relaxed with seq_cst fences in between",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     Fence(sc);
                     c.r[1] = c.y.load(rlx);
                   },
                   [](Cells& c) {
                     c.y.store(1, rlx);
                     Fence(sc);
                     c.r[2] = c.x.load(rlx);
                   }},
       .asked = "x = 1 is read before y = 0, and x = 0 after y = 1",
       .outcome = ThirdReadsOld,
       .cxx20 = Cxx20::kForbidden,
       .source = "PLDI 2017, RWC+syncs; [atomics.order] 3 and 4, fourth condition on S"},
      ReadToWriteCausalityTold<rel, acq>(
          "W+RWC+fences", "the same, where the reader learns of x by release and acquire",
          Cxx20::kForbidden, "PLDI 2017, W+RWC; [atomics.order] 4, fourth condition on S"),
      ReadToWriteCausalityTold<rlx, rlx>("W+RWC+fences+rlx",
                                         "the same, where it learns of x by a relaxed load",
                                         Cxx20::kAllowed, kNotReleased),
      StoreThenReadToWrite<acq>(
          "Z6.0+fences", "two seq_cst fences, and a thread between them that acquires",
          Cxx20::kForbidden, "[atomics.fences] 3; [atomics.order] 4, fourth condition on S"),
      StoreThenReadToWrite<rlx>("Z6.0+fences+rlx", "the same, and the thread does not acquire",
                                Cxx20::kAllowed, kNotReleased),
      {.name = "SB+rfis",
       .says = "store buffering by releases, each read back by a seq_cst load",
       .threads = {[](Cells& c) {
                     c.x.store(1, rel);
                     c.r[0] = c.x.load(sc);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.y.store(1, rel);
                     c.r[2] = c.y.load(sc);
                     c.r[3] = c.x.load(sc);
                   }},
       .asked = "each thread reads its own store, and the other's variable as 0",
       .outcome =
           [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 1 && c.r[3] == 0; },
       .cxx20 = Cxx20::kOpen,
       .source = kOpenIssue},
      {.name = "SB+RMW+rfis",
       .says = "the same by relaxed read-modify-writes: x86 and ARM keep what N4861 demands",
       .threads = {[](Cells& c) {
                     c.x.fetch_add(1, rlx);
                     c.r[0] = c.x.load(sc);
                     c.r[1] = c.y.load(sc);
                   },
                   [](Cells& c) {
                     c.y.fetch_add(1, rlx);
                     c.r[2] = c.y.load(sc);
                     c.r[3] = c.x.load(sc);
                   }},
       .asked = "each thread reads its own addition, and the other's variable as 0",
       .outcome =
           [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 1 && c.r[3] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.order] 3 and 4, first condition on S; PLDI 2017 allows it"},
      {.name = "R+rfi",
       .says = "a release that is read back, against two seq_cst stores",
       .threads = {[](Cells& c) {
                     c.y.store(1, sc);
                     c.x.store(1, sc);
                   },
                   [](Cells& c) {
                     c.x.store(2, rel);
                     c.r[0] = c.x.load(sc);
                     c.r[1] = c.y.load(sc);
                   }},
       .asked = "thread 1 reads its own store, which ends up last, and y = 0",
       .outcome = [](const Cells& c) { return c.r[0] == 2 && c.r[1] == 0 && c.last.x == 2; },
       .cxx20 = Cxx20::kOpen,
       .source = kOpenIssue},
      {.name = "SB+fences+race",
       .says =
           "two seq_cst fences that see each other by their place in S alone do not synchronise",
       .threads = {[](Cells& c) {
                     c.data.set(1);
                     Fence(sc);
                     if (c.y.load(rlx) == 0) c.z.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.y.store(1, rlx);
                     Fence(sc);
                     if (c.z.load(rlx) == 1) c.data.get();
                   }},
       .asked = "a data race",
       .failure = FailureKind::kDataRace,
       .cxx20 = Cxx20::kAllowed,
       .source = "[atomics.fences] 2 to 4: nothing is read before a fence"},
  };
}

}  // namespace nowait::model
