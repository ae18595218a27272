// The main function of a process that works on a search of another one (processes.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/parallel/process_report.h"
#include "models/kit/exhaustive/parallel/work_sharing.h"
#include "models/kit/exhaustive/run/exploration.h"

namespace nowait::model {

// Visits parts until there are no more or all are to stop, and stops all others when it fails or
// has come to its limit. `exploration` has nothing to visit yet.
//   process: its number
//   list: the parts to begin with
//   most: how many executions at most
ProcessReport WorkOn(Exploration& exploration, WorkSharing& sharing, unsigned process,
                     std::vector<Exploration::Part>& list, std::optional<std::uint64_t> most);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_
