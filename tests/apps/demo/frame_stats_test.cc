#include "src/apps/demo/frame_stats.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nowait {
namespace {

TEST_CASE("99% of the frames do not exceed the 99th percentile, and no shorter time says so") {
  for (const int count : {1, 2, 99, 100, 101, 750}) {
    CAPTURE(count);
    std::vector<double> times;
    for (int i = count; i > 0; --i) times.push_back(i);
    const FrameStats stats = Summed(times);
    CHECK(stats.mean == Approx((count + 1) / 2.0));
    CHECK(100 * stats.p99 >= 99 * count);
    CHECK(100 * (stats.p99 - 1) < 99 * count);
    CHECK(stats.max == count);
  }
  const FrameStats none = Summed({});
  CHECK(none.mean == 0.0);
  CHECK(none.p99 == 0.0);
  CHECK(none.max == 0.0);
}

TEST_CASE("each phase has its own time, in milliseconds, in the order of the frame") {
  using std::chrono::milliseconds;
  FrameRecord frame;
  frame.begin = 5'000'000;
  frame.end = 13'000'000;
  frame.game = 1'000'000;
  frame.times.begin = milliseconds(2);
  frame.times.collide = milliseconds(3);
  frame.times.finalise = milliseconds(4);
  frame.times.solve = milliseconds(5);
  frame.times.finish = milliseconds(6);
  frame.times.total = milliseconds(7);
  RunRecord record;
  record.frames = {frame, frame};
  const auto phases = PhasesOf(record);
  const char* const names[] = {"game_update", "begin",  "collide",        "finalise",
                               "solve",       "finish", "physics_update", "frame"};
  REQUIRE(phases.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(names[i]);
    CHECK(phases[i].name == std::string(names[i]));
    CHECK(phases[i].stats.mean == Approx(static_cast<double>(i + 1)));
    CHECK(phases[i].stats.max == Approx(static_cast<double>(i + 1)));
  }
}

}  // namespace
}  // namespace nowait
