// The command line of a model's binary, read and validated (models/kit/command/runner.h lists it).
//
// A command that makes no sense is refused before anything runs, in one line that names the
// mistake.
#ifndef NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_
#define NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_

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
  std::string structure;  // named by its binary
  bool list = false;
  bool sites = false;
  bool estimate = false;
  std::optional<std::string> scenario;  // only this one
  bool all = false;                     // go on with the others after one has failed
  BackEnds back_ends = BackEnds::kBoth;
  std::optional<Search> search;  // instead of the scenarios' own
  Start start;
  Shard shard;
  unsigned jobs = 1;                        // processes that work on one search of graphs
  std::optional<double> seconds;            // for each search, instead of its own limit
  std::optional<std::uint64_t> executions;  // of each search, in this piece
  std::optional<std::string> save;
  std::optional<SavedRun> resumed;  // the state that an earlier piece saved
  std::string json;
  std::string counterexamples;        // the directory that they are written to
  std::string counterexamples_shown;  // its name after a test, without the sandbox
  std::vector<std::string> sources;   // directories of sources that stand for those of src
  counterexample::Colors colors = counterexample::Colors::kAuto;

  // Mutations (models/kit/mutation/commands.h).
  bool mutate = false;
  bool minimise = false;
  std::string mutation;
  std::string notes;
  std::string table;
  bool update = false;
  std::uint64_t mutant_executions = 0;  // 0: as the notes say

  std::string expected_failure;
};

inline constexpr int kUsageError = 2;

// Why there is nothing to run: a complaint, or the help that was asked for (exit code 0).
struct Refusal {
  std::string words;
  int exit_code = kUsageError;
};

// scenarios: those that --scenario can name. The file that --resume names is read here. Without
// --shard, the shard is the one that Bazel's variables ask for (TEST_TOTAL_SHARDS and the others).
// Without --jobs, there are as many as processors, but one in a test, since Bazel runs several
// tests at once.
std::expected<Options, Refusal> ParseOptions(int argc, const char* const* argv,
                                             const std::vector<ScenarioEntry>& scenarios);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_OPTIONS_H_
