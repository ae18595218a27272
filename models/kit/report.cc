#include "models/kit/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace nowait::model {
namespace {

// 1234567 as "1,234,567".
std::string Grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

std::string ReplayCommand(const std::string& structure, const ScenarioEntry& scenario,
                          const SearchReport& report) {
  Search search = report.search;
  std::string start;
  if (search.kind == Search::Kind::kRandom) {
    search.executions = 1;
    start = fmt::format("--seed {}", report.result.replay.seed);
  } else {
    start = fmt::format("--state {}", report.result.replay.state);
  }
  return fmt::format("./nowait check {} --scenario {} --search {} {}", structure,
                     scenario.text.name, Format(search), start);
}

}  // namespace

bool ScenarioReport::passed() const {
  return std::none_of(searches.begin(), searches.end(),
                      [](const SearchReport& report) { return report.result.failure.has_value(); });
}

std::string FormatSearch(const SearchReport& report) {
  const SearchResult& result = report.result;
  const char* end = result.failure ? "FAILED" : result.exhausted ? "exhausted" : "not exhausted";
  return fmt::format("  {:<28} {:>12} executions, {}, {:.2f} s\n", Format(report.search),
                     Grouped(result.executions), end, result.seconds);
}

std::string FormatFailure(const std::string& structure, const ScenarioEntry& scenario,
                          const SearchReport& report) {
  const Failure& failure = *report.result.failure;
  std::string broken = failure.kind == FailureKind::kInvariant
                           ? fmt::format("invariant: {}", failure.words)
                           : fmt::format("{}: {}", Name(failure.kind), failure.words);
  if (failure.site.line() != 0) broken += fmt::format("\n  at {}", Format(failure.site));
  return fmt::format("{}  broken {}\n  again: {}\n", report.result.trace, broken,
                     ReplayCommand(structure, scenario, report));
}

std::string FormatSites(const SiteTable& sites) {
  std::string text = "sites\n";
  for (const SiteRecord& record : sites.Sorted()) {
    std::string order = Name(record.order);
    if (record.kind == OperationKind::kCompareExchange) {
      order += fmt::format(" / {}", Name(record.failure));
    }
    text += fmt::format("  {:<40} {:<18} {:<18} {:>14}\n",
                        fmt::format("{}:{}", Format(record.site), record.site.column()),
                        Name(record.kind), order, Grouped(record.hits));
  }
  return text;
}

std::string ToJson(const std::string& structure, const std::vector<ScenarioReport>& reports,
                   const SiteTable& sites) {
  nlohmann::ordered_json json;
  json["structure"] = structure;
  json["scenarios"] = nlohmann::ordered_json::array();
  for (const ScenarioReport& report : reports) {
    nlohmann::ordered_json scenario;
    scenario["name"] = report.scenario->text.name;
    scenario["promise"] = report.scenario->text.promise;
    scenario["threads"] = report.scenario->threads;
    scenario["passed"] = report.passed();
    scenario["searches"] = nlohmann::ordered_json::array();
    for (const SearchReport& entry : report.searches) {
      nlohmann::ordered_json search;
      search["search"] = Format(entry.search);
      search["executions"] = entry.result.executions;
      search["exhausted"] = entry.result.exhausted;
      search["seconds"] = entry.result.seconds;
      if (entry.result.failure) {
        const Failure& failure = *entry.result.failure;
        search["failure"] = {{"kind", Name(failure.kind)},
                             {"words", failure.words},
                             {"site", Format(failure.site)},
                             {"seed", entry.result.replay.seed},
                             {"state", entry.result.replay.state}};
      }
      scenario["searches"].push_back(search);
    }
    json["scenarios"].push_back(scenario);
  }
  json["sites"] = nlohmann::ordered_json::array();
  for (const SiteRecord& record : sites.Sorted()) {
    nlohmann::ordered_json site = {{"file", record.site.file_name()}, {"line", record.site.line()},
                                   {"column", record.site.column()},  {"kind", Name(record.kind)},
                                   {"order", Name(record.order)},     {"hits", record.hits}};
    if (record.kind == OperationKind::kCompareExchange) {
      site["failure_order"] = Name(record.failure);
    }
    json["sites"].push_back(site);
  }
  return json.dump(2) + "\n";
}

}  // namespace nowait::model
