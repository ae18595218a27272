// A profile's Chrome trace: its lanes, events, times and losses.
#include <catch2/catch.hpp>
#include <cstddef>

#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/summary.h"
#include "tests/profile/fake_clock.h"

namespace nowait {
namespace {

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

TEST_CASE("a trace's lanes are numbered and sorted as they were added, and events are in theirs") {
  Profile profile(FakeDef());
  Lane* const main = *profile.AddLane("main");
  Lane* const worker = *profile.AddLane("worker");
  // The earliest event is a sample of the second lane.
  main->AddSpan({"late", 1'000'000'000, 1'000'001'005});
  worker->AddSample({"tasks", 999'999'000, 3});
  const Json trace = Json::parse(ChromeTrace(profile));
  CHECK(trace["displayTimeUnit"] == "ms");
  const Json& events = trace["traceEvents"];
  REQUIRE(events.size() == 6);
  for (const Json& event : events) CHECK(event["pid"] == 1);
  const auto names = {"main", "worker"};
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const Json& name = events[3 * lane];
    const Json& order = events[3 * lane + 1];
    CHECK(name["ph"] == "M");
    CHECK(name["args"]["name"] == names.begin()[lane]);
    CHECK(name["tid"] == lane + 1);
    CHECK(order["ph"] == "M");
    CHECK(order["tid"] == lane + 1);
    CHECK(order["args"]["sort_index"] == lane + 1);
  }
  CHECK(events[2]["tid"] == 1);
  CHECK(events[2]["ts"] == 1.0);
  CHECK(events[2]["dur"] == 1.005);  // three decimals, with their zeros
  CHECK(events[5]["ph"] == "C");
  CHECK(events[5]["name"] == "tasks");
  CHECK(events[5]["tid"] == 2);
  CHECK(events[5]["ts"] == 0.0);
}

TEST_CASE("the times of a trace begin with its earliest event, be it a span or a sample") {
  for (const bool sample_first : {false, true}) {
    Profile profile(FakeDef());
    Lane* const lane = *profile.AddLane("main");
    lane->AddSpan({"span", sample_first ? 7'000u : 5'000u, 8'000});
    lane->AddSample({"count", sample_first ? 5'000u : 7'000u, 1});
    const Json trace = Json::parse(ChromeTrace(profile));
    INFO((sample_first ? "the sample first" : "the span first"));
    CHECK(trace["traceEvents"][2]["ts"] == (sample_first ? 2.0 : 0.0));
    CHECK(trace["traceEvents"][3]["ts"] == (sample_first ? 0.0 : 2.0));
  }
  Profile profile(FakeDef());
  (*profile.AddLane("main"))->AddSample({"alone", 5'000, 1});
  CHECK(Json::parse(ChromeTrace(profile))["traceEvents"][2]["ts"] == 0.0);
}

TEST_CASE("a trace counts what any lane has lost") {
  Profile profile(FakeDef());
  static_cast<void>(*profile.AddLane("first"));
  Lane* const second = *profile.AddLane("second");
  for (int i = 0; i < 7; ++i) second->AddSpan({"span", 0, 1});
  CHECK(Json::parse(ChromeTrace(profile))["otherData"]["lost"] == 3);
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

TEST_CASE("a mark is an instant event of the trace, and a number is among the arguments") {
  Profile profile(FakeDef());
  Lane* const lane = *profile.AddLane("main");
  lane->AddSpan({"steal", 2'000, 2'000, 4});
  lane->AddSpan({"wait for lock", 2'000, 3'000, 9});
  const Json events = Json::parse(ChromeTrace(profile))["traceEvents"];
  REQUIRE(events.size() == 4);
  CHECK(events[2]["ph"] == "i");
  CHECK(events[2]["s"] == "t");
  CHECK(events[2]["ts"] == 0.0);
  CHECK(!events[2].contains("dur"));
  CHECK(events[2]["args"]["about"] == 4);
  CHECK(events[3]["ph"] == "X");
  CHECK(events[3]["dur"] == 1.0);
  CHECK(events[3]["args"]["about"] == 9);
}

}  // namespace
}  // namespace nowait
