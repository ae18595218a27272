#include "models/kit/runner.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/back_end.h"
#include "models/kit/report.h"
#include "models/kit/scenario.h"
#include "models/kit/search.h"
#include "models/kit/site_table.h"

namespace nowait::model {
namespace {

struct Options {
  bool list = false;
  bool sites = false;
  std::string scenario;
  std::string search;
  std::string json;
  std::string expected_failure;
  Start start;
};

constexpr int kUsageError = 2;

int Complain(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  return kUsageError;
}

// The structure is named by its binary.
std::string StructureName(const char* path) {
  const std::string name = path;
  return name.substr(name.rfind('/') + 1);
}

void List(const std::string& structure) {
  for (const ScenarioEntry& scenario : Scenarios()) {
    fmt::print("{} {} ({} threads): {}\n", structure, scenario.text.name, scenario.threads,
               scenario.text.promise);
    for (const Search& search : scenario.text.searches) fmt::print("  {}\n", Format(search));
  }
}

class ModelRun {
 public:
  ModelRun(std::string structure, Options options)
      : structure_(std::move(structure)), options_(std::move(options)) {}

  int Run() {
    std::optional<Search> search;
    if (!options_.search.empty()) {
      search = ParseSearch(options_.search);
      if (!search) return Complain(fmt::format("'{}' is not a search", options_.search));
    }
    if (!options_.start.state.empty() && (!search || options_.scenario.empty())) {
      return Complain("--state needs the --scenario and --search that it was reported with");
    }
    bool found = false;
    for (const ScenarioEntry& scenario : Scenarios()) {
      if (!options_.scenario.empty() && scenario.text.name != options_.scenario) continue;
      found = true;
      RunScenario(scenario, search ? std::vector<Search>{*search} : scenario.text.searches);
      if (!options_.expected_failure.empty() && saw_expected_failure_) break;
    }
    if (!found) {
      return Complain(
          fmt::format("{} has no scenario '{}'; see --list", structure_, options_.scenario));
    }
    if (options_.sites) fmt::print("{}", FormatSites(sites_));
    if (!options_.json.empty() && !WriteJson()) return kUsageError;
    return Conclude();
  }

 private:
  void RunScenario(const ScenarioEntry& scenario, const std::vector<Search>& searches) {
    fmt::print("{} {}: {}\n", structure_, scenario.text.name, scenario.text.promise);
    ScenarioReport report{&scenario, {}};
    for (const Search& search : searches) {
      report.searches.push_back({search, RunSearch(scenario, search, options_.start, sites_)});
      fmt::print("{}", FormatSearch(report.searches.back()));
      if (const auto& failure = report.searches.back().result.failure) {
        fmt::print("{}", FormatFailure(structure_, scenario, report.searches.back()));
        saw_expected_failure_ |= failure->Label() == options_.expected_failure;
        break;
      }
      std::fflush(stdout);
    }
    reports_.push_back(std::move(report));
  }

  bool WriteJson() {
    std::ofstream file(options_.json);
    file << ToJson(structure_, reports_, sites_);
    file.close();
    if (file.fail()) fmt::print(stderr, "{} cannot be written\n", options_.json);
    return !file.fail();
  }

  int Conclude() {
    if (!options_.expected_failure.empty()) {
      fmt::print("mutant {}: {}\n", saw_expected_failure_ ? "killed" : "NOT killed as declared",
                 options_.expected_failure);
      fmt::print("{} passed, {} failed\n", saw_expected_failure_ ? 1 : 0,
                 saw_expected_failure_ ? 0 : 1);
      return saw_expected_failure_ ? 0 : 1;
    }
    int failed = 0;
    for (const ScenarioReport& report : reports_) failed += report.passed() ? 0 : 1;
    fmt::print("{} passed, {} failed\n", static_cast<int>(reports_.size()) - failed, failed);
    return failed == 0 ? 0 : 1;
  }

  std::string structure_;
  Options options_;
  SiteTable sites_;
  std::vector<ScenarioReport> reports_;
  bool saw_expected_failure_ = false;
};

}  // namespace

int RunModel(int argc, char** argv) {
  Options options;
  CLI::App app("Checks a structure by running its scenarios under a checker of memory orders.");
  app.add_flag("--list", options.list, "List the scenarios with their promises and searches");
  app.add_option("--scenario", options.scenario, "Only this scenario");
  app.add_option("--search", options.search,
                 "full, bound:N or random:N, then any of +deferred +stale +deep; "
                 "default: each scenario's own");
  app.add_option("--seed", options.start.seed, "random: number of the first execution");
  app.add_option("--state", options.start.state, "full, bound: the choices of one execution");
  app.add_flag("--sites", options.sites, "Print the operations executed, with orders and counts");
  app.add_option("--json", options.json, "Write results and sites to this file");
  app.add_option("--expect-failure", options.expected_failure,
                 "Pass only if a scenario fails with this invariant or kind of failure");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return Complain(error.what());
  }
  const std::string structure = StructureName(argv[0]);
  if (options.list) {
    List(structure);
    return 0;
  }
  return ModelRun(structure, std::move(options)).Run();
}

}  // namespace nowait::model
