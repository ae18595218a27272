// The job system on 1 to 64 simulated cores: ./nowait bench cores.
//
// With --measured, costs are fitted to what tests/bench/cores_bench.cc has measured, and checked
// against it. Then every workload and policy is computed on 1, 2, 4 ... threads. The same costs
// give the same tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "tests/bench/scene_options.h"
#include "tests/whole/cores/compute.h"
#include "tests/whole/cores/fit.h"
#include "tests/whole/cores/simulate.h"
#include "tests/whole/cores/tables.h"
#include "tests/whole/cores/workloads.h"

namespace nowait::whole {
namespace {

constexpr std::uint64_t kWorks[] = {0, 1000, 10'000};  // nanoseconds
constexpr std::uint64_t kWorksOfPolicies[] = {1000, 10'000};

[[noreturn]] void EndWith(int status, std::string_view words) {
  fmt::print(stderr, "cores: {}\n", words);
  std::exit(status);
}

ComputedPoint ComputeOrEnd(const CoreCosts& costs, const Workload& workload, const Rounds& rounds) {
  auto point = Compute(costs, workload, rounds);
  if (!point) EndWith(1, ToString(point.error()));
  return *point;
}

struct Measurement {
  CoreCosts costs;  // those that were measured by themselves
  std::vector<MeasuredPoint> points;
};

const Workload& Find(std::string_view name, const std::string& file) {
  for (const Workload& workload : Workloads()) {
    if (name == workload.name) return workload;
  }
  EndWith(2, fmt::format("--measured: {}: there is no workload '{}'", file, name));
}

Measurement Read(const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(std::ifstream(file));
    Measurement read;
    read.costs.pause = json.at("pause_ns");
    read.costs.notify = json.at("notify_ns");
    read.costs.further = read.costs.notify;
    read.costs.wake = json.at("wake_ns");
    for (const auto& point : json.at("points")) {
      read.points.push_back({.workload = point.at("workload"),
                             .work = point.at("work_ns"),
                             .part = point.at("part"),
                             .threads = point.at("threads"),
                             .nanoseconds = point.at("round_ns")});
      MeasuredPoint& last = read.points.back();
      last.fits = Find(last.workload, file).fits;
      if (last.part == 0 || !CheckThreads(last.threads) || !(last.nanoseconds > 0)) {
        EndWith(
            2, fmt::format("--measured: {}: point {} is no measurement", file, read.points.size()));
      }
    }
    return read;
  } catch (const nlohmann::json::exception& error) {
    EndWith(2, fmt::format("--measured: {}: {}", file, error.what()));
  }
}

std::vector<Series> ComputeAll(const CoreCosts& costs, std::span<const Workload> workloads,
                               std::span<const std::uint64_t> works, std::uint64_t most) {
  std::vector<Series> all;
  for (const Workload& workload : workloads) {
    for (const std::uint64_t work : works) {
      Series& series = all.emplace_back();
      for (std::uint32_t threads = 1; threads <= most; threads *= 2) {
        series.push_back(ComputeOrEnd(costs, workload, {.threads = threads, .work = work}));
      }
    }
  }
  return all;
}

int Main(int argc, char** argv) {
  std::string measured;
  std::string json;
  std::uint64_t most = CacheLines::kMostCores;
  std::vector<std::optional<double>> given(CoreCosts::kAll.size());
  CLI::App app("The job system on simulated cores", "cores");
  app.add_option("--measured", measured, "fit the costs to these times")->type_name("FILE");
  app.add_option("--threads", most, "at most so many; 1 to 64")->capture_default_str();
  for (std::size_t i = 0; i < given.size(); ++i) {
    app.add_option(fmt::format("--{}", CoreCosts::kAll[i].name), given[i],
                   "in place of the fitted cost, in nanoseconds");
  }
  AddJson(app, json, "docs/bench-cores-json.md");
  if (const auto status = ParseScene(app, argc, argv)) return *status;

  Measurement read;
  if (!measured.empty()) read = Read(measured);
  CoreCosts costs = read.costs;
  const auto put_given = [&] {
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i]) costs.*CoreCosts::kAll[i].cost = *given[i];
    }
  };
  put_given();
  if (auto good = costs.Check(); !good) EndWith(2, ToString(good.error()));
  if (auto good = CheckThreads(most); !good) EndWith(2, ToString(good.error()));

  const auto compute = [](const CoreCosts& tried, const MeasuredPoint& point) {
    const Rounds rounds{.threads = point.threads, .work = point.work, .part = point.part};
    return ComputeOrEnd(tried, Find(point.workload, ""), rounds).nanoseconds;
  };
  if (!read.points.empty()) costs = FitCosts(read.points, costs, compute);
  put_given();
  fmt::print("{}", CostsTable(costs));
  std::vector<CheckedPoint> checks;
  for (const MeasuredPoint& point : read.points) checks.push_back({point, compute(costs, point)});
  if (!checks.empty()) {
    fmt::print("\n{}{}{}", ChecksTable(checks), FarthestLine(checks, true),
               FarthestLine(checks, false));
  }
  std::fflush(stdout);
  // The two ends of what two cores cannot tell: a call wakes each thread for itself, or all at
  // once.
  const std::vector<Series> workloads = ComputeAll(costs, Workloads(), kWorks, most);
  fmt::print("\n  A further thread takes the notifying one {:.1f} ns\n{}\n{}", costs.further,
             SpeedUpTable(workloads), LinesTable(workloads));
  std::fflush(stdout);
  costs.further = 0;
  const std::vector<Series> at_once = ComputeAll(costs, Workloads(), kWorks, most);
  const std::vector<Series> policies = ComputeAll(costs, Policies(), kWorksOfPolicies, most);
  fmt::print("\n  A further thread takes it no time\n{}\n{}\n{}", SpeedUpTable(at_once),
             LinesTable(at_once), TimesTable(policies));
  if (!json.empty() &&
      !(std::ofstream(json) << ToJson(costs, checks, workloads, at_once, policies)).flush()) {
    EndWith(1, fmt::format("'{}' cannot be written", json));
  }
  return 0;
}

}  // namespace
}  // namespace nowait::whole

int main(int argc, char** argv) { return nowait::whole::Main(argc, argv); }
