#include "src/profile/profile.h"

#include <catch2/catch.hpp>
#include <string>

#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/summary.h"

namespace nowait {
namespace {

// A clock that the test sets; a profile's clock is a plain function.
std::uint64_t fake_now = 0;
std::uint64_t readings = 0;
std::uint64_t FakeClock() {
  ++readings;
  return fake_now;
}

ProfileDef FakeDef() {
  fake_now = 1'000'000;
  readings = 0;
  return {.lanes = 2, .spans_per_lane = 4, .samples_per_lane = 2, .clock = FakeClock};
}

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

TEST_CASE("the trace is JSON with a named lane a thread, in microseconds from the first event") {
  Profile profile(FakeDef());
  Lane* lane = *profile.AddLane("worker \"1\"");
  {
    LaneScope use(lane);
    ProfileScope scope("solve");
    ProfileCount("contacts", -7);
    fake_now += 2'345;
  }
  const Json trace = Json::parse(ChromeTrace(profile));
  CHECK(trace["otherData"]["lost"] == 0);
  const Json& events = trace["traceEvents"];
  REQUIRE(events.size() == 4);
  CHECK(events[0]["ph"] == "M");
  CHECK(events[0]["name"] == "thread_name");
  CHECK(events[0]["args"]["name"] == "worker \"1\"");
  CHECK(events[1]["name"] == "thread_sort_index");
  CHECK(events[2]["ph"] == "X");
  CHECK(events[2]["name"] == "solve");
  CHECK(events[2]["tid"] == events[0]["tid"]);
  CHECK(events[2]["ts"] == 0.0);
  CHECK(events[2]["dur"] == 2.345);
  CHECK(events[3]["ph"] == "C");
  CHECK(events[3]["args"]["value"] == -7);
}

TEST_CASE("a name that is not UTF-8 is written with what is legible of it") {
  Profile profile({});
  REQUIRE(profile.AddLane("caf\xe9 \xff!"));
  const Json trace = Json::parse(ChromeTrace(profile));
  CHECK(trace["traceEvents"][0]["args"]["name"] == "caf\uFFFD \uFFFD!");
}

TEST_CASE("an empty profile gives an empty trace and an empty summary") {
  Profile profile(FakeDef());
  CHECK(Json::parse(ChromeTrace(profile))["traceEvents"].empty());
  CHECK(Summarise(profile).empty());
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
