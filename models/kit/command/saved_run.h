// SavedRun: the state of an interrupted run of a model, in a file from which the run can continue.
//
// The file is JSON. It names the structure and the exact build of its checker, because a position
// in a search means something only to the program that wrote it. It ends with a checksum, and it
// must be byte for byte what its own contents yield when written again. Any damage is therefore
// noticed.
#ifndef NOWAIT_MODELS_KIT_COMMAND_SAVED_RUN_H_
#define NOWAIT_MODELS_KIT_COMMAND_SAVED_RUN_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/command/report.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/engine/search_control.h"

namespace nowait::model {

struct SavedSearch {
  std::uint64_t executions = 0;
  double seconds = 0;
  double fraction = 1;
  bool exhausted = false;
  Omitted omitted;
  std::optional<std::string> state;  // Position::state, if the search had not finished
  std::optional<Start> failed;       // the failing execution
};

struct SavedScenario {
  std::string name;
  std::vector<SavedSearch> searches;  // a prefix of the searches that the scenario is to have
};

struct SavedRun {
  std::string structure;
  std::string build;
  // The words of the command line that determine the executions, as given.
  std::optional<std::string> scenario;
  std::string with;
  std::optional<std::string> search;
  std::uint64_t seed = 1;
  Shard shard;
  std::string expected_failure;
  std::string mutation;
  std::string notes;

  std::vector<SavedScenario> scenarios;
  std::vector<SiteCount> sites;

  // The saved state of the index-th search of a scenario, if any.
  const SavedSearch* Find(const std::string& scenario_name, std::size_t index) const;
};

// Converts a run to the file's contents, and back; parsing may return an error.
std::string Serialise(const SavedRun& run);
std::expected<SavedRun, std::string> Parse(const std::string& text);

// Identifies the running program by its size and a checksum.
std::string BuildIdentity();

// A run that this program saved for this structure; or one line that says why it cannot be read.
std::expected<SavedRun, std::string> LoadRun(const std::string& path, const std::string& structure,
                                             const std::string& build);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_SAVED_RUN_H_
