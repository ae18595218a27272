// Synchronisation of an acquire load that reads a later store than the release store.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

// Boehm, Giroux, Vafeiadis: the change to release sequences in C++20.
constexpr char kWeakenSequences[] = "P0982R1, Weaken release sequences; [intro.races] 5";

void Read(Cells& c) {
  c.r[0] = c.y.load(acq);
  c.r[1] = c.x.load(rlx);
}
bool TwoWithoutContent(const Cells& c) { return c.r[0] == 2 && c.r[1] == 0; }

}  // namespace

std::vector<LitmusTest> ReleaseSequenceTests() {
  return {
      {.name = "RelSeq+store",
       .says = "the releasing thread stores again, relaxed: the sequence has ended",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     c.y.store(1, rel);
                     c.y.store(2, rlx);
                   },
                   Read},
       .asked = "an acquire reads the second store, not the content",
       .outcome = TwoWithoutContent,
       .cxx20 = Cxx20::kAllowed,
       .source = kWeakenSequences},
      {.name = "RelSeq+rmw",
       .says = "another thread's relaxed read-modify-write continues the sequence",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     c.y.store(1, rel);
                   },
                   [](Cells& c) {
                     int one = 1;
                     c.y.compare_exchange_strong(one, 2, rlx, rlx);
                   },
                   Read},
       .asked = "an acquire reads the read-modify-write, not the content",
       .outcome = TwoWithoutContent,
       .cxx20 = Cxx20::kForbidden,
       .source = "[intro.races] 5, release sequence; [atomics.order] 2"},
      {.name = "RelSeq+other",
       .says = "another thread's store ends the sequence",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     c.y.store(1, rel);
                   },
                   [](Cells& c) {
                     if (c.y.load(rlx) == 1) c.y.store(2, rlx);
                   },
                   Read},
       .asked = "an acquire reads that store, not the content",
       .outcome = TwoWithoutContent,
       .cxx20 = Cxx20::kAllowed,
       .source = "[intro.races] 5, release sequence; [atomics.order] 2"},
      {.name = "RelSeq+fence",
       .says = "a release fence's store heads a sequence too",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     Fence(rel);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     int one = 1;
                     c.y.compare_exchange_strong(one, 2, rlx, rlx);
                   },
                   Read},
       .asked = "an acquire reads the read-modify-write, not the content",
       .outcome = TwoWithoutContent,
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.fences] 3, hypothetical release sequence"},
  };
}

}  // namespace nowait::model
