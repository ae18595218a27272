// Scopes and counts of a thread, the lanes that they are written to, and the lanes' capacities.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "tests/profile/fake_clock.h"

namespace nowait {
namespace {

TEST_CASE("a scope without a lane reads no clock") {
  Profile profile(FakeDef());
  REQUIRE(profile.AddLane("unused"));
  {
    ProfileScope scope("nothing");
    ProfileCount("nothing", 1);
  }
  CHECK(readings == 0);
  CHECK(profile.lanes()[0].spans.empty());
}

TEST_CASE("scopes nest and are written when they end") {
  Profile profile(FakeDef());
  Lane* lane = *profile.AddLane("main");
  {
    LaneScope use(lane);
    ProfileScope outer("outer");
    fake_now += 10;
    {
      ProfileScope inner("inner");
      fake_now += 5;
    }
    fake_now += 1;
  }
  REQUIRE(lane->spans.size() == 2);
  CHECK(std::string(lane->spans[0].name) == "inner");
  CHECK(lane->spans[0].begin == 1'000'010);
  CHECK(lane->spans[0].end == 1'000'015);
  CHECK(std::string(lane->spans[1].name) == "outer");
  CHECK(lane->spans[1].end - lane->spans[1].begin == 16);
}

TEST_CASE("a lane scope gives the lane before it back") {
  Profile profile(FakeDef());
  Lane* first = *profile.AddLane("first");
  Lane* second = *profile.AddLane("second");
  LaneScope use_first(first);
  {
    LaneScope use_second(second);
    ProfileScope scope("a");
  }
  { ProfileScope scope("b"); }
  {
    LaneScope use_none(nullptr);
    ProfileScope scope("c");
  }
  REQUIRE(first->spans.size() == 1);
  CHECK(std::string(first->spans[0].name) == "b");
  REQUIRE(second->spans.size() == 1);
  CHECK(std::string(second->spans[0].name) == "a");
}

TEST_CASE("a span goes to the lane that its thread used when it began") {
  Profile profile(FakeDef());
  Lane* first = *profile.AddLane("first");
  Lane* second = *profile.AddLane("second");
  UseLane(first);
  {
    ProfileScope scope("span");
    UseLane(second);
  }
  CHECK(UseLane(nullptr) == second);
  CHECK(first->spans.size() == 1);
  CHECK(second->spans.empty());
  // Without a lane at its beginning it is not measured, whatever comes later.
  {
    ProfileScope scope("span");
    UseLane(second);
  }
  UseLane(nullptr);
  CHECK(second->spans.empty());
}

TEST_CASE("scopes of lanes end in any order, and the thread's lane is the youngest that is left") {
  Profile profile({.lanes = 3, .clock = FakeClock});
  Lane* const lanes[] = {*profile.AddLane("0"), *profile.AddLane("1"), *profile.AddLane("2")};
  const auto current = [] {
    Lane* const lane = UseLane(nullptr);
    UseLane(lane);
    return lane;
  };
  std::optional<LaneScope> scopes[3];
  for (int i = 0; i < 3; ++i) scopes[i].emplace(lanes[i]);
  scopes[1].reset();
  CHECK(current() == lanes[2]);
  scopes[0].reset();
  CHECK(current() == lanes[2]);
  scopes[2].reset();
  CHECK(current() == nullptr);
}

TEST_CASE("a count has its name, its value and the time of the call") {
  Profile profile(FakeDef());
  Lane* lane = *profile.AddLane("main");
  const LaneScope use(lane);
  fake_now = 77;
  ProfileCount("contacts", -3);
  fake_now = 99;
  ProfileCount("islands", 5);
  REQUIRE(lane->samples.size() == 2);
  CHECK(std::string(lane->samples[0].name) == "contacts");
  CHECK(lane->samples[0].time == 77);
  CHECK(lane->samples[0].value == -3);
  CHECK(std::string(lane->samples[1].name) == "islands");
  CHECK(lane->samples[1].time == 99);
}

TEST_CASE("a clear empties every lane, of samples too, and they stay in use with their room") {
  Profile profile(FakeDef());
  Lane* const lanes[] = {*profile.AddLane("first"), *profile.AddLane("second")};
  const auto fill = [&] {
    for (Lane* lane : lanes) {
      for (int i = 0; i < 6; ++i) lane->AddSpan({"span", 0, 1});
      for (int i = 0; i < 3; ++i) lane->AddSample({"count", 0, 1});
    }
  };
  fill();
  CHECK(profile.lost() == 2 * (2 + 1));  // of both lanes
  profile.Clear();
  CHECK(profile.lost() == 0);
  for (const Lane* lane : lanes) {
    CHECK(lane->spans.empty());
    CHECK(lane->samples.empty());
  }
  CHECK(profile.lanes().size() == 2);
  fill();
  CHECK(lanes[1]->spans.size() == 4);
  CHECK(lanes[1]->samples.size() == 2);
  CHECK(profile.lost() == 2 * (2 + 1));
}

TEST_CASE("a lane has the name and the clock that it was made with, and stays where it is") {
  Profile profile({.lanes = 50, .spans_per_lane = 1, .samples_per_lane = 1, .clock = FakeClock});
  Lane* const first = *profile.AddLane("first");
  for (int i = 1; i < 50; ++i) REQUIRE(profile.AddLane("lane " + std::to_string(i)));
  CHECK(&profile.lanes().front() == first);
  CHECK(first->name == "first");
  CHECK(profile.lanes().back().name == "lane 49");
  CHECK(first->clock == &FakeClock);
  CHECK(profile.AddLane("one more").error() == Error{ErrorCode::kCapacity, "profile lanes", 50});
  CHECK(profile.lanes().size() == 50);
}

TEST_CASE("capacities hold, and spans that did not fit are counted") {
  Profile profile(FakeDef());
  Lane* lane = *profile.AddLane("main");
  const Span* const storage = lane->spans.data();
  {
    LaneScope use(lane);
    for (int i = 0; i < 7; ++i) ProfileScope scope("span");
    for (int i = 0; i < 4; ++i) ProfileCount("count", i);
  }
  CHECK(lane->spans.size() == 4);
  CHECK(lane->samples.size() == 2);
  CHECK(lane->spans.data() == storage);
  CHECK(profile.lost() == 3 + 2);
  CHECK(Json::parse(ChromeTrace(profile))["otherData"]["lost"] == 5);

  REQUIRE(profile.AddLane("second"));
  const auto third = profile.AddLane("third");
  REQUIRE_FALSE(third);
  CHECK(ToString(third.error()) == "capacity of profile lanes reached (2)");

  profile.Clear();
  CHECK(profile.lost() == 0);
  CHECK(lane->spans.empty());
}

TEST_CASE(
    "a lane's ring has its newest spans as well, and what it has no room for is no loss of it") {
  Profile profile({.lanes = 2,
                   .spans_per_lane = 8,
                   .samples_per_lane = 1,
                   .live_spans_per_lane = 2,
                   .clock = FakeClock});
  Lane* const lane = *profile.AddLane("main");
  REQUIRE(lane->live != nullptr);
  CHECK((*profile.AddLane("other"))->live != lane->live);
  for (std::uint64_t i = 0; i < 5; ++i) lane->AddSpan({"span", i, i + 1});
  lane->AddSample({"sample", 7, 7});
  CHECK(lane->spans.size() == 5);
  CHECK(profile.lost() == 0);
  CHECK(lane->live_lost == 3);
  Live<Span> next{};
  for (std::uint64_t i = 0; i < 2; ++i) {
    REQUIRE(lane->live->TryPop(&next));
    CHECK(next.entry.begin == i);
    CHECK(next.entry.end == i + 1);
    CHECK(next.lost == 0);
  }
  CHECK_FALSE(lane->live->TryPop(&next));
  lane->AddSpan({"span", 5, 6});
  REQUIRE(lane->live->TryPop(&next));
  CHECK(next.entry.begin == 5);
  CHECK(next.lost == 3);
}

TEST_CASE("a span that the lane has no room for still goes to its reader") {
  Profile profile(
      {.lanes = 1, .spans_per_lane = 1, .samples_per_lane = 1, .live_spans_per_lane = 4});
  Lane* const lane = *profile.AddLane("main");
  for (std::uint64_t i = 0; i < 3; ++i) lane->AddSpan({"span", i, i});
  CHECK(profile.lost() == 2);
  CHECK(lane->live_lost == 0);
  CHECK(lane->live->SizeHint() == 3);
  Profile without({.lanes = 1});
  CHECK((*without.AddLane("main"))->live == nullptr);
}

}  // namespace
}  // namespace nowait
