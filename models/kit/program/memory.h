// Memory: a scenario's allocations through its policy (New, NewArray), watched.
//
// Freed blocks are kept until the execution is over, filled with a pattern: an object of the kit
// that is used after its end is always recognised (models/kit/program/handle.h). Whether a new
// block is an old one of the same size again is a choice of the search: algorithms that compare
// addresses meet both. Which thread's block it may be is decided by the back end
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
  // Takes over the knowledge of `other`, of blocks that all lie in regions.
  void Become(const Memory& other) { blocks_ = other.blocks_; }

  // A freed block of this size whose end happens before `now` by the program's own synchronisation,
  // or null. The choice among several does not depend on the order in which threads ran. For a back
  // end that adds no order between the end of a block and its next allocation: an order between
  // threads that ran in this order by chance would hide races from a search.
  void* FindFreed(std::size_t size, std::size_t alignment, const VectorClock& now) const;
  // block: a freed one.
  void AllocateAgain(void* block);
  // A new one, in the region, or by malloc without one.
  void* Allocate(std::size_t size, std::size_t alignment, const VectorClock& now, Region* region);

  bool IsAllocated(const void* address) const;
  struct Shape {
    std::size_t size;
    std::size_t alignment;
  };
  // block: an allocated one, or one that was.
  Shape ShapeOf(const void* block) const { return Find(block)->shape; }
  // address: an allocated block's.
  void Free(void* address, const VectorClock& now);

  // The number of a block, from 1 up; 0 when the address is no block's.
  std::uint32_t NumberOf(const void* address) const;
  // The same for an address that lies in it.
  std::uint32_t NumberAround(const void* address) const;
  std::uint32_t LiveBlocks() const;

 private:
  struct Block {
    void* address;
    Shape shape;
    int maker;  // the thread that allocated it first
    bool live;
    VectorClock freed;  // unless live
  };

  const Block* Find(const void* address) const;

  std::vector<Block> blocks_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_MEMORY_H_
