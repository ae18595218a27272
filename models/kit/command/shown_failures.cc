#include "models/kit/command/shown_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/kit/command/diagnose.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/counterexample/page/page.h"
#include "models/kit/process/files.h"
#include "models/kit/program/failure.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

void ShownFailures::Show(const ScenarioEntry& scenario, const SearchReport& report) {
  const Failure& failure = *report.result.failure;
  const std::string label = failure.Label();
  const bool is_asked_about =
      options_.expected_failure.empty() || options_.expected_failure == label;
  const bool is_new = is_asked_about && diagnosed_.insert(label).second;
  const bool is_repeated = !options_.start.state.empty() || options_.start.seed != Start().seed;
  const Shows shows = is_repeated         ? Shows::kFound
                      : options_.scenario ? Shows::kSmallestOfScenario
                                          : Shows::kSmallest;
  const counterexample::Counterexample record =
      is_new ? Diagnose(options_.structure, Scenarios(), scenario, report, options_.mutation, shows,
                        text_)
             : RecordOf(options_.structure, scenario, report, options_.mutation, text_);
  if (is_new) {
    fmt::print("{}", FormatLanes(record, counterexample::StyleFor(stdout, options_.colors)));
    std::fflush(stdout);
  }
  // There is no execution to show if a process was lost.
  const bool has_execution = failure.kind != FailureKind::kProcessLost;
  const std::string name = has_execution ? Write(record, label) : "";
  if (is_new && !name.empty()) in_lanes_.push_back(name);
  if (is_new) return;
  const std::string command =
      name.empty() ? record.again
                   : fmt::format("./nowait show {}/{}.json", options_.counterexamples_shown, name);
  fmt::print("  {}{}{}\n", label, command.empty() ? "" : "; its lanes: ", command);
}

std::string ShownFailures::Write(const counterexample::Counterexample& record,
                                 const std::string& label) {
  std::error_code error;
  std::filesystem::create_directories(options_.counterexamples, error);
  std::string scenario = record.scenario.name;  // "insert-then-move/case-2" becomes one file name
  std::replace(scenario.begin(), scenario.end(), '/', '-');
  const std::string wanted = fmt::format("{}_{}", record.structure, scenario);
  // The scenario may already have been shown for a larger one, or have failed in another way.
  std::string name = wanted;
  for (int i = 2; written_.contains(name); ++i) {
    if (written_[name] == label) return name;
    name = fmt::format("{}_{}", wanted, i);
  }
  const std::string json = ToJson(record);
  // The text is as wide as the page.
  const std::string page = counterexample::PageOf({json, FormatLanes(record, {}), ""});
  for (const auto& [file, text] : {std::pair(name + ".json", json), {name + ".html", page}}) {
    const std::string path = fmt::format("{}/{}", options_.counterexamples, file);
    if (WriteWhole(path, text)) continue;
    unwritten_ = fmt::format("{} cannot be written: {}", path, std::strerror(errno));
    return "";
  }
  written_[name] = label;
  return name;
}

void ShownFailures::PrintPages() const {
  const std::string& folder = options_.counterexamples_shown;
  // Bazel packs what a test leaves; ./nowait show unpacks it.
  const bool packed = folder != options_.counterexamples;
  for (const std::string& name : in_lanes_) {
    fmt::print("page: {0}/{1}.html   ({2}: ./nowait show {0}/{1}.json)\n", folder, name,
               packed ? "unpacked, and in the terminal again" : "in the terminal again");
  }
  const std::size_t more = written_.size() - in_lanes_.size();
  if (more > 0) fmt::print("{} more {} in {}\n", more, more == 1 ? "page" : "pages", folder);
}

}  // namespace nowait::model
