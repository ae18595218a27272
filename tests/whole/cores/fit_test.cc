#include "tests/whole/cores/fit.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>
#include <vector>

namespace nowait::whole {
namespace {

// A program of so many steps, updates and transfers, whose time is known.
double TimeOf(const CoreCosts& costs, const MeasuredPoint& point) {
  const double two = point.threads == 2 ? 1 : 0;
  const double of_work = static_cast<double>(point.work);
  return 1000 * costs.step + (100 + of_work) * costs.update +
         two * (300 + of_work) * costs.transfer + two * (costs.notify + costs.wake) + costs.pause;
}

std::vector<MeasuredPoint> Measured(const CoreCosts& costs) {
  std::vector<MeasuredPoint> points;
  for (const std::uint64_t work : {0u, 100u, 1000u, 5000u}) {
    for (const std::uint32_t threads : {1u, 2u}) {
      points.push_back({.workload = "a", .work = work, .threads = threads, .fits = true});
      points.back().nanoseconds = TimeOf(costs, points.back());
    }
  }
  return points;
}

TEST_CASE("the costs that a time was made from are found again") {
  for (const double by : {0.2, 1.0, 7.0}) {
    CAPTURE(by);
    const CoreCosts costs{.step = 1.3 * by,
                          .hit = 0,
                          .update = 6 / by,
                          .transfer = 33 * by,
                          .pause = 24,
                          .notify = 900,
                          .wake = 4000};
    CoreCosts begin = costs;
    begin.step = 2;
    begin.update = 6;
    begin.transfer = 60;
    const CoreCosts found = FitCosts(Measured(costs), begin, TimeOf);
    REQUIRE(found.step == Approx(costs.step).epsilon(0.03));
    REQUIRE(found.update == Approx(costs.update).epsilon(0.03));
    REQUIRE(found.transfer == Approx(costs.transfer).epsilon(0.03));
    REQUIRE(found.wake == costs.wake);
    REQUIRE(found.notify == costs.notify);
    REQUIRE(found.pause == costs.pause);
  }
}

TEST_CASE("what only checks the costs does not change them") {
  const CoreCosts costs{.step = 1, .update = 6, .transfer = 50};
  std::vector<MeasuredPoint> points = Measured(costs);
  const CoreCosts alone = FitCosts(points, CoreCosts{}, TimeOf);
  for (const MeasuredPoint& point : Measured({.step = 9, .update = 90, .transfer = 900})) {
    points.push_back(point);
    points.back().fits = false;
  }
  const CoreCosts found = FitCosts(points, CoreCosts{}, TimeOf);
  REQUIRE(found.step == alone.step);
  REQUIRE(found.update == alone.update);
  REQUIRE(found.transfer == alone.transfer);
}

TEST_CASE("a search ends where no time is a number") {
  constexpr std::array<std::string_view, 1> kNames = {"step"};
  const CoreCosts found =
      Search({.step = 3}, kNames, [](const CoreCosts&) { return std::nan(""); });
  REQUIRE(found.step == 3);
}

}  // namespace
}  // namespace nowait::whole
