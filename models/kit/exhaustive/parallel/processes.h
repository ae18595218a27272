// RunInProcesses: one search, run by several processes at once.
//
// They are processes and not threads because a program contains a single checker that runs a
// scenario (the current machine, the running fiber, the place where `new` allocates), and scenarios
// are to run unchanged. A process is a copy of this one with all of that (fork). It visits parts of
// the tree (work_sharing.h), and finally reports its results and the parts that are left
// (process_report.h). No graph is visited twice, because the parts are disjoint, so nothing has to
// be compared.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_

#include <optional>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/parallel/process_report.h"
#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

struct RanInProcesses {
  bool goes_on = false;  // whether there is more to visit and no reason to stop
  // Of all failures found, the one that a single process would have reached first. The path of a
  // lost process is empty.
  std::optional<Found> found;
};

// Visits the graphs of `exploration` with `jobs` processes, until all are visited, a process fails,
// the meter stops the search, or its limit of executions is near. The remaining parts return to the
// exploration. Adds the sites to `sites`.
//
// The program must have a single thread.
RanInProcesses RunInProcesses(Exploration& exploration, Meter& meter, SiteTable& sites,
                              unsigned jobs);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_PROCESSES_H_
