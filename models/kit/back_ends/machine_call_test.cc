// Inside a call the kit allocates its own memory. After the call each thread allocates where it did
// before, even if other threads ran in between.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>

#include "models/kit/engine/run_search.h"
#include "models/kit/process/arena.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

Arena& Regions() {
  static Arena arena(kMaxThreads);
  return arena;
}

bool IsInRegion(const void* address, int region) {
  return reinterpret_cast<std::uintptr_t>(address) -
             reinterpret_cast<std::uintptr_t>(Regions().region(region).begin()) <
         Region::kSize;
}

// Relacy switches stacks in the middle of a call, so threads with separate regions notice whether
// each gets its own region back.
struct OwnRegions {
  static constexpr int kThreads = 3;

  OwnRegions() { Regions().Reset(); }
  void Thread(int t) {
    EnterRegion(&Regions(), t);
    for (int i = 0; i < 3; ++i) {
      turns.fetch_add(1, Order::relaxed);
      const int* mine = new int(t);
      Check(IsInRegion(mine, t), "a thread allocates in its own region after a call");
      int* node = ModelSync::New<int>(t);
      Check(IsInRegion(node, t), "a block is in the region of the thread that makes it");
      ModelSync::Delete(node);
      delete mine;
    }
    const Event& last = CurrentMachine()->trace()[CurrentMachine()->trace().last()];
    for (int region = 0; region < kMaxThreads; ++region) {
      Check(!IsInRegion(&last, region), "the trace is the kit's");
    }
    LeaveArena();
  }

  ModelSync::atomic<int> turns{0};
};

TEST_CASE("a thread allocates where it did before the call") {
  SiteTable sites;
  const SearchResult result =
      RunSearch(Scenario<OwnRegions>::Entry({"own regions", "", {}}), Random(2000), {}, sites);
  if (result.failure) UNSCOPED_INFO(result.failure->words << "\n" << result.trace.Format());
  CHECK_FALSE(result.failure);
  CHECK(result.executions == 2000);
}

}  // namespace
}  // namespace nowait::model
