#include "tests/whole/faults/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/whole/faults/countdown.h"

namespace nowait::whole {
namespace {

// relaxed: numbers; what they count orders nothing.
constinit std::atomic<std::int64_t> live{0};
constinit std::atomic<std::int64_t> live_bytes{0};

// Either one more block or one less.
void Count(void* memory, std::int64_t by) {
  live.fetch_add(by, std::memory_order::relaxed);
  live_bytes.fetch_add(by * static_cast<std::int64_t>(malloc_usable_size(memory)),
                       std::memory_order::relaxed);
}

constinit Countdown fault;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (fault.Strikes()) return nullptr;
  if (size == 0) size = 1;
  // aligned_alloc wants a multiple of the alignment.
  void* const memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory != nullptr) Count(memory, 1);
  return memory;
}

void* AllocateOrThrow(std::size_t size, std::size_t alignment) {
  if (void* const memory = Allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

void Free(void* memory) {
  if (memory == nullptr) return;
  Count(memory, -1);
  std::free(memory);
}

}  // namespace

std::int64_t LiveAllocations() { return live.load(std::memory_order::relaxed); }
std::int64_t LiveBytes() { return live_bytes.load(std::memory_order::relaxed); }

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
