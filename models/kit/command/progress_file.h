// ProgressFile: how far a run of a model has got, in a file for another program.
//
//   ProgressFile file("out/check/progress.json", "union_find", 3);
//   file.Show("2x1 graphs", progress);                   a few times a second
//   file.EndSearch(executions);  file.EndScenario("2x1", passed);
//   file.End("passed");
//
// The viewer's page shows it (docs/live-wire.md, "The progress of a check"). The file is replaced
// as a whole, so that a reader never sees a half of it. A check is worth more than its display:
// after a write that fails, nothing more is written and nothing is printed.
//
// Thread safety: one thread. Errors: none. Blocking: as the file system does.
#ifndef NOWAIT_MODELS_KIT_COMMAND_PROGRESS_FILE_H_
#define NOWAIT_MODELS_KIT_COMMAND_PROGRESS_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/engine/search_control.h"

namespace nowait::model {

class ProgressFile {
 public:
  // path: empty, and nothing is ever written. scenarios: how many there are to run.
  ProgressFile(std::string path, std::string structure, std::size_t scenarios);

  // search: the scenario and its search, in words.
  void Show(const std::string& search, const Progress& progress);
  void EndSearch(std::uint64_t executions);
  void EndScenario(const std::string& name, bool passed);
  // state: "passed", "failed" or "interrupted".
  void End(const std::string& state);

 private:
  struct Current {
    std::string name;
    Progress progress;
  };

  void Write();

  std::string path_;
  const std::string structure_;
  const std::size_t scenarios_;
  const std::int64_t begun_;  // milliseconds since 1970
  std::string state_ = "running";
  std::size_t done_ = 0;
  std::size_t failed_ = 0;        // of these
  std::uint64_t executions_ = 0;  // of the searches that have ended
  std::optional<Current> current_;
  std::string last_;  // the scenario that ended last
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_PROGRESS_FILE_H_
