// ProcessReport: what a process that worked on a search finally reports to the process that started
// it.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESS_REPORT_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESS_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kit/exhaustive/search/tree_path.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

// A failing execution. Its trace is made where it is shown, by visiting it again.
struct Found {
  Failure failure;
  TreePath path;
};

struct ProcessReport {
  std::uint64_t executions = 0;
  double done = 0;  // the share of the tree
  std::vector<TreePath> left;
  std::optional<Found> found;
  std::vector<SiteRecord> sites;
  std::string omissions;  // in the format of models/kit/exhaustive/run/omissions.h
};

// Converts a report to bytes for another process of the same run of the same program. A source
// location is a pointer, which has the same meaning there.
std::string Pack(const ProcessReport& report);
ProcessReport Unpack(std::string_view bytes);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESS_REPORT_H_
