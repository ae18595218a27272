// The policy that src/sync/engine_sync.h includes in the configuration `controlled`.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_ENGINE_SYNC_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_ENGINE_SYNC_H_

#include "tests/whole/scheduler/controlled_sync.h"

namespace nowait {
using EngineSync = whole::ControlledSync;
}  // namespace nowait

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_ENGINE_SYNC_H_
