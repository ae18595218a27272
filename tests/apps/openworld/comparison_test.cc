#include "src/apps/openworld/comparison.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "src/apps/openworld/ride_result.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

// 101 frames of 1 to 101 ms, the last of which waits longest for a load.
RideResult Made(std::uint64_t stall) {
  RideResult ride;
  ride.threads = 2;
  for (std::uint64_t i = 0; i < 101; ++i) {
    RideFrame frame;
    frame.begin = 1000 * kMs * (i + 1);
    frame.whole = (1 + (i * 37) % 101) * kMs;
    frame.streaming = i == 100 ? stall : kMs / 10;
    frame.islands = kMs / 4;
    ride.frames.push_back(frame);
  }
  ride.machines.rays = 1010;
  ride.paths.cells.built = 202;
  return ride;
}

TEST_CASE("a row has the figure of both rides") {
  RideResult before = Made(250 * kMs), after = Made(kMs);
  before.tree_lock.waited = std::chrono::milliseconds(101);
  after.update_locks.waited = std::chrono::microseconds(202);
  after.survey.wait.waited = std::chrono::microseconds(202);
  CHECK(WaitedForLocks(before) == Approx(500'000));
  CHECK(WaitedForLocks(after) == Approx(2'000));
  CHECK(MedianFrame(before, &RideFrame::whole).whole == 51 * kMs);
  const std::string table = ComparisonTable(before, after);
  const auto row = [&table](const std::string& what) {
    const auto at = table.find("  " + what);
    REQUIRE(at != std::string::npos);
    return table.substr(at + 54, table.find('\n', at) - at - 54);
  };
  CHECK(row("waits for locks") == "    500.00      2.00");
  CHECK(row("the longest stall by loading") == "    250.00      1.00");
  CHECK(row("loading in half of the frames") == "      0.10      0.10");
  CHECK(row("half of the frames, ms") == "     51.00     51.00");
  CHECK(row("99% of the frames") == "    100.00    100.00");
  CHECK(row("the longest frame") == "    101.00    101.00");
  CHECK(row("frames above") == "     68.00     68.00");
  CHECK(row("islands on one thread") == "      0.25      0.25");
  CHECK(row("ray casts") == "    330.00    330.00");
  CHECK(row("navigation cells") == "     60.00     60.00");
}

TEST_CASE("the picture has a frame of each ride, at one scale") {
  const RideResult before = Made(kMs), after = Made(kMs);
  Profile one({.lanes = 1}), two({.lanes = 1});
  const auto lane = one.AddLane("main"), other = two.AddLane("main");
  REQUIRE((lane && other));
  const std::uint64_t begin = MedianFrame(before, &RideFrame::whole).begin;
  (*lane)->AddSpan({"flood fill", begin, begin + 10 * kMs});
  (*other)->AddSpan({"narrow phase", begin, begin + 51 * kMs});
  const std::string picture = DrawComparison({before, one}, {after, two});
  CHECK(picture.find("flood fill") < picture.find("narrow phase"));
  CHECK(picture.find("Before") < picture.find(": the median frame, 51.0 ms"));
  // The first colour is the first picture's; another name has another one.
  CHECK(picture.find("fill='#8ecae6'") < picture.find("After"));
  CHECK(picture.find("fill='#ffb703'") > picture.find("After"));
  // Of 850 pixels: 10 of 51 ms, and all.
  CHECK(picture.find("width='166.67'") != std::string::npos);
  CHECK(picture.find("width='850.00'") != std::string::npos);
}

}  // namespace
}  // namespace nowait
