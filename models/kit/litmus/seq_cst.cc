// The order S of seq_cst operations, where it may contradict happens-before, and what fences add.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

// Boehm, Giroux, Vafeiadis.
constexpr char kRevising[] = "P0668R5, Revising the C++ memory model";

bool ThirdReadsOld(const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 0; }

}  // namespace

std::vector<LitmusTest> SeqCstTests() {
  return {
      {.name = "Z6.U",
       .says = "S may put a store after what it happens before, if only release and acquire say so",
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
       .source = kRepairing},
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
       .source = kRepairing},
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
       .source = kAtomicsOrder4},
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
       .source = kRaces},
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
       .source = kAtomicsOrder4},
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
       .source = kRevising},
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
       .source = kAtomicsFences},
  };
}

}  // namespace nowait::model
