#include "models/kit/command/progress_file.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/kit/process/files.h"

namespace nowait::model {
namespace {

std::int64_t Milliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

ProgressFile::ProgressFile(std::string path, std::string structure, std::size_t scenarios)
    : path_(std::move(path)),
      structure_(std::move(structure)),
      scenarios_(scenarios),
      begun_(Milliseconds()) {
  Write();
}

void ProgressFile::Show(const std::string& search, const Progress& progress) {
  current_ = {search, progress};
  Write();
}

void ProgressFile::EndSearch(std::uint64_t executions) {
  current_.reset();
  executions_ += executions;
  Write();
}

void ProgressFile::EndScenario(const std::string& name, bool passed) {
  ++done_;
  failed_ += passed ? 0 : 1;
  last_ = name;
  Write();
}

void ProgressFile::End(const std::string& state) {
  state_ = state;
  current_.reset();
  Write();
}

void ProgressFile::Write() {
  if (path_.empty()) return;
  nlohmann::ordered_json current;
  std::uint64_t executions = executions_;
  if (current_) {
    const Progress& progress = current_->progress;
    executions += progress.executions;
    current = {{"name", current_->name},
               {"executions", progress.executions},
               {"fraction", progress.fraction},
               {"seconds", progress.seconds},
               {"seconds_left", progress.seconds_left}};  // null where it has no end
  }
  const nlohmann::ordered_json json = {{"schema", "nowait.check_progress"},
                                       {"version", 1},
                                       {"what", structure_},
                                       {"state", state_},
                                       {"begun_unix_ms", begun_},
                                       {"written_unix_ms", Milliseconds()},
                                       {"unit", "scenarios"},
                                       {"all", scenarios_},
                                       {"done", done_},
                                       {"failed", failed_},
                                       {"executions", executions},
                                       {"current", current},
                                       {"last", last_}};
  if (!WriteWhole(path_, json.dump() + "\n")) path_.clear();
}

}  // namespace nowait::model
