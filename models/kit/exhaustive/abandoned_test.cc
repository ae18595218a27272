// An execution's allocations disappear with it, even if it is abandoned midway.
#include <malloc.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "models/kit/engine/search_control.h"
#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// Most executions end while a thread waits in vain, with strings on its stack and a heap block.
struct Waiting {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    const std::vector<std::string> held(10, std::string(100, 'x'));
    CurrentMachine()->Choose(5);
    int* block = ModelSync::New<int>(t);
    if (t == 0) {
      x.store(1, Order::release);
      x.store(2, Order::release);
    } else {
      while (x.load(Order::acquire) < t) ModelSync::Yield();
    }
    ModelSync::Delete(block);
  }

  ModelSync::atomic<int> x{0};
};

std::size_t HeapInUse() { return ::mallinfo2().uordblks; }

TEST_CASE("executions that are given up leave nothing behind") {
  SiteTable sites;
  const ScenarioEntry scenario = Scenario<Waiting>::Entry({"waiting", "", {}});
  std::size_t before = 0;
  for (int i = 0; i < 3; ++i) {
    const SearchResult result = RunExhaustive(scenario, Graphs(), {}, sites, SearchControl());
    CHECK_FALSE(result.failure);
    CHECK(result.exhausted);
    CHECK(result.executions > 1'000);
    if (i == 0) before = HeapInUse();  // includes allocations that are made only once
  }
  constexpr std::size_t kFragments = 64 * 1024;
  CHECK(HeapInUse() < before + kFragments);
}

}  // namespace
}  // namespace nowait::model
