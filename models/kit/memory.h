// Memory: what a scenario allocates through its policy (New, NewArray), watched.
//
// Freed blocks stay with us until the execution is over, filled with a pattern, so that an object
// of the kit that is used after its end is always recognised (models/kit/handle.h). Whether a new
// block is an old one of the same size again is a choice of the search: algorithms that compare
// addresses meet both.
#ifndef NOWAIT_MODELS_KIT_MEMORY_H_
#define NOWAIT_MODELS_KIT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait::model {

class Memory {
 public:
  Memory() = default;
  ~Memory() { Clear(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Forgets everything, at the start of an execution.
  void Clear();

  // Whether an allocation of this size could be served by a freed block.
  bool CanReuse(std::size_t size, std::size_t alignment) const;
  void* Allocate(std::size_t size, std::size_t alignment, bool reuse);

  bool IsAllocated(const void* address) const;
  // address: an allocated block's.
  void Free(void* address);

  // The number of a block, from 1 up; 0 when it is none.
  std::uint32_t NumberOf(const void* address) const;
  std::uint32_t LiveBlocks() const;

 private:
  struct Block {
    void* address;
    std::size_t size;
    std::size_t alignment;
    bool live;
  };

  std::vector<Block> blocks_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MEMORY_H_
