#include "tests/whole/cores/compute.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace nowait::whole {
namespace {

const Workload& Named(std::string_view name) {
  const auto all = Workloads();
  return *std::find_if(all.begin(), all.end(),
                       [name](const auto& one) { return one.name == name; });
}

TEST_CASE("a fan of 64 tasks on 64 cores takes one of them and the way to it") {
  const CoreCosts costs{.step = 1,
                        .hit = 0,
                        .update = 0,
                        .transfer = 0,
                        .pause = 1,
                        .notify = 0,
                        .further = 0,
                        .wake = 0};
  const auto one = Compute(costs, Named("fan"), {.threads = 1, .work = 10'000, .part = 64});
  const auto all = Compute(costs, Named("fan"), {.threads = 64, .work = 10'000, .part = 64});
  REQUIRE(one);
  REQUIRE(all);
  REQUIRE(one->nanoseconds > 640'000);
  REQUIRE(one->nanoseconds < 650'000);
  REQUIRE(all->nanoseconds > 10'000);
  REQUIRE(all->nanoseconds < 20'000);
  REQUIRE(all->times.computes == 640'000'000);
}

TEST_CASE("where nothing but work takes time, a loop is as much faster as there are cores") {
  const CoreCosts costs{.step = 0,
                        .hit = 0,
                        .update = 0,
                        .transfer = 0,
                        .pause = 1,
                        .notify = 0,
                        .further = 0,
                        .wake = 0};
  for (const std::uint32_t threads : {1u, 2u, 4u, 16u, 64u}) {
    CAPTURE(threads);
    const auto point = Compute(costs, Named("list"), {.threads = threads, .work = 10'000});
    REQUIRE(point);
    const double ideal = 4096 * 10'000.0 / threads;
    REQUIRE(point->nanoseconds >= ideal);
    REQUIRE(point->nanoseconds < ideal * 1.3);  // the last jobs are not even
  }
}

TEST_CASE("the same costs give the same picoseconds, whatever was allocated before") {
  const auto run = [](std::string_view name) {
    const auto point = Compute({}, Named(name), {.threads = 8, .work = 1000, .part = 8});
    REQUIRE(point);
    return std::vector{point->times.elapsed, point->times.transfers, point->times.queues,
                       point->times.moved,   point->steps,           point->hottest.busy};
  };
  for (const char* name : {"fan", "tree", "wavefront", "list"}) {
    CAPTURE(name);
    const auto first = run(name);
    const std::vector<char> between(12'345);
    REQUIRE(run(name) == first);
  }
}

TEST_CASE("every workload and policy comes to its end") {
  for (const auto all : {Workloads(), Policies()}) {
    for (const Workload& workload : all) {
      CAPTURE(workload.name);
      const auto point = Compute({}, workload, {.threads = 4, .work = 1000, .part = 16});
      REQUIRE(point);
      REQUIRE(point->nanoseconds > 0);
      REQUIRE(point->times.computes > 0);
    }
  }
}

TEST_CASE("costs and threads that there are not are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto costs = Compute({.transfer = nan}, Named("fan"), {.part = 64});
  REQUIRE_FALSE(costs);
  REQUIRE(std::string_view(costs.error().subject) == "transfer");
  for (const std::uint32_t threads : {0u, 65u}) {
    const auto refused = Compute({}, Named("fan"), {.threads = threads, .part = 64});
    REQUIRE_FALSE(refused);
    REQUIRE(std::string_view(refused.error().subject) == "threads");
  }
}

}  // namespace
}  // namespace nowait::whole
