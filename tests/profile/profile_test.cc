#include "src/profile/profile.h"

#include <sched.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// Likewise the core that a thread runs on.
std::uint16_t fake_core = 0;
std::uint16_t FakeCore() { return fake_core; }

ProfileDef FakeDef() {
  fake_now = 1'000'000;
  readings = 0;
  fake_core = 0;
  return {
      .lanes = 2, .spans_per_lane = 4, .samples_per_lane = 2, .clock = FakeClock, .core = FakeCore};
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

TEST_CASE(
    "a span has the cores of its begin and its end, a mark one, a known wait that of its end") {
  Profile profile(FakeDef());
  Lane* const lane = *profile.AddLane("main");
  const LaneScope use(lane);
  {
    const ProfileScope moved("moved");
    fake_core = 5;
    const ProfileScope stays("stays");
  }
  ProfileMark("steal", 7);
  fake_core = 6;
  ProfileWaited("wait for lock", std::chrono::nanoseconds(9), 3);
  REQUIRE(lane->spans.size() == 4);
  CHECK(lane->spans[0].begin_core == 5);
  CHECK(lane->spans[0].end_core == 5);
  CHECK(lane->spans[1].begin_core == 0);
  CHECK(lane->spans[1].end_core == 5);
  CHECK(lane->spans[2].begin_core == 5);
  CHECK(lane->spans[2].end_core == 5);
  CHECK(lane->spans[3].begin_core == kNoCore);
  CHECK(lane->spans[3].end_core == 6);

  const Json events = Json::parse(ChromeTrace(profile))["traceEvents"];
  REQUIRE(events.size() == 6);
  CHECK(events[2]["args"] == Json{{"core", 5}});
  CHECK(events[3]["args"] == Json{{"core", 0}, {"end_core", 5}});
  CHECK(events[4]["args"] == Json{{"about", 7}, {"core", 5}});
  CHECK(events[5]["args"] == Json{{"about", 3}, {"end_core", 6}});
}

TEST_CASE("a thread that may run on one core alone knows that it does") {
  cpu_set_t allowed;
  REQUIRE(::sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  for (std::uint16_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(CoreNow() == core);
  }
  CHECK(::sched_setaffinity(0, sizeof allowed, &allowed) == 0);
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

TEST_CASE("a mark is a moment with one reading of the clock, and a wait ends when it is recorded") {
  Profile profile(FakeDef());
  ProfileMark("without a lane", 1);
  ProfileSteal("without a lane", nullptr, 1);
  ProfileWaited("without a lane", std::chrono::nanoseconds(5), 1);
  CHECK(readings == 0);
  CHECK(LaneNumber() == Lane::kNoNumber);

  CHECK((*profile.AddLane("first"))->number == 0);
  Lane* const lane = *profile.AddLane("second");
  const LaneScope use(lane);
  CHECK(LaneNumber() == 1);
  ProfileMark("steal", 7);
  CHECK(readings == 1);
  ProfileWaited("wait for lock", std::chrono::nanoseconds(250), 3);
  { const ProfileScope plain("plain"); }
  REQUIRE(lane->spans.size() == 3);
  CHECK(lane->spans[0].begin == lane->spans[0].end);
  CHECK(lane->spans[0].about == 7);
  CHECK(lane->spans[1].begin == 1'000'000 - 250);
  CHECK(lane->spans[1].end == 1'000'000);
  CHECK(lane->spans[1].about == 3);
  CHECK(lane->spans[2].about == Span::kAboutNothing);
}

TEST_CASE("a wait that is longer than the clock's time begins at its zero") {
  Profile profile(FakeDef());
  Lane* const lane = *profile.AddLane("waiting");
  const LaneScope use(lane);
  ProfileWaited("wait for lock", std::chrono::hours(1), 3);
  REQUIRE(lane->spans.size() == 1);
  CHECK(lane->spans[0].begin == 0);
  CHECK(lane->spans[0].end == 1'000'000);
}

TEST_CASE("a steal is about the other thread's lane; a thread that takes its own steals nothing") {
  Profile profile(FakeDef());
  REQUIRE(profile.AddLane("thread 1"));
  Lane* const lane = *profile.AddLane("thread 0");
  const int pool = 0, other = 0;
  lane->pool = &pool;
  lane->of_pool = {1, 0, Lane::kNoNumber};
  const LaneScope use(lane);
  ProfileSteal("steal", &pool, 0);   // itself
  ProfileSteal("steal", &other, 1);  // in a pool that has other lanes
  CHECK(lane->spans.empty());
  ProfileSteal("steal", &pool, 1);
  ProfileSteal("steal", &pool, 3);  // of no thread of the pool
  ProfileSteal("steal", &pool, 2);  // of a thread without a lane
  REQUIRE(lane->spans.size() == 2);
  CHECK(lane->spans[0].about == 0);
  CHECK(lane->spans[1].about == Span::kAboutNothing);
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
