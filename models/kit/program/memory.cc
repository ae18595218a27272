#include "models/kit/program/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace nowait::model {

void Memory::Clear() {
  for (const Block& block : blocks_) {
    ::operator delete (block.address, std::align_val_t{block.shape.alignment});
  }
  blocks_.clear();
}

// Returns the block at this address, or null.
const Memory::Block* Memory::Find(const void* address) const {
  const auto found = std::ranges::find(blocks_, address, &Block::address);
  return found == blocks_.end() ? nullptr : &*found;
}

// Returns the first fitting block of the lowest-numbered thread that made one.
void* Memory::FindFreed(std::size_t size, std::size_t alignment, const VectorClock& now) const {
  const Block* found = nullptr;
  for (const Block& block : blocks_) {
    const bool fits = block.shape.size == size && block.shape.alignment == alignment;
    if (block.live || !fits || !block.freed.HappensBefore(now)) continue;
    if (found == nullptr || block.maker < found->maker) found = &block;
  }
  return found != nullptr ? found->address : nullptr;
}

void Memory::AllocateAgain(void* block) { const_cast<Block*>(Find(block))->live = true; }

void* Memory::Allocate(std::size_t size, std::size_t alignment, const VectorClock& now,
                       Region* region) {
  void* const address = region != nullptr ? region->Allocate(size, alignment)
                                          : ::operator new (size, std::align_val_t{alignment});
  blocks_.push_back({address, {size, alignment}, now.thread, true, {}});
  return address;
}

bool Memory::IsAllocated(const void* address) const {
  const Block* const block = Find(address);
  return block != nullptr && block->live;
}

void Memory::Free(void* address, const VectorClock& now) {
  constexpr int kFreedPattern = 0xdd;
  Block& block = *const_cast<Block*>(Find(address));
  block.live = false;
  block.freed = now;
  std::memset(address, kFreedPattern, block.shape.size);
}

std::uint32_t Memory::NumberOf(const void* address) const {
  const Block* const block = Find(address);
  return block == nullptr ? 0 : static_cast<std::uint32_t>(block - blocks_.data() + 1);
}

std::uint32_t Memory::NumberAround(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto found = std::ranges::find_if(blocks_, [&](const Block& block) {
    const auto begin = reinterpret_cast<std::uintptr_t>(block.address);
    return begin <= at && at - begin < block.shape.size;
  });
  return found == blocks_.end() ? 0 : NumberOf(found->address);
}

std::uint32_t Memory::LiveBlocks() const {
  return static_cast<std::uint32_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.live; }));
}

}  // namespace nowait::model
