// Linked into a program, this replaces operator new: each block begins on a cache line of its own.
// Which atomics share a line depends on the types alone then, not on what was allocated before.
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

#include "tests/whole/cores/cache_lines.h"

void* operator new(std::size_t size) {
  constexpr std::size_t kLine = nowait::whole::CacheLines::kBytes;
  const bool fits = size < std::numeric_limits<std::size_t>::max() - kLine;
  void* const memory = fits ? std::aligned_alloc(kLine, size / kLine * kLine + kLine) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
