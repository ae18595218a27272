#include "src/sync/atomic_min_max.h"

#include <catch2/catch.hpp>

#include "src/sync/policy.h"

namespace nowait {
namespace {

TEST_CASE("a minimum only lowers, a maximum only raises, and both say whether they did") {
  StdSync::atomic<float> value(2.0f);
  const auto order = std::memory_order::relaxed;
  REQUIRE_FALSE(AtomicMin<StdSync>(value, 3.0f, order));
  REQUIRE_FALSE(AtomicMin<StdSync>(value, 2.0f, order));
  REQUIRE(AtomicMin<StdSync>(value, -1.0f, order));
  REQUIRE(value.load(order) == -1.0f);
  REQUIRE_FALSE(AtomicMax<StdSync>(value, -1.5f, order));
  REQUIRE_FALSE(AtomicMax<StdSync>(value, -1.0f, order));
  REQUIRE(value.load(order) == -1.0f);
  REQUIRE(AtomicMax<StdSync>(value, 1e30f, order));
  REQUIRE(value.load(order) == 1e30f);
}

}  // namespace
}  // namespace nowait
