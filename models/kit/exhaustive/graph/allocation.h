// Allocation: the choice of a freed block for an allocation, as a part of the graph.
//
// ABA needs this choice: a pointer is compared with one to a new object in an old place, and the
// two are equal. The block that a thread gets is therefore tried out, like the write that a load
// reads. The freeing of a block is an event that writes (Effect::kFree). An allocation is an event
// that reads (Effect::kAllocate): either from a freeing by any thread, whose block it takes, or
// from no freeing, in which case the block is new.
//
// [new.delete.dataraces]: the calls that allocate or free a unit of storage have a total order, and
// a freeing happens before the next allocation there. A freeing therefore releases, an allocation
// acquires, and at most one allocation takes the block of a freeing. Nothing else is required:
// blocks have no modification order, and an allocator need not return the block that was freed
// last. The links between a location's writes hold the order in which they were added here, and
// nothing depends on it.
//
// A new block is the first choice. It is always available and is therefore the maximal choice
// (revisit.cc). Blocks that set-up has freed are not used again.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_

#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// The location that stands for all blocks of this size and alignment; kNoLocation for blocks too
// large to be reused. These names come after those of objects (ExhaustiveMachine::NewShared).
inline std::optional<ObjectName> NameOfBlocks(std::size_t size, std::size_t alignment) {
  constexpr unsigned kSizeBits = 24;
  if (size >> kSizeBits != 0) return std::nullopt;
  constexpr auto first = static_cast<unsigned>(kMaxThreads + 1);
  static_assert(first + std::numeric_limits<std::size_t>::digits <= 1u << 8,
                "a thread that makes objects, or an alignment, is the upper eight bits of a name");
  return (first + static_cast<unsigned>(std::countr_zero(alignment))) << kSizeBits |
         static_cast<unsigned>(size);
}

// Whether an allocation has taken the block that was freed there.
inline bool IsTaken(const Graph& graph, Slot freed) {
  for (Slot slot = graph.location(graph[freed].location).last_read; slot != kNoSlot;
       slot = graph[slot].earlier_read) {
    if (graph[slot].source == freed) return true;
  }
  return false;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_
