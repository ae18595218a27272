// Allocation: the choice of a freed block for an allocation, as a part of the graph.
//
// ABA needs it: a pointer is compared with one to a new object in an old place, and they are equal.
// Therefore the block that a thread gets is tried like the write that a load reads. The freeing of
// a block is an event that writes (Effect::kFree), and an allocation one that reads
// (Effect::kAllocate): from a freeing, of any thread, whose block it takes, or from no freeing, and
// then the block is new.
//
// [new.delete.dataraces]: the calls that allocate or free a unit of storage have one order, and a
// freeing happens before the next allocation there. So a freeing releases and an allocation
// acquires, and of two allocations no more than one takes the block of a freeing. Nothing else is
// demanded: blocks have no modification order, and an allocator need not return the block that was
// freed last. The links between a location's writes are here the order in which they were added,
// and nothing depends on it.
//
// A new block is the first choice. It is always there and so the maximal one (revisit.cc). Blocks
// that set-up has freed are not used again.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_

#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// The location that stands for all blocks of this size and alignment; kNoLocation for those that
// are too large to be used again. Behind the names of objects (ExhaustiveMachine::NewShared).
inline std::optional<ObjectName> NameOfBlocks(std::size_t size, std::size_t alignment) {
  constexpr unsigned kSizeBits = 24;
  if (size >> kSizeBits != 0) return std::nullopt;
  constexpr auto first = static_cast<unsigned>(kMaxThreads + 1);
  static_assert(first + std::numeric_limits<std::size_t>::digits <= 1u << 8,
                "a thread that makes objects, or an alignment, is the upper eight bits of a name");
  return (first + static_cast<unsigned>(std::countr_zero(alignment))) << kSizeBits |
         static_cast<unsigned>(size);
}

// Whether an allocation has the block that was freed there.
inline bool IsTaken(const Graph& graph, Slot freed) {
  for (Slot slot = graph.location(graph[freed].location).last_read; slot != kNoSlot;
       slot = graph[slot].earlier_read) {
    if (graph[slot].source == freed) return true;
  }
  return false;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_ALLOCATION_H_
