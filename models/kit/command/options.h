// The command line of a model's binary, read and validated (models/kit/command/runner.h lists it).
//
// An invalid command line is refused before anything runs, with one line that names the mistake.
#ifndef NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_
#define NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/back_ends/back_ends.h"
#include "models/kit/command/saved_run.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

struct Options {
  std::string structure;  // the name given by its binary
  bool list = false;
  bool sites = false;
  bool estimate = false;
  bool buffering = false;
  std::size_t ways = 0;                 // with --buffering; 0: the default of its limits
  std::size_t events = 0;               // likewise
  std::optional<std::string> scenario;  // run only this one
  bool all = false;                     // continue with the other scenarios after a failure
  BackEnds back_ends = BackEnds::kBoth;
  std::optional<Search> search;  // replaces the scenarios' own searches
  Start start;
  Shard shard;
  unsigned jobs = 1;                        // processes that work on one search of graphs
  std::optional<double> seconds;            // per search; replaces the search's own limit
  std::optional<std::uint64_t> executions;  // per search, in this piece
  std::optional<std::string> save;
  std::optional<SavedRun> resumed;  // the state saved by an earlier piece
  std::string certificate;          // a file
  std::string json;
  std::string progress;               // a file
  std::string counterexamples;        // the directory that they are written to
  std::string counterexamples_shown;  // that directory's name after a test, outside the sandbox
  std::vector<std::string> sources;   // directories whose files replace those of src
  counterexample::Colors colors = counterexample::Colors::kAuto;

  // Mutations (models/kit/mutation/commands.h).
  bool mutate = false;
  bool minimise = false;
  std::string mutation;
  std::string notes;
  std::string table;
  bool update = false;
  std::uint64_t mutant_executions = 0;  // 0: the number in the notes

  std::string expected_failure;
};

inline constexpr int kUsageError = 2;

// The reason why nothing is to run: a complaint, or the requested help (exit code 0).
struct Refusal {
  std::string words;
  int exit_code = kUsageError;
};

// scenarios: those that --scenario can name. This function reads the file that --resume names.
// Without --shard, Bazel's variables (TEST_TOTAL_SHARDS and the others) determine the shard.
// Without --jobs, there is one process per processor; in a test there is only one, because Bazel
// runs several tests at once.
std::expected<Options, Refusal> ParseOptions(int argc, const char* const* argv,
                                             const std::vector<ScenarioEntry>& scenarios);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_
