// Memory: the allocations that a scenario makes through its policy (New, NewArray), under watch.
//
// Freed blocks are kept until the execution ends and are filled with a pattern. The use of a kit
// object after its end is therefore always recognised (models/kit/program/handle.h). Whether a new
// block reuses an old one of the same size is a choice of the search, so algorithms that compare
// addresses meet both cases. The back end decides whose blocks a thread may reuse
// (Machine::TakeFreedBlock).
#ifndef NOWAIT_MODELS_KIT_PROGRAM_MEMORY_H_
#define NOWAIT_MODELS_KIT_PROGRAM_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kit/process/arena.h"
#include "models/kit/program/vector_clock.h"

namespace nowait::model {

class Memory {
 public:
  Memory() = default;
  ~Memory() { Clear(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Forgets everything, at the start of an execution.
  void Clear();
  // Takes over the records of `other`, whose blocks all lie in regions.
  void Become(const Memory& other) { blocks_ = other.blocks_; }

  // Returns a freed block of this size whose end happens before `now` by the program's own
  // synchronisation, or null. The choice among several does not depend on the order in which
  // threads ran. For a back end that adds no order between the end of a block and its next
  // allocation: an order between threads that ran in this order by chance would hide races.
  void* FindFreed(std::size_t size, std::size_t alignment, const VectorClock& now) const;
  // block: a freed block.
  void AllocateAgain(void* block);
  // Allocates a new block in the region, or with malloc if there is no region.
  void* Allocate(std::size_t size, std::size_t alignment, const VectorClock& now, Region* region);

  bool IsAllocated(const void* address) const;
  struct Shape {
    std::size_t size;
    std::size_t alignment;
  };
  // block: a block that is or was allocated.
  Shape ShapeOf(const void* block) const { return Find(block)->shape; }
  // address: the address of an allocated block.
  void Free(void* address, const VectorClock& now);

  // The number of a block, from 1 up; 0 if no block begins at the address.
  std::uint32_t NumberOf(const void* address) const;
  // The same for an address anywhere inside the block.
  std::uint32_t NumberAround(const void* address) const;
  std::uint32_t LiveBlocks() const;

 private:
  struct Block {
    void* address;
    Shape shape;
    int maker;  // the thread that first allocated it
    bool live;
    VectorClock freed;  // valid unless the block is live
  };

  const Block* Find(const void* address) const;

  std::vector<Block> blocks_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_MEMORY_H_
