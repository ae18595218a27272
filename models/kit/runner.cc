#include "models/kit/runner.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/back_end.h"
#include "models/kit/mutation/commands.h"
#include "models/kit/mutation/editing_machine.h"
#include "models/kit/options.h"
#include "models/kit/report.h"
#include "models/kit/scenario.h"
#include "models/kit/search.h"
#include "models/kit/site_table.h"

namespace nowait::model {
namespace {

void List(const std::string& structure) {
  for (const ScenarioEntry& scenario : Scenarios()) {
    fmt::print("{} {} ({} threads): {}\n", structure, scenario.text.name, scenario.threads,
               scenario.text.promise);
    for (const Search& search : scenario.text.searches) fmt::print("  {}\n", Format(search));
  }
}

class ModelRun {
 public:
  explicit ModelRun(Options options) : options_(std::move(options)) {}

  int Run() {
    for (const ScenarioEntry& scenario : Scenarios()) {
      if (options_.scenario && scenario.text.name != *options_.scenario) continue;
      RunScenario(scenario,
                  options_.search ? std::vector<Search>{*options_.search} : scenario.text.searches);
      if (!options_.expected_failure.empty() && saw_expected_failure_) break;
    }
    if (options_.sites) fmt::print("{}", FormatSites(sites_));
    if (!options_.json.empty() && !WriteJson()) return kUsageError;
    return Conclude();
  }

 private:
  void RunScenario(const ScenarioEntry& scenario, const std::vector<Search>& searches) {
    fmt::print("{} {}: {}\n", options_.structure, scenario.text.name, scenario.text.promise);
    ScenarioReport report{&scenario, {}};
    for (const Search& search : searches) {
      report.searches.push_back({search, RunSearch(scenario, search, options_.start, sites_)});
      fmt::print("{}", FormatSearch(report.searches.back()));
      if (const auto& failure = report.searches.back().result.failure) {
        fmt::print("{}", FormatFailure(options_.structure, scenario, report.searches.back()));
        saw_expected_failure_ |= failure->Label() == options_.expected_failure;
        break;
      }
      std::fflush(stdout);
    }
    reports_.push_back(std::move(report));
  }

  bool WriteJson() {
    std::ofstream file(options_.json);
    file << ToJson(options_.structure, reports_, sites_);
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

  Options options_;
  SiteTable sites_;
  std::vector<ScenarioReport> reports_;
  bool saw_expected_failure_ = false;
};

}  // namespace

int RunModel(int argc, char** argv) {
  auto options = ParseOptions(argc, argv, Scenarios());
  if (!options) {
    fmt::print(options.error().exit_code == 0 ? stdout : stderr, "{}", options.error().words);
    return options.error().exit_code;
  }
  if (options->list) {
    List(options->structure);
    return 0;
  }
  const MutationOptions mutations{.structure = options->structure,
                                  .notes = options->notes,
                                  .executions = options->mutant_executions,
                                  .json = options->json};
  if (options->mutate) return RunMutations(Scenarios(), mutations);
  if (options->minimise) {
    return RunMinimiser(Scenarios(), mutations, options->table,
                        options->update ? TableUse::kUpdate : TableUse::kCompare);
  }
  Edits edits;
  if (!options->mutation.empty()) {
    auto found = FindMutation(Scenarios(), mutations, options->mutation);
    if (!found) {
      fmt::print(stderr, "{}\n", found.error());
      return kUsageError;
    }
    edits = *std::move(found);
  }
  EditingMachine machine(edits);
  std::optional<Interposition> interposition;
  if (!options->mutation.empty()) interposition.emplace(machine);
  return ModelRun(*std::move(options)).Run();
}

}  // namespace nowait::model
