// One atomic: coherence, and the guarantees of a read-modify-write and of a lock.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

constexpr char kAtomicRmw[] = "[atomics.order] 10: a read-modify-write reads the last value";

// A lock acquired by an exchange.
template <Order kLock, Order kUnlock>
LitmusTest TestAndSet(const char* name, const char* says, Cxx20 cxx20) {
  constexpr auto kThread = [](Cells& c) {
    if (c.x.exchange(1, kLock) != 0) return;
    c.data.set(c.data.get() + 1);
    c.x.store(0, kUnlock);
  };
  return {.name = name,
          .says = says,
          .threads = {kThread, kThread},
          .asked = "a data race on the guarded data",
          .failure = FailureKind::kDataRace,
          .cxx20 = cxx20,
          .source = kDataRace};
}

}  // namespace

std::vector<LitmusTest> CoherenceTests() {
  return {
      {.name = "CoRR",
       .says = "two reads of one atomic",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     c.r[1] = c.x.load(rlx);
                   }},
       .asked = "the second reads the older value",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = kReadRead},
      {.name = "CoRR+hb",
       .says = "two reads of one atomic by two threads, ordered by release and acquire",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     c.y.store(1, rel);
                   },
                   [](Cells& c) {
                     c.r[1] = c.y.load(acq);
                     c.r[2] = c.x.load(rlx);
                   }},
       .asked = "the second reads the older value",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.r[2] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.order] 2; [intro.races] 16, read-read coherence"},
      {.name = "CoRR2",
       .says = "two threads read one atomic twice each, while two others store",
       .threads = {[](Cells& c) { c.x.store(1, rlx); }, [](Cells& c) { c.x.store(2, rlx); },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     c.r[1] = c.x.load(rlx);
                   },
                   [](Cells& c) {
                     c.r[2] = c.x.load(rlx);
                     c.r[3] = c.x.load(rlx);
                   }},
       .asked = "they disagree about which store came first",
       .outcome =
           [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 2 && c.r[2] == 2 && c.r[3] == 1; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[intro.races] 4 and 16: one modification order for all"},
      {.name = "CoWR",
       .says = "a thread reads its own store",
       .threads = {[](Cells& c) {
                     c.x.store(2, rlx);
                     c.r[0] = c.x.load(rlx);
                   },
                   [](Cells& c) { c.x.store(1, rlx); }},
       .asked = "it reads a value older than its own",
       .outcome = [](const Cells& c) { return c.r[0] == 0 || (c.r[0] == 1 && c.last.x == 2); },
       .cxx20 = Cxx20::kForbidden,
       .source = kWriteRead},
      {.name = "CoRW",
       .says = "a thread overwrites the store that it has read",
       .threads = {[](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     c.x.store(2, rlx);
                   },
                   [](Cells& c) { c.x.store(1, rlx); }},
       .asked = "the store that it read ends up last, or it reads its own later store",
       .outcome = [](const Cells& c) { return (c.r[0] == 1 && c.last.x == 1) || c.r[0] == 2; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[intro.races] 17, read-write coherence, and 14"},
      {.name = "CoWW",
       .says = "a thread stores twice",
       .threads = {[](Cells& c) {
                     c.x.store(1, rlx);
                     c.x.store(2, rlx);
                   },
                   [](Cells& c) { c.r[0] = c.x.load(rlx); }},
       .asked = "the first value stays",
       .outcome = [](const Cells& c) { return c.last.x == 1; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[intro.races] 15, write-write coherence"},
      {.name = "RMW+add",
       .says = "two relaxed fetch_adds",
       .threads = {[](Cells& c) { c.x.fetch_add(1, rlx); },
                   [](Cells& c) { c.x.fetch_add(1, rlx); }},
       .asked = "an increment is lost",
       .outcome = [](const Cells& c) { return c.last.x != 2; },
       .cxx20 = Cxx20::kForbidden,
       .source = kAtomicRmw},
      {.name = "RMW+cas",
       .says = "two relaxed compare-exchanges from the same value",
       .threads = {[](Cells& c) {
                     int zero = 0;
                     c.r[0] = c.x.compare_exchange_strong(zero, 1, rlx, rlx) ? 1 : 0;
                   },
                   [](Cells& c) {
                     int zero = 0;
                     c.r[1] = c.x.compare_exchange_strong(zero, 2, rlx, rlx) ? 1 : 0;
                   }},
       .asked = "both succeed, or both fail",
       .outcome = [](const Cells& c) { return c.r[0] == c.r[1]; },
       .cxx20 = Cxx20::kForbidden,
       .source = kAtomicRmw},
      {.name = "RMW+store",
       .says = "a relaxed fetch_add and a store",
       .threads = {[](Cells& c) { c.r[0] = c.x.fetch_add(1, rlx); },
                   [](Cells& c) { c.x.store(5, rlx); }},
       .asked = "the addition reads 0, and the store is lost",
       .outcome = [](const Cells& c) { return c.r[0] == 0 && c.last.x != 5; },
       .cxx20 = Cxx20::kForbidden,
       .source = kAtomicRmw},
      {.name = "RMW+load+store",
       .says = "an increment torn into a load and a store",
       .threads = {[](Cells& c) { c.x.store(c.x.load(rlx) + 1, rlx); },
                   [](Cells& c) { c.x.fetch_add(1, rlx); }},
       .asked = "an increment is lost",
       .outcome = [](const Cells& c) { return c.last.x != 2; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[intro.races] 4 and 14: another store may come in between"},
      TestAndSet<acq, rel>("TAS+acq+rel", "a test-and-set lock", Cxx20::kForbidden),
      TestAndSet<rlx, rel>("TAS+rlx+rel", "the same, taken with a relaxed exchange",
                           Cxx20::kAllowed),
      TestAndSet<acq, rlx>("TAS+acq+rlx", "the same, released with a relaxed store",
                           Cxx20::kAllowed),
  };
}

}  // namespace nowait::model
