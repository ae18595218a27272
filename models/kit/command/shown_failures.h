// ShownFailures: the part of a run's output that describes the scenarios that failed.
//
// A failure is explained once for all scenarios that fail in that way; for a mutant, only the
// declared failure is. The explained failure is shown in lanes. For each other one, a line says
// where its lanes are. Every failure is kept as a record and as a page.
#ifndef NOWAIT_MODELS_KIT_COMMAND_SHOWN_FAILURES_H_
#define NOWAIT_MODELS_KIT_COMMAND_SHOWN_FAILURES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/kit/command/options.h"
#include "models/kit/command/report.h"
#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

class ShownFailures {
 public:
  // options: must outlive this object.
  explicit ShownFailures(const Options& options) : options_(options), text_(options.sources) {}

  // Prints the failure and writes its files.
  void Show(const ScenarioEntry& scenario, const SearchReport& report);

  // Prints the pages of the failures that were shown in lanes, and the number of other ones.
  void PrintPages() const;
  // Why the last file could not be written; empty if all were written.
  const std::string& unwritten() const { return unwritten_; }

 private:
  // The record's file name without folder or extension; empty if the files cannot be written.
  std::string Write(const counterexample::Counterexample& record, const std::string& label);

  const Options& options_;
  counterexample::SourceText text_;
  std::set<std::string> diagnosed_;             // labels
  std::map<std::string, std::string> written_;  // label by file; see Write for the file
  std::vector<std::string> in_lanes_;           // the files of the failures shown in lanes
  std::string unwritten_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_SHOWN_FAILURES_H_
