// A profile's summary: spans added up by their names, over all lanes.
#include "src/profile/summary.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "tests/profile/fake_clock.h"

namespace nowait {
namespace {

TEST_CASE("99% of the spans do not exceed the 99th percentile, and no shorter time says so") {
  for (const std::uint64_t count : {1u, 2u, 50u, 99u, 100u, 101u, 199u, 200u, 201u, 1000u}) {
    CAPTURE(count);
    Profile profile({.lanes = 1, .spans_per_lane = 1000, .clock = FakeClock});
    Lane* const lane = *profile.AddLane("lane");
    // The longest come first, and all begin at another time.
    for (std::uint64_t i = count; i > 0; --i) lane->AddSpan({"x", 1000 * i, 1001 * i});
    const auto summaries = Summarise(profile);
    REQUIRE(summaries.size() == 1);
    const std::uint64_t p99 = summaries[0].p99;  // i of the spans last i or less
    CHECK(100 * p99 >= 99 * count);
    CHECK(100 * (p99 - 1) < 99 * count);
    CHECK(summaries[0].max == count);
    CHECK(summaries[0].total == count * (count + 1) / 2);
  }
}

TEST_CASE("spans are summed by the text of their names, in the order of the names") {
  Profile profile(FakeDef());
  Lane* const lane = *profile.AddLane("lane");
  const std::string one = "solve", same = "solve", other = "collide", longer = "solve more";
  lane->AddSpan({longer.c_str(), 0, 4});
  lane->AddSpan({one.c_str(), 0, 1});
  lane->AddSpan({other.c_str(), 0, 5});
  lane->AddSpan({same.c_str(), 0, 2});
  const auto summaries = Summarise(profile);
  REQUIRE(summaries.size() == 3);
  CHECK(summaries[0].name == "collide");
  CHECK(summaries[1].name == "solve");
  CHECK(summaries[1].count == 2);
  CHECK(summaries[1].total == 3);
  CHECK(summaries[1].mean() == 1.5);
  CHECK(summaries[2].name == "solve more");
  CHECK(SpanSummary().mean() == 0.0);  // of no span
}

TEST_CASE("the summary adds up all lanes by name") {
  Profile profile({.lanes = 2, .spans_per_lane = 200, .clock = FakeClock});
  Lane* lanes[] = {*profile.AddLane("a"), *profile.AddLane("b")};
  for (Lane* lane : lanes) {
    for (std::uint64_t i = 1; i <= 100; ++i) lane->AddSpan({"x", 0, i});
  }
  lanes[1]->AddSpan({"a single one", 10, 30});
  const auto summaries = Summarise(profile);
  REQUIRE(summaries.size() == 2);
  CHECK(summaries[0].name == "a single one");
  CHECK(summaries[0].p99 == 20);
  CHECK(summaries[0].mean() == 20.0);
  CHECK(summaries[1].name == "x");
  CHECK(summaries[1].count == 200);
  CHECK(summaries[1].total == 2 * 5050);
  CHECK(summaries[1].mean() == 50.5);
  CHECK(summaries[1].p99 == 99);
  CHECK(summaries[1].max == 100);
}

}  // namespace
}  // namespace nowait
