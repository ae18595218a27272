// SavedRun: what an interrupted run of a model had done, in a file that the run goes on from.
//
// The file is JSON. It names the structure and the very build of its checker: a position in a search
// means something only to the program that wrote it. It ends with a checksum, and it must be, byte
// for byte, what writing its contents again would give; so no damage goes unnoticed.
#ifndef NOWAIT_MODELS_KIT_SAVED_RUN_H_
#define NOWAIT_MODELS_KIT_SAVED_RUN_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/machine.h"
#include "models/kit/report.h"
#include "models/kit/search_control.h"

namespace nowait::model {

struct SavedSearch {
  std::uint64_t executions = 0;
  double seconds = 0;
  double fraction = 1;
  bool exhausted = false;
  std::optional<std::string> state;  // Position::state, when it had not finished
  std::optional<Start> failed;       // the execution that failed
};

struct SavedScenario {
  std::string name;
  std::vector<SavedSearch> searches;  // the first ones of those that the scenario is to have
};

struct SavedRun {
  std::string structure;
  std::string build;
  // What was asked for on the command line and says which executions there are; the words as given.
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

  // What was saved of the index-th search of a scenario, if anything.
  const SavedSearch* Find(const std::string& scenario_name, std::size_t index) const;
};

// The file's contents, and back; or what is wrong with them.
std::string Serialise(const SavedRun& run);
std::expected<SavedRun, std::string> Parse(const std::string& text);

// Names the program that is running: its size and a checksum.
std::string BuildIdentity();

// A run that this program saved for this structure; or one line that says why there is none.
std::expected<SavedRun, std::string> LoadRun(const std::string& path, const std::string& structure,
                                             const std::string& build);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SAVED_RUN_H_
