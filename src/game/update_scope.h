// UpdateScope: marks its thread, during its lifetime, as inside an update of game objects.
//
// An update may be run again, and it may own objects. Meanwhile the thread must neither wait nor
// call functions whose effects cannot be undone: they assert !InUpdate<Sync>() (held_locks.h).
//
// Thread safety: one thread. In a model it does nothing.
// Source: [cbloom2011], the flag in_go_update.
#ifndef NOWAIT_SRC_GAME_UPDATE_SCOPE_H_
#define NOWAIT_SRC_GAME_UPDATE_SCOPE_H_

#include <type_traits>

#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync>
class [[nodiscard]] UpdateScope {
 public:
  UpdateScope() { Set(true); }
  ~UpdateScope() { Set(false); }
  UpdateScope(const UpdateScope&) = delete;
  UpdateScope& operator=(const UpdateScope&) = delete;

 private:
  static void Set(bool inside) {
    if constexpr (std::is_same_v<Sync, EngineSync>) HeldLocks::OfThisThread().in_update = inside;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_UPDATE_SCOPE_H_
