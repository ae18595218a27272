// Atomics of every type preserve their values and their arithmetic.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>

#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

struct FloatAndBool {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      real.fetch_add(-0.5f, Order::relaxed);
      flag.exchange(true, Order::relaxed);
    } else {
      real.fetch_sub(-2.0f, Order::relaxed);
      narrow.fetch_sub(1, Order::relaxed);
    }
  }
  void After() {
    Check(real.load(Order::relaxed) == 3.0f, "float arithmetic is the type's own");
    Check(flag.load(Order::relaxed), "a bool is exchanged");
    Check(narrow.load(Order::relaxed) == 255, "arithmetic wraps in the type's width");
    Check(negative.load(Order::relaxed) == -1, "negative values survive");
  }

  ModelSync::atomic<float> real{1.5f};
  ModelSync::atomic<bool> flag{false};
  ModelSync::atomic<std::uint8_t> narrow{0};
  ModelSync::atomic<std::int32_t> negative{-1};
};

TEST_CASE("values of every type keep their arithmetic") {
  SiteTable sites;
  const SearchResult result =
      RunSearch(Scenario<FloatAndBool>::Entry({.name = "values", .promise = "", .searches = {}}),
                Full(), {}, sites);
  INFO(result.trace.Format());
  CHECK_FALSE(result.failure.has_value());
  CHECK(result.exhausted);
}

}  // namespace
}  // namespace nowait::model
