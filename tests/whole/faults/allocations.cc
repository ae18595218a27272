#include "tests/whole/faults/allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace nowait::whole {
namespace {

// relaxed: numbers; what they count orders nothing.
constinit std::atomic<std::int64_t> live{0};
constinit std::atomic<std::uint64_t> until_fault{0};  // 0: none is set, or it has struck
constinit std::atomic<bool> struck{false};

bool Strikes() {
  std::uint64_t left = until_fault.load(std::memory_order::relaxed);
  while (left != 0) {
    if (!until_fault.compare_exchange_weak(left, left - 1, std::memory_order::relaxed)) continue;
    if (left != 1) return false;
    struck.store(true, std::memory_order::relaxed);
    return true;
  }
  return false;
}

void* Allocate(std::size_t size, std::size_t alignment) {
  if (Strikes()) return nullptr;
  if (size == 0) size = 1;
  // aligned_alloc wants a multiple of the alignment.
  void* const memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory != nullptr) live.fetch_add(1, std::memory_order::relaxed);
  return memory;
}

void* AllocateOrThrow(std::size_t size, std::size_t alignment) {
  if (void* const memory = Allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

void Free(void* memory) {
  if (memory == nullptr) return;
  live.fetch_sub(1, std::memory_order::relaxed);
  std::free(memory);
}

}  // namespace

std::int64_t LiveAllocations() { return live.load(std::memory_order::relaxed); }

AllocationFault::AllocationFault(std::uint64_t n) {
  struck.store(false, std::memory_order::relaxed);
  until_fault.store(n, std::memory_order::relaxed);
}

AllocationFault::~AllocationFault() { until_fault.store(0, std::memory_order::relaxed); }

bool AllocationFault::has_struck() const { return struck.load(std::memory_order::relaxed); }

}  // namespace nowait::whole

using nowait::whole::Allocate;
using nowait::whole::AllocateOrThrow;
using nowait::whole::Free;

void* operator new(std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new[](std::size_t size) { return AllocateOrThrow(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
