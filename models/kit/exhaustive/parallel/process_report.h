// ProcessReport: the report of a process that worked on a search, at its end, to the one that
// started it.
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

// An execution that failed. Its trace is made where it is shown, by going there again.
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
  std::string omissions;  // in words of models/kit/exhaustive/run/omissions.h
};

// As bytes, for another process of the same run of the same program: a place in the source is a
// pointer, which means the same there.
std::string Pack(const ProcessReport& report);
ProcessReport Unpack(std::string_view bytes);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESS_REPORT_H_
