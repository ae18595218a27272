// Linked into a test, this replaces operator new: RunOptions::faults.failed_allocation names one
// that the program under control makes, and that one throws std::bad_alloc.
#include <cstdlib>
#include <new>

#include "tests/whole/scheduler/machine.h"

namespace {

void* Allocate(std::size_t size, std::size_t alignment) {
  if (nowait::whole::machine != nullptr && nowait::whole::machine->AllocationFails()) {
    throw std::bad_alloc();
  }
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* const memory = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                           ? std::malloc(size == 0 ? 1 : size)
                           : std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
