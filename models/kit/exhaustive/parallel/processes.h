// RunInProcesses: one search, visited by several processes at once.
//
// Processes and not threads: a scenario is run by a checker of which there is one in a program (the
// machine that is current, the fiber that runs, where `new` allocates), and scenarios are to run as
// they are. A process is a copy of this one with all that (fork). It visits parts of the tree
// (work_sharing.h), and at its end reports its results and the parts that it left
// (process_report.h). No graph is visited twice, since the parts share none, so nothing has to be
// compared.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_

#include <optional>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/parallel/process_report.h"
#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

struct RanInProcesses {
  bool goes_on = false;  // there is more to visit, and no reason not to
  // Of the failures that were found, the one that a single process would have come to first. The
  // path of a process that was lost is empty.
  std::optional<Found> found;
};

// Visits the graphs of `exploration` by `jobs` processes, until all are visited, one process fails,
// the meter says stop, or its limit of executions is near. The parts that are left are the
// exploration's again. Sites are added to `sites`.
//
// The program has one thread.
RanInProcesses RunInProcesses(Exploration& exploration, Meter& meter, SiteTable& sites,
                              unsigned jobs);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_
