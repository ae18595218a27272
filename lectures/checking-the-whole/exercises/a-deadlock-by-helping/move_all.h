// MoveAll: the end of a physics step: moves each body, one job a body, on all threads of a pool.
//
// Thread safety: one thread, beside queries on any. The caller holds no body lock. Each body is
// moved when this returns. A query reads a body under the body's lock, and never sees one that is
// half moved.
// Blocking: while jobs are left, the caller helps with whatever lies in the pool.
#ifndef NOWAIT_LECTURES_MOVE_ALL_H_
#define NOWAIT_LECTURES_MOVE_ALL_H_

#include <cstdint>

#include "src/bodies/body_locks.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// Pool: RunEach(count, f) calls f(i) for each i below count, as a task each. It returns when all of
// them have returned, and helps meanwhile. Bodies: size(), and operator[] gives a body with an `id`
// and a Move().
template <class Pool, class Locks, class Bodies>
void MoveAll(Pool& pool, Locks& locks, Bodies& bodies) {
  WaitTime wait;
  const auto all = BodiesWriteScopeOf<Locks>::All(locks, wait);
  pool.RunEach(bodies.size(), [&](std::uint32_t i) { bodies[i].Move(); });
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_MOVE_ALL_H_
