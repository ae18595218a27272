// The adapter for Catch2: as its users write it, and what it says.
#include <nowait_check/catch2.h>

#include <catch2/catch.hpp>

namespace {

void Sum(bool atomically) {
  check::atomic<int> sum{0};
  const auto add = [&] {
    if (atomically) {
      sum += 1;
    } else {
      sum = sum + 1;
    }
  };
  check::thread one(add), two(add);
  one.join();
  two.join();
  check::require(sum == 2, "no increment is lost");
}

}  // namespace

TEST_CASE("CHECK_EXPLORES passes where every execution does") {
  CHECK_EXPLORES([] { Sum(true); });
  REQUIRE_EXPLORES([] { Sum(true); }, {.name = "sum", .seconds = 10});
}

TEST_CASE("the matcher fails where one does not") {
  const check::Result result = check::explore([] { Sum(false); });
  CHECK_THAT(result, !check::passes());
  CHECK(result.failure == "no increment is lost");
  CHECK_THAT(Catch::Detail::stringify(result), Catch::Contains("FAILED: invariant"));
}
