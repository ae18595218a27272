// The main function of a process that works for the search of another process (processes.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "models/kit/exhaustive/parallel/process_report.h"
#include "models/kit/exhaustive/parallel/work_sharing.h"
#include "models/kit/exhaustive/run/exploration.h"

namespace nowait::model {

// Visits parts until there are no more or all processes have to stop. Stops the other processes
// when it fails or reaches its limit. `exploration` must have nothing to visit yet.
//   process: the number of this process
//   list: the parts to begin with
//   most: the largest number of executions
ProcessReport WorkOn(Exploration& exploration, WorkSharing& sharing, unsigned process,
                     std::vector<Exploration::Part>& list, std::optional<std::uint64_t> most);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PARALLEL_WORKER_PROCESS_H_
