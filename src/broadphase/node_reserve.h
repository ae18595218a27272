// NodeReserve: nodes that are kept for rebuilds.
//
//   reserve.Refill();                    // before the rebuilds, and after their old nodes are free
//   const Result<std::uint32_t> index = reserve.Take();
//
// A rebuild needs nodes before it frees any. Inserts and batches of one frame may take the last
// node of the storage; without a reserve, no later rebuild would give one back. So a rebuild takes
// nodes of the storage while there are some, and then these.
//
// Thread safety: one thread at a time, the one that rebuilds. Errors: those of TreeStorage.
// Test: tests/broadphase/node_reserve_test.cc.
#ifndef NOWAIT_SRC_BROADPHASE_NODE_RESERVE_H_
#define NOWAIT_SRC_BROADPHASE_NODE_RESERVE_H_

#include <cstdint>
#include <vector>

#include "src/base/result.h"

namespace nowait {

template <class Storage>
class NodeReserve {
 public:
  // size: the nodes that it has after a Refill, if the storage has as many. It begins without any.
  NodeReserve(Storage& storage, std::uint32_t size) : storage_(storage), size_(size) {
    nodes_.reserve(size);
  }

  void Refill() {
    while (nodes_.size() < size_) {
      const Result<std::uint32_t> index = storage_.TakeNode();
      if (!index) return;
      nodes_.push_back(*index);
    }
  }

  // An empty node, which the caller then owns, as TreeStorage::TakeNode has it.
  Result<std::uint32_t> Take() {
    Result<std::uint32_t> index = storage_.TakeNode();
    if (index || nodes_.empty()) return index;
    index = nodes_.back();
    nodes_.pop_back();
    return index;
  }

 private:
  Storage& storage_;
  const std::uint32_t size_;
  std::vector<std::uint32_t> nodes_;  // empty ones
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_NODE_RESERVE_H_
