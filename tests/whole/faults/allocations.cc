#include "tests/whole/faults/allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/whole/faults/countdown.h"

namespace nowait::whole {
namespace {

// relaxed: a number; what it counts orders nothing.
constinit std::atomic<std::int64_t> live{0};
constinit Countdown fault;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (fault.Strikes()) return nullptr;
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

AllocationFault::AllocationFault(std::uint64_t n) { fault.Set(n); }

AllocationFault::~AllocationFault() { fault.Clear(); }

bool AllocationFault::has_struck() const { return fault.has_struck(); }

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
