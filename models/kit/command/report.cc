#include "models/kit/command/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "models/kit/back_ends/unsupported_behaviours.h"
#include "models/kit/counterexample/from_trace.h"

namespace nowait::model {
namespace {

std::string ReplayCommand(const std::string& structure, const ScenarioEntry& scenario,
                          const SearchReport& report, const std::string& mutation) {
  // The results of the lost process are lost as well.
  if (report.result.failure->kind == FailureKind::kProcessLost) return "";
  Search search = report.search;
  std::string start;
  const bool is_probe = search.kind == Search::Kind::kPct && !report.result.replay.state.empty();
  if (is_probe) search = Graphs();
  if (search.IsNumbered()) {
    search.executions = 1;
    start = fmt::format("--seed {}", report.result.replay.seed);
  } else {
    start = fmt::format("--state {}", report.result.replay.state);
  }
  if (!mutation.empty()) start += fmt::format(" --mutation '{}'", mutation);
  return fmt::format("./nowait check {} --scenario {} --search {} {}", structure,
                     scenario.text.name, Format(search), start);
}

// The scenarios whose searches leave the behaviour out.
std::vector<std::string> ScenariosWith(const UnsupportedBehaviour& gap,
                                       const std::vector<ScenarioReport>& reports) {
  std::vector<std::string> names;
  for (const ScenarioReport& report : reports) {
    const auto whole = std::ranges::find_if(report.searches, &SearchReport::whole);
    std::vector<Search> searches;
    for (const SearchReport& entry : report.searches) searches.push_back(entry.search);
    if (whole != report.searches.end() ? IsLeftOut(gap, whole->result.omitted)
                                       : IsLeftOut(gap, searches)) {
      names.push_back(report.scenario->text.name);
    }
  }
  return names;
}

}  // namespace

std::string FormatFraction(double fraction) {
  const double percent = fraction * 100;
  if (percent > 99 && percent < 100) return "99%";
  if (percent >= 10) return fmt::format("{:.0f}%", percent);
  if (percent >= 0.01 || percent == 0) return fmt::format("{:.2g}%", percent);
  return "under 0.01%";
}

bool ScenarioReport::passed() const {
  return std::none_of(searches.begin(), searches.end(), [](const SearchReport& report) {
    return report.result.failure || report.unfinished();
  });
}

std::string ScenarioReport::Verdict() const {
  const auto has = [&](auto what) { return std::ranges::any_of(searches, what); };
  if (has(&SearchReport::unfinished)) return "not finished";
  if (has([](const SearchReport& report) { return report.result.failure.has_value(); })) {
    return "failed";
  }
  const auto whole = std::ranges::find_if(searches, &SearchReport::whole);
  if (whole == searches.end()) return "passed as far as it was searched";
  const Gaps gaps = whole->result.omitted.gaps;
  return gaps.empty() ? "passed" : "passed but for " + Listed(gaps);
}

std::string FormatSearch(const SearchReport& report) {
  const SearchResult& result = report.result;
  const bool of_graphs = report.search.kind == Search::Kind::kGraphs;
  if (of_graphs && result.exhausted) {
    const std::string part =
        report.shard.count == 1
            ? ""
            : fmt::format(" of shard {}/{}", report.shard.index + 1, report.shard.count);
    return fmt::format("  {:<28} {:>12} executions{} examined, {:.2f} s\n", Format(report.search),
                       "all " + FormatCount(result.executions), part, result.seconds);
  }
  std::string end = result.exhausted ? "exhausted" : "not exhausted";
  if (report.unfinished()) end = "NOT FINISHED";
  if (result.failure) {
    const FailureKind kind = result.failure->kind;
    const bool is_unknown = kind == FailureKind::kNotFinished || kind == FailureKind::kProcessLost;
    end = is_unknown ? "NOT FINISHED" : "FAILED";
  } else if (result.fraction < 1) {
    end += fmt::format(" ({}{})", of_graphs ? "about " : "", FormatFraction(result.fraction));
  }
  std::string text =
      fmt::format("  {:<28} {:>12} executions, {}, {:.2f} s\n", Format(report.search),
                  FormatCount(result.executions), end, result.seconds);
  if (result.sampled) text += fmt::format("    {}\n", result.sampled->Words());
  return text;
}

counterexample::Counterexample RecordOf(const std::string& structure, const ScenarioEntry& scenario,
                                        const SearchReport& report, const std::string& mutation,
                                        counterexample::SourceText& text) {
  counterexample::Counterexample record;
  record.structure = structure;
  record.scenario = {scenario.text.name, scenario.text.promise, scenario.threads};
  record.search = {Format(report.search), report.result.executions};
  record.again = ReplayCommand(structure, scenario, report, mutation);
  record.execution = ExecutionOf(report.result.trace, report.result.failure, text);
  record.sources = SourcesOf({&record.execution}, text);
  return record;
}

std::vector<SiteCount> CountSites(const std::vector<SiteCount>& earlier, const SiteTable& sites) {
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::string, std::string>;
  std::map<Key, SiteCount> by_place;
  const auto add = [&](const SiteCount& site) {
    const Key key = {site.file, site.line, site.column, site.kind, site.order};
    const auto [entry, is_new] = by_place.try_emplace(key, site);
    if (!is_new) entry->second.hits += site.hits;
  };
  for (const SiteCount& site : earlier) add(site);
  for (const SiteRecord& record : sites.Sorted()) {
    const bool has_failure = record.kind == OperationKind::kCompareExchange;
    add({FileOf(record.site), record.site.line(), record.site.column(), Name(record.kind),
         Name(record.order), has_failure ? Name(record.failure) : "", record.hits});
  }
  std::vector<SiteCount> counts;
  for (const auto& [key, site] : by_place) counts.push_back(site);
  return counts;
}

std::string FormatUnsupportedBehaviours(const std::vector<ScenarioReport>& reports) {
  std::string text =
      "C++20 allows this, and these searches leave it out: a defect that needs it is not found\n";
  for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
    const std::vector<std::string> scenarios = ScenariosWith(gap, reports);
    if (scenarios.empty()) continue;
    text += fmt::format("  {}", Format(gap));
    if (scenarios.size() < reports.size())
      text += fmt::format(" in {}", fmt::join(scenarios, ", "));
    text += "\n";
  }
  return text;
}

std::string FormatReductions(const std::vector<ScenarioReport>& reports) {
  Omitted sum;
  for (const ScenarioReport& report : reports) {
    for (const SearchReport& search : report.searches) {
      sum.blocked += search.result.omitted.blocked;
      sum.rounds += search.result.omitted.rounds;
      sum.tries += search.result.omitted.tries;
    }
  }
  const std::string words = sum.Reductions();
  return words.empty()
             ? ""
             : fmt::format("not counted, for another one goes on where each ends: {}\n", words);
}

std::string FormatReserves(const std::vector<ScenarioReport>& reports) {
  std::map<std::string, std::vector<std::string>> by_verdict;
  for (const ScenarioReport& report : reports) {
    const std::string verdict = report.Verdict();
    if (report.passed() && verdict != "passed") {
      by_verdict[verdict].push_back(report.scenario->text.name);
    }
  }
  std::string text;
  for (const auto& [verdict, names] : by_verdict) {
    constexpr std::size_t kNamed = 3;  // the lines about the behaviours name all of them
    text += fmt::format("{}: {}\n", verdict,
                        names.size() <= kNamed ? fmt::format("{}", fmt::join(names, ", "))
                                               : fmt::format("{} scenarios", names.size()));
  }
  return text;
}

std::string FormatSites(const std::vector<SiteCount>& sites) {
  std::string text = "sites\n";
  for (const SiteCount& site : sites) {
    std::string order = site.order;
    if (!site.failure.empty()) order += fmt::format(" / {}", site.failure);
    text += fmt::format("  {:<40} {:<18} {:<18} {:>14}\n",
                        fmt::format("{}:{}:{}", site.file, site.line, site.column), site.kind,
                        order, FormatCount(site.hits));
  }
  return text;
}

std::string ToJson(const std::string& structure, const std::vector<ScenarioReport>& reports,
                   const std::vector<std::string>& left_out, const std::vector<SiteCount>& sites) {
  nlohmann::ordered_json json;
  json["structure"] = structure;
  json["scenarios"] = nlohmann::ordered_json::array();
  for (const ScenarioReport& report : reports) {
    nlohmann::ordered_json scenario;
    scenario["name"] = report.scenario->text.name;
    scenario["promise"] = report.scenario->text.promise;
    scenario["threads"] = report.scenario->threads;
    scenario["passed"] = report.passed();
    scenario["verdict"] = report.Verdict();
    if (!report.scenario->text.bounded.empty()) {
      scenario["bounded"] = report.scenario->text.bounded;
    }
    scenario["searches"] = nlohmann::ordered_json::array();
    for (const SearchReport& entry : report.searches) {
      nlohmann::ordered_json search;
      search["search"] = Format(entry.search);
      search["executions"] = entry.result.executions;
      search["exhausted"] = entry.result.exhausted;
      search["fraction"] = entry.result.fraction;
      search["seconds"] = entry.result.seconds;
      if (entry.search.kind == Search::Kind::kGraphs) {
        const Omitted& omitted = entry.result.omitted;
        search["omitted"] = {{"blocked", omitted.blocked},
                             {"rounds", omitted.rounds},
                             {"tries", omitted.tries},
                             {"gaps", omitted.gaps.Names()}};
      }
      if (entry.result.sampled) {
        const Sampled& sampled = *entry.result.sampled;
        search["sampled"] = {
            {"different", sampled.different},  {"threads", sampled.threads},
            {"depth", sampled.depth},          {"steps", sampled.steps},
            {"choices", sampled.choices},      {"least_probability", sampled.LeastProbability()},
            {"estimated", sampled.estimated},  {"estimated_lower", sampled.lower},
            {"estimated_upper", sampled.upper}};
      }
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
  if (!left_out.empty()) json["left_out"] = left_out;
  json["unsupported_behaviours"] = nlohmann::ordered_json::array();
  for (const UnsupportedBehaviour& gap : UnsupportedBehaviours()) {
    const std::vector<std::string> scenarios = ScenariosWith(gap, reports);
    if (scenarios.empty()) continue;
    json["unsupported_behaviours"].push_back(
        {{"words", gap.words}, {"rows", gap.rows}, {"scenarios", scenarios}});
  }
  json["sites"] = nlohmann::ordered_json::array();
  for (const SiteCount& count : sites) {
    nlohmann::ordered_json site = {{"file", count.file},     {"line", count.line},
                                   {"column", count.column}, {"kind", count.kind},
                                   {"order", count.order},   {"hits", count.hits}};
    if (!count.failure.empty()) site["failure_order"] = count.failure;
    json["sites"].push_back(site);
  }
  return json.dump(2) + "\n";
}

}  // namespace nowait::model
