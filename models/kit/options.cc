#include "models/kit/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

namespace nowait::model {
namespace {

std::unexpected<Refusal> Complain(std::string words) {
  return std::unexpected(Refusal{std::move(words) + "\n"});
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::expected<Options, Refusal> ParseOptions(int argc, const char* const* argv,
                                             const std::vector<ScenarioEntry>& scenarios) {
  Options options;
  options.structure = FileName(argv[0]);
  std::string search;
  CLI::App app("Checks a structure by running its scenarios under a checker of memory orders.");
  app.add_flag("--list", options.list, "List the scenarios with their promises and searches");
  app.add_option("--scenario", options.scenario, "Only this scenario");
  const CLI::Option* search_option =
      app.add_option("--search", search,
                     "full, bound:N or random:N, then any of +deferred +stale +deep; "
                     "default: each scenario's own");
  app.add_option("--seed", options.start.seed, "random: number of the first execution");
  app.add_option("--state", options.start.state, "full, bound: the choices of one execution");
  app.add_flag("--sites", options.sites, "Print the operations executed, with orders and counts");
  app.add_option("--json", options.json, "Write results and sites to this file");
  app.add_option("--expect-failure", options.expected_failure,
                 "Pass only if a scenario fails with this invariant or kind of failure");
  const std::string mutations = "Mutations";
  app.add_flag("--mutate", options.mutate, "Judge every mutation of the atomic operations")
      ->group(mutations);
  app.add_option("--mutation", options.mutation, "Run the scenarios with this mutation")
      ->group(mutations);
  app.add_flag("--minimise", options.minimise, "Find the weakest orders that all scenarios accept")
      ->group(mutations);
  app.add_option("--notes", options.notes, "What is written about the mutants that survive")
      ->group(mutations);
  app.add_option("--table", options.table, "The table of orders that --minimise compares with")
      ->group(mutations);
  app.add_flag("--update", options.update, "--minimise writes that table instead")
      ->group(mutations);
  app.add_option("--mutant-executions", options.mutant_executions,
                 "How deep each mutant is searched: executions for each scenario and kind of search")
      ->group(mutations)
      ->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(Refusal{app.help(), 0});
  } catch (const CLI::ParseError& error) {
    return Complain(error.what());
  }

  const auto is_named = [&](const ScenarioEntry& entry) {
    return entry.text.name == *options.scenario;
  };
  if (options.scenario && std::none_of(scenarios.begin(), scenarios.end(), is_named)) {
    return Complain(
        fmt::format("{} has no scenario '{}'; see --list", options.structure, *options.scenario));
  }
  if (*search_option) {
    options.search = ParseSearch(search);
    if (!options.search) return Complain(fmt::format("'{}' is not a search", search));
  }
  if ((options.mutate || options.minimise || !options.mutation.empty()) && options.notes.empty()) {
    return Complain("mutations need --notes FILE, which says whose operations they are");
  }
  if (options.minimise && options.table.empty()) {
    return Complain("--minimise needs --table FILE, to compare with or to --update");
  }
  if (!options.start.state.empty() && !(options.search && options.scenario)) {
    return Complain("--state needs the --scenario and --search that it was reported with");
  }
  return options;
}

}  // namespace nowait::model
