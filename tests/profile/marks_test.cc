// Marks, waits and steals, and the cores that they and the spans have.
#include <sched.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>

#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "tests/profile/fake_clock.h"

namespace nowait {
namespace {

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

}  // namespace
}  // namespace nowait
