// The oldest value that a load, or a failing compare-exchange, may read. The overlooked stores are
// release stores, because a search could make a relaxed one take effect late instead.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

constexpr char kSpurious[] = "[atomics.types.operations] 27: a weak exchange may fail spuriously";

template <int kStores>
LitmusTest StoresBack(const char* name, const char* says) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        for (int value = 1; value <= kStores; ++value) c.x.store(value, rel);
                        c.y.store(1, rlx);
                      },
                      [](Cells& c) {
                        c.r[0] = c.y.load(rlx);
                        c.r[1] = c.x.load(rlx);
                      }},
          .asked = "all the stores are done, and the value before the first is read",
          .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0; },
          .cxx20 = Cxx20::kAllowed,
          .source = kVisible};
}

}  // namespace

std::vector<LitmusTest> StalenessTests() {
  return {
      StoresBack<1>("Stale+1", "a load reads one store back"),
      StoresBack<2>("Stale+2", "a load reads two stores back"),
      StoresBack<3>("Stale+3", "a load reads three stores back"),
      StoresBack<7>("Stale+7", "a load reads seven stores back"),
      StoresBack<8>("Stale+8", "a load reads eight stores back"),
      {.name = "Stale+yield",
       .says = "a thread reads a value, yields, and reads it again although it is old by now",
       .threads = {[](Cells& c) {
                     c.x.store(1, rel);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[0] = c.x.load(rlx);
                     ModelSync::Yield();
                     c.r[1] = c.y.load(rlx);
                     c.r[2] = c.x.load(rlx);
                   }},
       .asked = "the flag is seen after the yield, its content is not",
       .outcome = [](const Cells& c) { return c.r[0] == 0 && c.r[1] == 1 && c.r[2] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = kYieldOrdersNothing},
      {.name = "Yield+same",
       .says = "a thread looks three times, yielding, and finds the same each time",
       .threads = {[](Cells& c) { c.x.store(1, rlx); },
                   [](Cells& c) {
                     while (c.r[0] < 3 && c.x.load(rlx) == 0) {
                       ModelSync::Yield();
                       ++c.r[0];
                     }
                   }},
       .asked = "nothing has changed at any of the three",
       .outcome = [](const Cells& c) { return c.r[0] == 3; },
       .cxx20 = Cxx20::kAllowed,
       .source = kYieldOrdersNothing},
      {.name = "CAS+stale",
       .says = "a strong compare-exchange fails on a value that is old by now",
       .threads = {[](Cells& c) {
                     c.x.store(1, rel);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[0] = c.y.load(rlx);
                     int expected = 7;
                     c.x.compare_exchange_strong(expected, 9, rlx, rlx);
                     c.r[1] = expected;
                   }},
       .asked = "the flag is seen, and the exchange fails with the value before it",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[atomics.types.operations] 23: an exchange that fails is a load"},
      {.name = "CAS+stale+spurious",
       .says = "a weak compare-exchange reads the expected value, old by now, and fails spuriously",
       .threads = {[](Cells& c) {
                     c.x.store(1, rel);
                     c.y.store(1, rlx);
                   },
                   [](Cells& c) {
                     c.r[0] = c.y.load(rlx);
                     int expected = 0;
                     c.r[1] = c.x.compare_exchange_weak(expected, 9, rlx, rlx) ? 1 : 0;
                     c.r[2] = expected;
                   }},
       .asked = "the flag is seen, and the exchange fails with the value that it expected",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 0 && c.r[2] == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = kSpurious},
      {.name = "CAS+weak",
       .says = "a weak compare-exchange fails without interference",
       .threads = {[](Cells& c) {
                     int zero = 0;
                     c.r[0] = c.x.compare_exchange_weak(zero, 1, rlx, rlx) ? 0 : 1;
                   },
                   [](Cells& c) { c.y.store(1, rlx); }},
       .asked = "it fails",
       .outcome = [](const Cells& c) { return c.r[0] == 1; },
       .cxx20 = Cxx20::kAllowed,
       .source = kSpurious},
      {.name = "CAS+weak+twice",
       .says = "two weak compare-exchanges on one atomic fail without interference",
       .threads = {[](Cells& c) {
                     int zero = 0;
                     c.r[0] = c.x.compare_exchange_weak(zero, 1, rlx, rlx) ? 0 : 1;
                     c.r[1] = c.x.compare_exchange_weak(zero, 1, rlx, rlx) ? 0 : 1;
                   },
                   [](Cells& c) { c.y.store(1, rlx); }},
       .asked = "both fail, at the value that they expect",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1 && c.last.x == 0; },
       .cxx20 = Cxx20::kAllowed,
       .source = kSpurious},
      {.name = "CAS+weak+both",
       .says = "two weak compare-exchanges on two atomics fail without interference",
       .threads = {[](Cells& c) {
                     int zero = 0;
                     c.r[0] = c.x.compare_exchange_weak(zero, 1, rlx, rlx) ? 0 : 1;
                     c.r[1] = c.y.compare_exchange_weak(zero, 1, rlx, rlx) ? 0 : 1;
                   },
                   [](Cells& c) { c.z.store(1, rlx); }},
       .asked = "both fail",
       .outcome = [](const Cells& c) { return c.r[0] == 1 && c.r[1] == 1; },
       .cxx20 = Cxx20::kAllowed,
       .source = kSpurious},
      {.name = "CAS+strong",
       .says = "a strong compare-exchange without interference",
       .threads = {[](Cells& c) {
                     int zero = 0;
                     c.r[0] = c.x.compare_exchange_strong(zero, 1, rlx, rlx) ? 0 : 1;
                   },
                   [](Cells& c) { c.y.store(1, rlx); }},
       .asked = "it fails",
       .outcome = [](const Cells& c) { return c.r[0] == 1; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.types.operations] 23 and 24"},
  };
}

}  // namespace nowait::model
