#include "models/kit/command/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/buffering/table.h"
#include "models/kit/certificate/certificate.h"
#include "models/kit/command/options.h"
#include "models/kit/command/progress_file.h"
#include "models/kit/command/progress_line.h"
#include "models/kit/command/report.h"
#include "models/kit/command/saved_run.h"
#include "models/kit/command/shown_failures.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/exhaustive/run/estimate.h"
#include "models/kit/mutation/commands.h"
#include "models/kit/mutation/editing_machine.h"
#include "models/kit/process/count.h"
#include "models/kit/process/files.h"
#include "models/kit/process/interrupt.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {
namespace {

constexpr char kTooMany[] =
    "every execution was to be examined: take a smaller scenario, or say why not (`bounded`)";

void List(const std::string& structure) {
  for (const ScenarioEntry& scenario : Scenarios()) {
    fmt::print("{} {} ({} threads): {}\n", structure, scenario.text.name, scenario.threads,
               scenario.text.promise);
    // At full length, as each back end makes them when it runs alone.
    for (const BackEnds alone : {BackEnds::kExhaustive, BackEnds::kRelacy}) {
      for (const Search& search : SearchesOf(scenario.text, alone)) {
        fmt::print("  {}\n", Format(search));
      }
    }
    if (!scenario.text.bounded.empty()) fmt::print("  bounded: {}\n", scenario.text.bounded);
  }
}

// Prints an estimate of the length of each scenario's exhaustive search.
void PrintEstimates(const Options& options) {
  constexpr unsigned kProbes = 1000;
  for (const ScenarioEntry& scenario : Scenarios()) {
    if (options.scenario && scenario.text.name != *options.scenario) continue;
    fmt::print("{} {}: {}\n", options.structure, scenario.text.name,
               EstimateExecutions(scenario, kProbes, options.start.seed).Words());
    std::fflush(stdout);
  }
}

// Writes the executions of the chosen scenario, or says why it cannot.
int Certify(const Options& options) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  for (const ScenarioEntry& scenario : Scenarios()) {
    if (scenario.text.name != *options.scenario) continue;
    const auto certificate = WriteCertificate(options.structure, scenario, kMost);
    if (!certificate) {
      fmt::print(stderr, "{} {} has no certificate: {}\n", options.structure, scenario.text.name,
                 certificate.error());
      return kUsageError;
    }
    if (!WriteWhole(options.certificate, certificate->text)) {
      fmt::print(stderr, "{} cannot be written: {}\n", options.certificate, std::strerror(errno));
      return kUsageError;
    }
    fmt::print("{} {}: {} executions; judge them with: ./nowait check --verify {}\n",
               options.structure, scenario.text.name, FormatCount(certificate->executions),
               options.certificate);
  }
  return 0;
}

// A run: the chosen scenarios with their searches, including the results of its earlier pieces.
class ModelRun {
 public:
  ModelRun(Options options, const std::atomic<int>& signal)
      : options_(std::move(options)), signal_(signal) {}

  int Run() {
    for (const ScenarioEntry& scenario : Scenarios()) {
      if (options_.scenario && scenario.text.name != *options_.scenario) continue;
      RunScenario(scenario, ChosenSearches(scenario));
      if (signal_ != 0) return Interrupted();
      if (!options_.expected_failure.empty() && saw_expected_failure_) break;
      // A search of a broken structure tells little and may take long.
      if (options_.expected_failure.empty() && !options_.all && HasFailed(scenario)) {
        LeaveOutBehind(scenario);
        break;
      }
    }
    const std::vector<SiteCount> sites = Sites();
    if (options_.sites) fmt::print("{}", FormatSites(sites));
    if (!options_.json.empty() && !WriteJson(sites)) return kUsageError;
    if (StoppedEarly() && !Save("not finished")) return kUsageError;
    return Conclude();
  }

 private:
  std::vector<Search> ChosenSearches(const ScenarioEntry& scenario) const {
    if (options_.search) return {*options_.search};
    return SearchesOf(scenario.text, options_.back_ends);
  }

  // The number of scenarios that have something to be searched.
  std::size_t ScenariosToRun() const {
    std::size_t count = 0;
    for (const ScenarioEntry& scenario : Scenarios()) {
      if (options_.scenario && scenario.text.name != *options_.scenario) continue;
      count += ChosenSearches(scenario).empty() ? 0 : 1;
    }
    return count;
  }

  void RunScenario(const ScenarioEntry& scenario, const std::vector<Search>& searches) {
    fmt::print("{} {}: {}\n", options_.structure, scenario.text.name, scenario.text.promise);
    if (!options_.search && options_.back_ends != BackEnds::kRelacy &&
        !scenario.text.bounded.empty()) {
      fmt::print("  bounded: {}\n", scenario.text.bounded);
    }
    std::fflush(stdout);
    if (searches.empty()) return;
    reports_.push_back({&scenario, {}});
    std::vector<SearchReport>& reports = reports_.back().searches;
    for (std::size_t i = 0; i < searches.size() && signal_ == 0; ++i) {
      const SavedSearch* saved =
          options_.resumed ? options_.resumed->Find(scenario.text.name, i) : nullptr;
      reports.push_back({searches[i], RunOne(scenario, searches[i], saved), options_.shard});
      progress_.EndSearch(reports.back().result.executions);
      fmt::print("{}", FormatSearch(reports.back()));
      if (reports.back().unfinished() && signal_ == 0 && !IsPiece()) {
        fmt::print("  {}\n", kTooMany);
      }
      if (const auto& failure = reports.back().result.failure) {
        failures_.Show(scenario, reports.back());
        saw_expected_failure_ |= failure->Label() == options_.expected_failure;
        // One defect may show in several ways. A mutant declares the one that counts.
        if (options_.expected_failure.empty() || saw_expected_failure_) break;
      }
      std::fflush(stdout);
    }
    if (signal_ == 0) progress_.EndScenario(scenario.text.name, reports_.back().passed());
  }

  // Whether a search of the scenario, which is the most recent one, has found a failure.
  bool HasFailed(const ScenarioEntry& scenario) const {
    if (reports_.empty() || reports_.back().scenario != &scenario) return false;
    return std::ranges::any_of(reports_.back().searches, [](const SearchReport& search) {
      return search.result.failure.has_value();
    });
  }

  // Leaves out the scenarios that would have run after the failed one.
  void LeaveOutBehind(const ScenarioEntry& failed) {
    bool is_behind = false;
    for (const ScenarioEntry& scenario : Scenarios()) {
      if (is_behind && !options_.scenario &&
          (options_.search || !SearchesOf(scenario.text, options_.back_ends).empty())) {
        left_out_.push_back(scenario.text.name);
      }
      is_behind |= &scenario == &failed;
    }
  }

  SearchResult RunOne(const ScenarioEntry& scenario, Search search, const SavedSearch* saved) {
    if (saved != nullptr && saved->failed) return Again(scenario, search, *saved);
    if (saved != nullptr && !saved->state) return Restored(*saved);
    if (options_.seconds) search.seconds = *options_.seconds;
    const std::string what = fmt::format("{} {}", scenario.text.name, Format(search));
    ProgressLine line(stderr, IsTerminal(stderr), what, saved != nullptr ? saved->seconds : 0);
    progress_.Show(what, {.executions = saved != nullptr ? saved->executions : 0});
    SearchControl control;
    control.shard = options_.shard;
    control.jobs = options_.jobs;
    if (saved != nullptr) {
      control.from = {saved->executions, saved->seconds, *saved->state, saved->fraction};
    }
    control.executions = options_.executions.value_or(0);
    control.stop = &signal_;
    control.progress = [&](const Progress& progress) {
      line.Show(progress);
      progress_.Show(what, progress);
    };
    return RunSearch(scenario, search, options_.start, sites_, control);
  }

  // The result of a search that had ended when the run was saved.
  static SearchResult Restored(const SavedSearch& saved) {
    SearchResult result;
    result.executions = saved.executions;
    result.exhausted = saved.exhausted;
    result.seconds = saved.seconds;
    result.fraction = saved.fraction;
    result.omitted = saved.omitted;
    return result;
  }

  // Repeats the last execution of a search that had failed, to obtain its trace.
  static SearchResult Again(const ScenarioEntry& scenario, Search search,
                            const SavedSearch& saved) {
    if (search.IsNumbered()) search.executions = 1;
    SiteTable counted_before;
    SearchResult result = RunSearch(scenario, search, *saved.failed, counted_before);
    result.executions = saved.executions;
    result.seconds = saved.seconds;
    return result;
  }

  std::vector<SiteCount> Sites() const {
    return CountSites(options_.resumed ? options_.resumed->sites : std::vector<SiteCount>(),
                      sites_);
  }

  // Whether the command line asks for a piece of the searches, to be continued later.
  bool IsPiece() const { return options_.save || options_.seconds || options_.executions; }

  // Whether a search stopped at a limit given on this command line.
  bool StoppedEarly() const {
    if (!IsPiece()) return false;
    return std::any_of(reports_.begin(), reports_.end(), [](const ScenarioReport& report) {
      return std::any_of(report.searches.begin(), report.searches.end(),
                         [](const SearchReport& search) { return search.result.stopped; });
    });
  }

  int Interrupted() {
    constexpr int kKilled = 128;  // a shell reports this plus the signal that ended a program
    std::string where = "interrupted";
    const ScenarioReport& report = reports_.back();
    if (!report.searches.empty() && report.searches.back().result.stopped) {
      where +=
          fmt::format(" at {} of {} {}", FormatFraction(report.searches.back().result.fraction),
                      report.scenario->text.name, Format(report.searches.back().search));
    }
    Save(where);
    progress_.End("interrupted");
    return kKilled + signal_;
  }

  // how: the reason why the run can be continued.
  bool Save(const std::string& how) {
    const std::string path = options_.save.value_or(options_.structure + ".search");
    std::fflush(stdout);
    if (!WriteWhole(path, Serialise(ToSave()))) {
      fmt::print(stderr, "{}; {} cannot be written: {}\n", how, path, std::strerror(errno));
      return false;
    }
    fmt::print("{}; go on with: ./nowait check {} --resume {}{}\n", how, options_.structure, path,
               options_.all ? " --all" : "");
    return true;
  }

  SavedRun ToSave() const {
    SavedRun run;
    run.structure = options_.structure;
    run.build = BuildIdentity();
    run.scenario = options_.scenario;
    run.with = Name(options_.back_ends);
    if (options_.search) run.search = Format(*options_.search);
    run.seed = options_.start.seed;
    run.shard = options_.shard;
    run.expected_failure = options_.expected_failure;
    run.mutation = options_.mutation;
    run.notes = options_.notes;
    for (const ScenarioReport& report : reports_) {
      SavedScenario& scenario = run.scenarios.emplace_back();
      scenario.name = report.scenario->text.name;
      for (const SearchReport& search : report.searches) {
        const SearchResult& result = search.result;
        // The search begins again: there is no execution to show.
        if (result.failure && result.failure->kind == FailureKind::kProcessLost) break;
        SavedSearch& saved = scenario.searches.emplace_back();
        saved.executions = result.executions;
        saved.seconds = result.seconds;
        saved.fraction = result.fraction;
        saved.exhausted = result.exhausted;
        saved.omitted = result.omitted;
        if (result.stopped) saved.state = result.stopped->state;
        if (result.failure) saved.failed = result.replay;
      }
    }
    run.sites = Sites();
    return run;
  }

  bool WriteJson(const std::vector<SiteCount>& sites) {
    if (WriteWhole(options_.json, ToJson(options_.structure, reports_, left_out_, sites))) {
      return true;
    }
    fmt::print(stderr, "{} cannot be written: {}\n", options_.json, std::strerror(errno));
    return false;
  }

  int Conclude() {
    if (!left_out_.empty()) {
      fmt::print("left out after this failure, and run with --all: {}\n",
                 fmt::join(left_out_, ", "));
    }
    failures_.PrintPages();
    const int code = Count();
    std::fflush(stdout);
    progress_.End(code == 0 ? "passed" : "failed");
    if (failures_.unwritten().empty()) return code;
    fmt::print(stderr, "{}\n", failures_.unwritten());
    return kUsageError;
  }

  int Count() {
    if (!options_.expected_failure.empty()) {
      fmt::print("mutant {}: {}\n", saw_expected_failure_ ? "killed" : "NOT killed as declared",
                 options_.expected_failure);
      fmt::print("{} passed, {} failed\n", saw_expected_failure_ ? 1 : 0,
                 saw_expected_failure_ ? 0 : 1);
      return saw_expected_failure_ ? 0 : 1;
    }
    int failed = 0;
    for (const ScenarioReport& report : reports_) failed += report.passed() ? 0 : 1;
    fmt::print("{}{}{}", FormatUnsupportedBehaviours(reports_), FormatReductions(reports_),
               FormatReserves(reports_));
    fmt::print("{} passed, {} failed\n", static_cast<int>(reports_.size()) - failed, failed);
    return failed == 0 ? 0 : 1;
  }

  Options options_;
  const std::atomic<int>& signal_;
  SiteTable sites_;
  std::vector<ScenarioReport> reports_;
  std::vector<std::string> left_out_;  // scenarios not run because of a failure
  ShownFailures failures_{options_};
  bool saw_expected_failure_ = false;
  ProgressFile progress_{options_.progress, options_.structure, ScenariosToRun()};
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
  if (options->estimate) {
    PrintEstimates(*options);
    return 0;
  }
  if (!options->certificate.empty()) return Certify(*options);
  const MutationOptions mutations{.structure = options->structure,
                                  .notes = options->notes,
                                  .back_ends = options->back_ends,
                                  .executions = options->mutant_executions,
                                  .shard = options->shard.index,
                                  .shards = options->shard.count,
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
  if (options->buffering) {
    buffering::Printed how{.only = options->scenario.value_or(""),
                           .expected_failure = options->expected_failure};
    if (options->ways != 0) {
      how.limits.runs = std::max<std::size_t>(
          1, options->ways * how.limits.runs / how.limits.ways);  // in proportion
      how.limits.ways = options->ways;
    }
    if (options->events != 0) how.limits.events = options->events;
    return static_cast<int>(buffering::PrintScenarios(Scenarios(), how));
  }
  return ModelRun(*std::move(options), CatchInterrupts()).Run();
}

}  // namespace nowait::model
