// The result of Explore for a scenario that passes, and for one that fails.
#include "models/kit/exhaustive/explore.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace nowait::model {
namespace {

using Order = std::memory_order;

template <Order kUnlock>
struct Locked {
  static constexpr int kThreads = 2;
  void Thread(int) {
    while (taken.exchange(true, Order::acquire)) ModelSync::Yield();
    count.set(count.get() + 1);
    taken.store(false, kUnlock);
  }
  void After() { Check(count.get() == kThreads, "no increment is lost"); }
  ModelSync::atomic<bool> taken{false};
  ModelSync::plain<int> count{0};
};

TEST_CASE("a pass says how many executions there are") {
  const Explored explored = Explore<Locked<Order::release>>();
  CHECK(explored.passed());
  CHECK(explored.executions == 4);
  CHECK(explored.Words() == "all 4 executions examined");
}

TEST_CASE("a failure is reported with its trace, and a test framework prints it") {
  const Explored explored = Explore<Locked<Order::relaxed>>();
  REQUIRE(explored.failure);
  CHECK_FALSE(explored.passed());
  CHECK(explored.failure->kind == FailureKind::kDataRace);
  CHECK_THAT(explored.Words(), Catch::Contains("data race") && Catch::Contains("exchange") &&
                                   Catch::Contains("explore_test.cc"));
  std::ostringstream printed;
  printed << explored;
  CHECK(printed.str() == explored.Words());
}

}  // namespace
}  // namespace nowait::model
