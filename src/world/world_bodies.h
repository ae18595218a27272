// WorldBodies: one answer to whether a body is part of a world, from its storage and its tree.
//
// A single body is installed in the storage under its lock, together with its place in the tree.
// The bodies of a batch are prepared in their slots, their subtree is built where no other thread
// sees it, and then one exchange links the subtree into the tree. With that exchange all of them
// become part of the world: queries find them, and their ids may be used to move or remove them.
// Nothing is done for each body; the next physics update settles them (Settle in body_storage.h),
// so that its scans see them.
//
// Thread safety: Has by a thread that holds the body's lock, or while no thread may change bodies.
// Progress: wait-free; O(1) for an installed body, O(depth of the tree) for a prepared one.
// Promise: linearizable per body; proof behind the class. A batch has a subtree for each layer:
// layers become visible one after the other.
//
// Source: [rouwe2022], "Quad tree - adding bodies". Model: models/world/finalise_batch.
// Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_WORLD_WORLD_BODIES_H_
#define NOWAIT_SRC_WORLD_WORLD_BODIES_H_

#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/bodies/proxy_id.h"

namespace nowait {

inline ProxyId ProxyOf(BodyId id) { return id.proxy(); }
inline ProxyId ProxyOf(ProxyId id) { return id; }

// Storage: as BodyStorage. Tree: has Has(ProxyId), as BroadPhase. ReadBody and ChangeBody
// (src/bodies/guarded_body.h) call it.
template <class Storage, class Tree>
class WorldBodiesOf {
 public:
  WorldBodiesOf(Storage& storage, const Tree& tree) : storage_(storage), tree_(tree) {}

  // Whether the body is part of the world. Id: BodyId or ProxyId.
  template <class Id>
  bool Has(Id id) const {
    return storage_.Has(id) || (storage_.IsPrepared(id) && tree_.Has(ProxyOf(id)));
  }
  decltype(auto) operator[](std::uint32_t slot) const { return storage_[slot]; }

 private:
  Storage& storage_;
  const Tree& tree_;
};

// Implementation: why this is right
//
// Linearization point of a batch's bodies: the exchange of a root or of a slot of a root that links
// their subtree (src/broadphase/insert.h).
//
// Invariants
//   1. A prepared body is written to its slot, under its lock, before its subtree is linked.
//   2. From the moment that Has says yes for a body it may be moved and removed: every climb from
//      its leaf reaches the root.
//   3. A batch that is given back withdraws its bodies under their locks before its subtree is
//      freed. So a climb that began in the subtree has ended.
//
// Memory order: the acquires of the climb (ParentOf in src/broadphase/move.h) pair with the release
// of that exchange; there is no other flag.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_BODIES_H_
