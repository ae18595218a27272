#include "models/kit/command/options.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "models/kit/buffering/limits.h"
#include "models/kit/process/files.h"

namespace nowait::model {
namespace {

std::unexpected<Refusal> Complain(std::string words) {
  return std::unexpected(Refusal{std::move(words) + "\n"});
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::optional<unsigned> ParseCount(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Shard> MakeShard(std::optional<unsigned> index, std::optional<unsigned> count) {
  if (!index || !count || *index >= *count) return std::nullopt;
  return Shard{*index, *count};
}

// Shards are numbered from 1 for users: "1/4" to "4/4".
std::optional<Shard> ParseShard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  std::optional<unsigned> number = ParseCount(text.substr(0, slash));
  if (number) number = *number - 1;  // 0 wraps around and is too large
  return MakeShard(number, ParseCount(text.substr(slash + 1)));
}

// Bazel's protocol for cc_test(shard_count = N): Bazel starts N processes, and the environment
// gives each one its index. Each process touches a file to report that it knows the protocol.
std::expected<Shard, Refusal> ShardFromBazel() {
  const char* count = std::getenv("TEST_TOTAL_SHARDS");
  const char* index = std::getenv("TEST_SHARD_INDEX");
  if (count == nullptr || index == nullptr) return Shard{};
  const auto shard = MakeShard(ParseCount(index), ParseCount(count));
  if (!shard) {
    return Complain(fmt::format("TEST_SHARD_INDEX '{}' of TEST_TOTAL_SHARDS '{}' is not a shard",
                                index, count));
  }
  if (const char* status = std::getenv("TEST_SHARD_STATUS_FILE")) {
    const int file = open(status, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
      return Complain(fmt::format("TEST_SHARD_STATUS_FILE '{}': {}", status, std::strerror(errno)));
    }
    close(file);
  }
  return *shard;
}

// The default of --jobs.
unsigned JobsByDefault() {
  const bool in_test = std::getenv("TEST_SRCDIR") != nullptr;
  return in_test ? 1 : std::clamp(std::thread::hardware_concurrency(), 1u, kMaxJobs);
}

// Bazel keeps the files that a test leaves in TEST_UNDECLARED_OUTPUTS_DIR, and deletes the sandbox.
// The path is from the repository's folder, where bazel-out is .bazel/out (a prefix in .bazelrc).
std::string AfterTheTest(const std::string& directory) {
  constexpr std::string_view kKept = "/bazel-out/";
  const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  const std::size_t kept = directory.rfind(kKept);
  if (outputs == nullptr || !directory.starts_with(outputs) || kept == directory.npos) {
    return directory;
  }
  return ".bazel/out/" + directory.substr(kept + kKept.size());
}

// A check for CLI11: returns the complaint about a text, or an empty string.
std::string PositiveNumber(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number && number > 0 ? "" : fmt::format("'{}' is not a positive number", text);
}

// The options as text, before validation.
struct Words {
  std::string with;
  std::string search;
  std::string shard;
  std::string jobs;
  std::string resume;
  std::string color = "auto";
};

// Checks the choice of --with against the searches that exist.
std::expected<void, Refusal> JudgeBackEnds(const std::vector<ScenarioEntry>& scenarios,
                                           const Options& options) {
  const char* with = Name(options.back_ends);
  if (options.search) {
    if (Includes(options.back_ends, *options.search)) return {};
    return Complain(fmt::format("--with {} does not run {}, a search of the other back end", with,
                                Format(*options.search)));
  }
  const ScenarioEntry* bounded = nullptr;
  for (const ScenarioEntry& scenario : scenarios) {
    if (options.scenario && scenario.text.name != *options.scenario) continue;
    if (!SearchesOf(scenario.text, options.back_ends).empty()) return {};
    if (!scenario.text.bounded.empty()) bounded = &scenario;
  }
  if (options.scenario && bounded != nullptr) {
    return Complain(fmt::format("{} is bounded ({}); --search graphs begins it all the same",
                                *options.scenario, bounded->text.bounded));
  }
  return Complain(fmt::format("{} has nothing to search --with {}",
                              options.scenario.value_or(options.structure), with));
}

std::expected<unsigned, Refusal> JudgeJobs(const std::string& words, const Options& options) {
  const auto jobs = ParseCount(words);
  if (!jobs || *jobs == 0 || *jobs > kMaxJobs) {
    return Complain(fmt::format("--jobs '{}' is not a number from 1 to {}", words, kMaxJobs));
  }
  if (options.search && options.search->kind != Search::Kind::kGraphs) {
    return Complain(
        fmt::format("--jobs is for searches of graphs, and {} is no such search: see --shard",
                    Format(*options.search)));
  }
  if (options.back_ends == BackEnds::kRelacy) {
    return Complain(
        "--jobs is for searches of graphs, and --with relacy makes no such search: see --shard");
  }
  return *jobs;
}

std::expected<void, Refusal> Judge(const CLI::App& app, const Words& words,
                                   const std::vector<ScenarioEntry>& scenarios, Options& options) {
  if (!words.resume.empty()) {
    auto run = LoadRun(words.resume, options.structure, BuildIdentity());
    if (!run) return Complain(run.error());
    options.scenario = run->scenario;
    options.back_ends = ParseBackEnds(run->with).value_or(options.back_ends);
    if (run->search) options.search = ParseSearch(*run->search);
    options.start.seed = run->seed;
    options.shard = run->shard;
    options.expected_failure = run->expected_failure;
    options.mutation = run->mutation;
    options.notes = run->notes;
    if (!options.save) options.save = words.resume;
    options.resumed = *std::move(run);
  }
  const auto is_named = [&](const ScenarioEntry& entry) {
    return entry.text.name == *options.scenario;
  };
  if (options.scenario && std::none_of(scenarios.begin(), scenarios.end(), is_named)) {
    return Complain(
        fmt::format("{} has no scenario '{}'; see --list", options.structure, *options.scenario));
  }
  if (app.count("--search") != 0) {
    options.search = ParseSearch(words.search);
    if (!options.search) return Complain(fmt::format("'{}' is not a search", words.search));
  }
  if (app.count("--with") != 0) {
    const auto back_ends = ParseBackEnds(words.with);
    if (!back_ends) {
      return Complain(fmt::format("--with '{}' is not relacy, exhaustive or both", words.with));
    }
    options.back_ends = *back_ends;
  }
  if (const auto judged = JudgeBackEnds(scenarios, options); !judged) return judged;
  // The time limit of a scenario's own searches is meant for a run of all of them.
  if (options.search) options.search->seconds = std::numeric_limits<double>::infinity();
  if ((options.mutate || options.minimise || !options.mutation.empty()) && options.notes.empty()) {
    return Complain("mutations need --notes FILE, which says whose operations they are");
  }
  // Bazel's folder for a test's outputs, from which ./nowait check --report reads them.
  const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (outputs != nullptr && options.json.empty()) {
    options.json = fmt::format("{}/result.json", outputs);
  }
  if (options.counterexamples.empty()) {
    options.counterexamples = outputs != nullptr ? outputs : "out/counterexamples";
  }
  options.counterexamples_shown = AfterTheTest(options.counterexamples);
  options.colors = counterexample::ColorsFrom(words.color);
  if (options.minimise && options.table.empty()) {
    return Complain("--minimise needs --table FILE, to compare with or to --update");
  }
  if (!options.start.state.empty() && !(options.search && options.scenario)) {
    return Complain("--state needs the --scenario and --search that it was reported with");
  }
  if (app.count("--shard") != 0) {
    const auto shard = ParseShard(words.shard);
    if (!shard) {
      return Complain(fmt::format("--shard '{}' is not I/N with 1 <= I <= N", words.shard));
    }
    options.shard = *shard;
  } else if (words.resume.empty() && options.start.state.empty()) {
    const auto shard = ShardFromBazel();
    if (!shard) return std::unexpected(shard.error());
    options.shard = *shard;
  }
  options.jobs = JobsByDefault();
  if (app.count("--jobs") != 0) {
    const auto jobs = JudgeJobs(words.jobs, options);
    if (!jobs) return std::unexpected(jobs.error());
    options.jobs = *jobs;
  }
  // Reported before hours of searching, not after them.
  for (const std::string& file :
       {options.save.value_or(""), options.json, options.certificate, options.progress}) {
    if (file.empty() || CanWrite(file)) continue;
    return Complain(fmt::format("{} cannot be written: {}", file, std::strerror(errno)));
  }
  return {};
}

}  // namespace

std::expected<Options, Refusal> ParseOptions(int argc, const char* const* argv,
                                             const std::vector<ScenarioEntry>& scenarios) {
  Options options;
  options.structure = FileName(argv[0]);
  Words words;
  CLI::App app("Checks a structure by running its scenarios under a checker of memory orders.");
  app.add_flag("--list", options.list, "List the scenarios with their promises and searches");
  CLI::Option* scenario = app.add_option("--scenario", options.scenario, "Only this scenario");
  app.add_flag("--all", options.all,
               "Go on after a scenario that fails; without it, the others are left out then");
  CLI::Option* with = app.add_option(
      "--with", words.with,
      "relacy: the scenarios' own searches; exhaustive: every execution of those that "
      "are not bounded; both (default): every execution first, then the others");
  CLI::Option* search = app.add_option(
      "--search", words.search,
      "graphs, then any of +tries +names +looks; pct:D:N; or full, bound:N or random:N, "
      "then any of +deferred +stale +deep; "
      "default: as --with says");
  CLI::Option* seed =
      app.add_option("--seed", options.start.seed, "random: number of the first execution");
  CLI::Option* state = app.add_option("--state", options.start.state,
                                      "graphs, full, bound: the choices of one execution");
  CLI::Option* shard =
      app.add_option("--shard", words.shard, "I/N: part I of N of each search")->excludes(state);
  CLI::Option* jobs = app.add_option("--jobs", words.jobs,
                                     "Work on each search of graphs with so many processes; "
                                     "default: one for each processor")
                          ->excludes(state);
  app.add_option("--seconds", options.seconds,
                 "Stop each search after so long, instead of its own limit")
      ->check(PositiveNumber);
  app.add_option("--executions", options.executions, "Stop each search after so many")
      ->check(PositiveNumber);
  CLI::Option* expect_failure =
      app.add_option("--expect-failure", options.expected_failure,
                     "Pass only if a scenario fails with this invariant or kind of failure");
  app.add_flag("--estimate", options.estimate,
               "Say how many executions the scenarios have, by random probes")
      ->excludes(jobs);
  CLI::Option* buffering =
      app.add_flag(
             "--buffering", options.buffering,
             "Run the scenarios with load buffering, in the other checker that has it; exit code 3 "
             "if one fails possibly, 4 if one does not fit")
          ->excludes(with, search, seed, state, shard, jobs);
  app.add_option("--ways", options.ways,
                 "Give up a scenario whose threads can be combined in more ways than so many")
      ->needs(buffering)
      ->check(CLI::PositiveNumber);
  app.add_option("--events", options.events,
                 "Cut a thread behind so many events; a scenario that is refused for a later step "
                 "may then be examined up to there")
      ->needs(buffering)
      ->check(CLI::Range(std::size_t{1}, buffering::kMostEventsOfThread));
  app.add_option("--certificate", options.certificate,
                 "Write every execution of the scenario to this file, for another program to judge")
      ->needs(scenario)
      ->excludes(with, search, shard, jobs);
  app.add_flag("--sites", options.sites, "Print the operations executed, with orders and counts");
  app.add_option("--json", options.json, "Write results and sites to this file");
  app.add_option("--progress", options.progress,
                 "Keep this file up to date with how far the scenarios are, for the viewer's page");
  app.add_option("--counterexamples", options.counterexamples,
                 "Write what fails to this directory; default: out/counterexamples, or where Bazel "
                 "keeps what a test leaves");
  app.add_option(
      "--sources", options.sources,
      "A directory whose files are shown instead of those of the same path below this one");
  app.add_option("--color", words.color, "auto (on a terminal, default), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  const std::string mutations = "Mutations";
  CLI::Option* mutate =
      app.add_flag("--mutate", options.mutate, "Judge every mutation of the atomic operations")
          ->group(mutations);
  CLI::Option* mutation =
      app.add_option("--mutation", options.mutation, "Run the scenarios with this mutation")
          ->group(mutations);
  CLI::Option* minimise = app.add_flag("--minimise", options.minimise,
                                       "Find the weakest orders that all scenarios accept")
                              ->group(mutations);
  CLI::Option* notes =
      app.add_option("--notes", options.notes, "What is written about the mutants that survive")
          ->group(mutations);
  app.add_option("--table", options.table, "The table of orders that --minimise compares with")
      ->group(mutations);
  app.add_flag("--update", options.update, "--minimise writes that table instead")
      ->group(mutations);
  app.add_option(
         "--mutant-executions", options.mutant_executions,
         "How deep each mutant is searched: executions for each scenario and kind of search")
      ->group(mutations)
      ->check(CLI::PositiveNumber);
  for (CLI::Option* many : {mutate, minimise}) many->excludes(jobs, buffering);
  app.add_option("--save", options.save, "Where to save what an unfinished run has done")
      ->excludes(state, mutate, minimise);
  app.add_option("--resume", words.resume, "Go on with the run that this file has saved")
      ->excludes(scenario, with, search, seed, state, shard, expect_failure)
      ->excludes(mutate, minimise, mutation, notes);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(Refusal{app.help(), 0});
  } catch (const CLI::ParseError& error) {
    return Complain(error.what());
  }
  if (const auto judged = Judge(app, words, scenarios, options); !judged) {
    return std::unexpected(judged.error());
  }
  return options;
}

}  // namespace nowait::model
