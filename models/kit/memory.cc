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

// Of those that a thread made, the first; of several threads, the lowest one's.
const Memory::Block* Memory::FindFreed(std::size_t size, std::size_t alignment,
                                       const Moment& now) const {
  const Block* found = nullptr;
  for (const Block& block : blocks_) {
    if (block.live || block.size != size || block.alignment != alignment) continue;
    if (reuse_ == Reuse::kFreeingThread && block.freed.thread != now.thread) continue;
    if (!block.freed.HappensBefore(now)) continue;
    if (found == nullptr || block.maker < found->maker) found = &block;
  }
  return found;
}

bool Memory::CanReuse(std::size_t size, std::size_t alignment, const Moment& now) const {
  return FindFreed(size, alignment, now) != nullptr;
}

void* Memory::AllocateAgain(std::size_t size, std::size_t alignment, const Moment& now) {
  Block& block = blocks_[static_cast<std::size_t>(FindFreed(size, alignment, now) - &blocks_[0])];
  block.live = true;
  return block.address;
}

void* Memory::Allocate(std::size_t size, std::size_t alignment, const Moment& now, Region* region) {
  void* const address = region != nullptr ? region->Allocate(size, alignment)
                                          : ::operator new (size, std::align_val_t{alignment});
  blocks_.push_back({address, size, alignment, now.thread, true, {}});
  return address;
}

bool Memory::IsAllocated(const void* address) const {
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& block) { return block.live && block.address == address; });
}

void Memory::Free(void* address, const Moment& now) {
  constexpr int kFreedPattern = 0xdd;
  for (Block& block : blocks_) {
    if (block.address != address) continue;
    block.live = false;
    block.freed = now;
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
