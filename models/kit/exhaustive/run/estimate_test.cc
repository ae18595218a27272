// The estimate compared with the number that the search counts.
#include "models/kit/exhaustive/run/estimate.h"

#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// Each thread counts twice: 4! / (2! 2!) orders of the increments for two threads, 90 for three.
template <int kCount>
struct Counting {
  static constexpr int kThreads = kCount;
  void Thread(int) {
    count.fetch_add(1, Order::relaxed);
    count.fetch_add(1, Order::relaxed);
  }
  ModelSync::atomic<int> count{0};
};

template <class S>
Estimate Estimated(unsigned probes, std::uint64_t seed = 1) {
  return EstimateExecutions(Scenario<S>::Entry({.name = "", .promise = "", .searches = {}}), probes,
                            seed);
}

TEST_CASE("the mean of the probes comes near the number of executions") {
  CHECK(Explore<Counting<2>>().executions == 6);
  CHECK(Explore<Counting<3>>().executions == 90);
  CHECK(Estimated<Counting<2>>(2'000).executions == Approx(6).epsilon(0.1));
  CHECK(Estimated<Counting<3>>(20'000).executions == Approx(90).epsilon(0.1));
}

TEST_CASE("an estimate repeats itself, and says how far apart its probes are") {
  const Estimate once = Estimated<Counting<3>>(100);
  const Estimate again = Estimated<Counting<3>>(100);
  CHECK(once.executions == again.executions);
  CHECK(once.executions != Estimated<Counting<3>>(100, 2).executions);
  CHECK(once.smallest <= once.lower);
  CHECK(once.lower <= once.upper);
  CHECK(once.upper <= once.largest);
  CHECK(once.smallest < once.largest);
  CHECK_THAT(once.Words(), Catch::Contains("100 probes"));
}

TEST_CASE("an estimate says how much of it depends on one probe") {
  Estimate estimate;
  estimate.probes = 10;
  estimate.executions = 50;
  estimate.largest = 400;
  CHECK_THAT(estimate.Words(), Catch::Contains("80% of the mean is the largest one's"));
}

struct Failing {
  static constexpr int kThreads = 2;
  void Thread(int) { Check(false, "never"); }
};

TEST_CASE("a probe that fails is no estimate") {
  CHECK(Estimated<Failing>(10).failure);
  CHECK(Estimated<Failing>(10).Words() == "a probe failed: never");
  CHECK(Estimated<Failing>(10).failed_at == ".");
}

}  // namespace
}  // namespace nowait::model
