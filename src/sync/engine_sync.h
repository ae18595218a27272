// EngineSync: the policy of the whole program (policy.h says what a policy provides).
//
// It is StdSync, but in the configuration `controlled`: there //src/sync:engine_policy is a library
// whose header defines it, and which says by NOWAIT_ENGINE_SYNC where that header is.
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
