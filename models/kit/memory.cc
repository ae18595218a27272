#include "models/kit/memory.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace nowait::model {

void Memory::Clear() {
  for (const Block& block : blocks_) {
    ::operator delete (block.address, std::align_val_t{block.alignment});
  }
  blocks_.clear();
}

bool Memory::CanReuse(std::size_t size, std::size_t alignment) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return !block.live && block.size == size && block.alignment == alignment;
  });
}

void* Memory::Allocate(std::size_t size, std::size_t alignment, bool reuse) {
  if (reuse) {
    // The block freed last would need a list; the highest one is as good for our purpose.
    const auto block = std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const Block& candidate) {
      return !candidate.live && candidate.size == size && candidate.alignment == alignment;
    });
    if (block != blocks_.rend()) {
      block->live = true;
      return block->address;
    }
  }
  void* address = ::operator new (size, std::align_val_t{alignment});
  blocks_.push_back({address, size, alignment, true});
  return address;
}

bool Memory::IsAllocated(const void* address) const {
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& block) { return block.live && block.address == address; });
}

void Memory::Free(void* address) {
  constexpr int kFreedPattern = 0xdd;
  for (Block& block : blocks_) {
    if (block.address != address) continue;
    block.live = false;
    std::memset(address, kFreedPattern, block.size);
  }
}

std::uint32_t Memory::NumberOf(const void* address) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].address == address) return static_cast<std::uint32_t>(i + 1);
  }
  return 0;
}

std::uint32_t Memory::LiveBlocks() const {
  return static_cast<std::uint32_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.live; }));
}

}  // namespace nowait::model
