// Reading and changing a body by its id: under its lock, and only if it is still that body.
//
// An id comes from a tree or from a caller that has kept it. Until its lock is taken, the body may
// be removed and its slot given to another body. Both ids name the same slot; only their
// generations differ. The first question under the lock is therefore whether the id is still valid.
// A thread that uses the slot without asking may have the wrong body.
//
// Thread safety: any thread that holds no body lock; different threads at once.
// Progress: blocking (the lock); for as long as f runs, no other thread changes the body.
//
// Invariant: f sees the body that `id` names, whole and unchanging.
//
// Promise: linearizable per body: while the lock is held, the body is there, or it is gone for
// good.
//
// Source: [rouwe2022], "Quad tree - collision query". The defect without the question: [jolt702] (a
// body removed between broad and narrow phase). Model: models/bodies/body_locks.cc. Lecture: body
// locks and what a query promises.
#ifndef NOWAIT_SRC_BODIES_GUARDED_BODY_H_
#define NOWAIT_SRC_BODIES_GUARDED_BODY_H_

#include "src/bodies/body_locks.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// Calls f(const body&) under the body's lock for reading. Returns false, without calling f, if the
// body is gone. Bodies: has Has(Id) and operator[](slot). Id: a BodyId, or a ProxyId from a tree.
template <class Locks, class Bodies, class Id, class F>
bool ReadBody(Locks& locks, const Bodies& bodies, Id id, WaitTime& wait, F&& f) {
  const BodyReadScopeOf<Locks> lock(locks, id, wait);
  if (!bodies.Has(id)) return false;
  f(bodies[id.slot()]);
  return true;
}

// Calls f(body&) under the body's lock for writing. Returns false, without calling f, if the body
// is gone. f may take the body out of `bodies`.
template <class Locks, class Bodies, class Id, class F>
bool ChangeBody(Locks& locks, Bodies&& bodies, Id id, WaitTime& wait, F&& f) {
  const BodyWriteScopeOf<Locks> lock(locks, id, wait);
  if (!bodies.Has(id)) return false;
  f(bodies[id.slot()]);
  return true;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_GUARDED_BODY_H_
