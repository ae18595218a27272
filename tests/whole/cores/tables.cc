#include "tests/whole/cores/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace nowait::whole {
namespace {

constexpr double kThousand = 1000;

std::string Name(const Workload& workload, std::uint64_t work) {
  return fmt::format("  {:<15} {:>2} us", workload.name, work / 1000);
}

std::string Heads(std::string_view first, std::span<const Series> all) {
  std::string text = fmt::format("  {:<21}", first);
  for (const ComputedPoint& point : all.front()) text += fmt::format("{:>9}", point.threads);
  return text + "\n";
}

std::string Place(const LineUse& use) {
  return use.moved == 0 ? "" : fmt::format("{}:{}", use.site.file(), use.site.line());
}

nlohmann::ordered_json ToJson(const ComputedPoint& point) {
  return {{"name", point.workload->name},
          {"work_ns", point.work},
          {"threads", point.threads},
          {"round_ns", point.nanoseconds},
          {"computes", point.ShareOf(point.times.computes)},
          {"transfers", point.ShareOf(point.times.transfers)},
          {"queues", point.ShareOf(point.times.queues)},
          {"pauses", point.ShareOf(point.times.pauses)},
          {"notifies", point.ShareOf(point.times.notifies)},
          {"moved", point.times.moved},
          {"woken", point.times.woken},
          {"line", Place(point.hottest)},
          {"line_busy", point.Busy()}};
}

}  // namespace

std::string CostsTable(const CoreCosts& costs) {
  std::string text = "  costs, ns:";
  const char* between = " ";
  for (const CoreCosts::Named& one : CoreCosts::kAll) {
    text += fmt::format("{}{} {:.1f}", between, one.name, costs.*one.cost);
    between = ", ";
  }
  return text + "\n";
}

std::string ChecksTable(std::span<const CheckedPoint> checks) {
  std::string text =
      fmt::format("  {:<21}{:>8}{:>23}{:>27}\n", "us a round", "", "one thread", "two threads");
  text += fmt::format("  {:<21}{:>8}", "", "");
  for (int i = 0; i < 2; ++i) text += fmt::format("{:>10}{:>10}{:>7}", "measured", "computed", "");
  text += "\n";
  for (std::size_t i = 0; i + 1 < checks.size(); i += 2) {
    const MeasuredPoint& point = checks[i].measured;
    text += fmt::format("  {:<15} {:>2} us{:>8}", point.workload, point.work / 1000,
                        point.fits ? "fitted" : "checked");
    for (const CheckedPoint& each : checks.subspan(i, 2)) {
      text += fmt::format("{:>10.1f}{:>10.1f}{:>+6.0f}%", each.measured.nanoseconds / kThousand,
                          each.computed / kThousand,
                          100 * (each.computed / each.measured.nanoseconds - 1));
    }
    text += "\n";
  }
  return text;
}

std::string FarthestLine(std::span<const CheckedPoint> checks, bool with_work) {
  const auto farthest = [&](bool fits) {
    double most = 0;
    for (const CheckedPoint& check : checks) {
      const MeasuredPoint& point = check.measured;
      const double off = 100 * (check.computed / point.nanoseconds - 1);
      if (point.fits == fits && (point.work != 0) == with_work && std::abs(off) > std::abs(most)) {
        most = off;
      }
    }
    return most;
  };
  return fmt::format("  farthest off, tasks {}: fitted {:+.0f}%, checked {:+.0f}%\n",
                     with_work ? "with work" : "without", farthest(true), farthest(false));
}

std::string SpeedUpTable(std::span<const Series> all) {
  std::string text = Heads("speed-up on", all);
  for (const Series& series : all) {
    text += Name(*series.front().workload, series.front().work);
    for (const ComputedPoint& point : series) {
      const double speed_up = point.SpeedUp(series.front());
      text += fmt::format("{:>9.{}f}", speed_up, speed_up < 0.1 ? 3 : 2);
    }
    text += "\n";
  }
  return text;
}

std::string LinesTable(std::span<const Series> all) {
  std::string text =
      fmt::format("  {:<21}  {:<26}{:>6}{:>6}{:>8}{:>10}{:>7}{:>7}\n", "the busiest line",
                  fmt::format("on {} threads", all.front().back().threads), "busy", "from", "tasks",
                  "transfers", "queues", "calls");
  for (const Series& series : all) {
    const ComputedPoint& last = series.back();
    const auto half = std::find_if(series.begin(), series.end(),
                                   [](const ComputedPoint& point) { return point.Busy() >= 0.5; });
    text += Name(*last.workload, last.work) +
            fmt::format(
                "  {:<26}{:>5.0f}%{:>6}{:>7.0f}%{:>9.0f}%{:>6.0f}%{:>7.1f}\n", Place(last.hottest),
                100 * last.Busy(), half == series.end() ? "-" : fmt::format("{}", half->threads),
                100 * last.ShareOf(last.times.computes), 100 * last.ShareOf(last.times.transfers),
                100 * last.ShareOf(last.times.queues),
                last.threads * last.ShareOf(last.times.notifies));
  }
  return text;
}

std::string TimesTable(std::span<const Series> all) {
  std::string text = Heads("us a round on", all);
  for (const Series& series : all) {
    text += Name(*series.front().workload, series.front().work);
    for (const ComputedPoint& point : series) {
      text += fmt::format("{:>9.1f}", point.nanoseconds / kThousand);
    }
    text += "\n";
  }
  return text;
}

std::string ToJson(const CoreCosts& costs, std::span<const CheckedPoint> checks,
                   std::span<const Series> workloads, std::span<const Series> at_once,
                   std::span<const Series> policies) {
  nlohmann::ordered_json report = {{"schema", "nowait.bench-cores"}, {"version", 1}};
  for (const CoreCosts::Named& one : CoreCosts::kAll) {
    report["costs_ns"][one.name] = costs.*one.cost;
  }
  report["checks"] = nlohmann::ordered_json::array();
  for (const CheckedPoint& check : checks) {
    const MeasuredPoint& point = check.measured;
    report["checks"].push_back({{"name", point.workload},
                                {"work_ns", point.work},
                                {"part", point.part},
                                {"threads", point.threads},
                                {"fitted", point.fits},
                                {"measured_ns", point.nanoseconds},
                                {"computed_ns", check.computed}});
  }
  const auto add = [&report](const char* name, std::span<const Series> all) {
    report[name] = nlohmann::ordered_json::array();
    for (const Series& series : all) {
      for (const ComputedPoint& point : series) report[name].push_back(ToJson(point));
    }
  };
  add("workloads", workloads);
  add("workloads_at_once", at_once);
  add("policies", policies);
  return report.dump(1) + "\n";
}

}  // namespace nowait::whole
