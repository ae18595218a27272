// EngineSync: the policy of the whole program (policy.h lists the members of a policy).
//
// It is StdSync, except in the configuration `controlled`. There //src/sync:engine_policy is a
// library whose header defines EngineSync, and NOWAIT_ENGINE_SYNC names that header.
#ifndef NOWAIT_SRC_SYNC_ENGINE_SYNC_H_
#define NOWAIT_SRC_SYNC_ENGINE_SYNC_H_

#if defined(NOWAIT_ENGINE_SYNC)
#include NOWAIT_ENGINE_SYNC
#else
namespace nowait {
struct StdSync;
using EngineSync = StdSync;
}  // namespace nowait
#endif

#endif  // NOWAIT_SRC_SYNC_ENGINE_SYNC_H_
