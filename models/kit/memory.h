// Memory: what a scenario allocates through its policy (New, NewArray), watched.
//
// Freed blocks stay with us until the execution is over, filled with a pattern, so that an object
// of the kit that is used after its end is always recognised (models/kit/handle.h). Whether a new
// block is an old one of the same size again is a choice of the search: algorithms that compare
// addresses meet both.
//
// An allocator's block is free before it is allocated again, in the sense of happens-before
// ([new.delete.dataraces]), and an allocator may synchronise for that. We add no such order between
// threads, which would hide races from a search: a block is used again only by what its end happens
// before anyway.
#ifndef NOWAIT_MODELS_KIT_MEMORY_H_
#define NOWAIT_MODELS_KIT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kit/arena.h"
#include "models/kit/moment.h"

namespace nowait::model {

// Who may use a block again.
enum class Reuse : std::uint8_t {
  kAnyThread,
  // The thread that freed it. Others could compete for it, and who gets it would depend on who runs
  // first: for a back end to which that means nothing.
  kFreeingThread,
};

class Memory {
 public:
  explicit Memory(Reuse reuse = Reuse::kAnyThread) : reuse_(reuse) {}
  ~Memory() { Clear(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Forgets everything, at the start of an execution.
  void Clear();
  // Knows from now on what `other` knows, of blocks that all lie in regions.
  void Become(const Memory& other) { blocks_ = other.blocks_; }

  // Whether an allocation of this size could be served by a freed block. now: of the allocation.
  bool CanReuse(std::size_t size, std::size_t alignment, const Moment& now) const;
  // That block. Which one of several does not depend on the order in which threads ran.
  void* AllocateAgain(std::size_t size, std::size_t alignment, const Moment& now);
  // A new one, in the region, or by malloc without one.
  void* Allocate(std::size_t size, std::size_t alignment, const Moment& now, Region* region);

  bool IsAllocated(const void* address) const;
  // address: an allocated block's.
  void Free(void* address, const Moment& now);

  // The number of a block, from 1 up; 0 when it is none.
  std::uint32_t NumberOf(const void* address) const;
  std::uint32_t LiveBlocks() const;

 private:
  struct Block {
    void* address;
    std::size_t size;
    std::size_t alignment;
    int maker;  // the thread that allocated it first
    bool live;
    Moment freed;  // unless live
  };

  const Block* FindFreed(std::size_t size, std::size_t alignment, const Moment& now) const;

  Reuse reuse_;
  std::vector<Block> blocks_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MEMORY_H_
