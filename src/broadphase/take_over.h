// Taking over: a body goes from one tree of a storage to another.
//
// Thread safety: by the thread that holds the body for writing; different bodies at once.
// Progress: that of an insert; then wait-free.
//
// Promise: linearizable in each of the two trees. A query of both sees the body once with the help
// of a count of such changes (src/world/layer_changes.h).
//
// Source: [rouwe2022], "Quad tree - adding bodies" and "- removing bodies". Model:
// models/world/layer_changes.
#ifndef NOWAIT_SRC_BROADPHASE_TAKE_OVER_H_
#define NOWAIT_SRC_BROADPHASE_TAKE_OVER_H_

#include <atomic>
#include <cstdint>

#include "src/broadphase/remove.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// Takes the body, whose leaf names its new slot already, out of the slot `there` of its old tree.
template <class Sync, int Axes, int Fanout>
void RemoveFromOldTree(TreeStorage<Sync, Axes, Fanout>& storage, ProxyId body,
                       std::uint32_t there) {
  const std::uint32_t here = LocationOf(storage, body);
  auto& leaf = storage.leaf(body);
  // The removal is of the slot that the leaf names. relaxed: the location is this thread's.
  leaf.location.store(there, std::memory_order::relaxed);
  RemoveLeaf(storage, body);
  // release: as in PublishLocation: a thread that finds the location sees the slot as the insert
  // left it.
  leaf.location.store(here, std::memory_order::release);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TAKE_OVER_H_
