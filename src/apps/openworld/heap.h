// HeapBytes: what the process has allocated, for the memory of each system.
//
//   const std::size_t before = HeapBytes();
//   auto world = World::Create(def);
//   memory.world = HeapGrowth(before);
//
// Thread safety: any thread. The memory that other threads take meanwhile counts as well:
// systems are made before there are frames.
// Source: mallinfo2 of the GNU C library. Under a sanitizer, which has another allocator, all is 0.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_HEAP_H_
#define NOWAIT_SRC_APPS_OPENWORLD_HEAP_H_

#include <malloc.h>

#include <cstddef>

namespace nowait {

// In use, of the heap and of blocks that have pages of their own.
inline std::size_t HeapBytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}
inline std::size_t HeapGrowth(std::size_t before) {
  const std::size_t now = HeapBytes();
  return now > before ? now - before : 0;
}

// Bytes that each system took when it was made. Grounds, hulls and cells come and go on top.
struct MemoryOfSystems {
  std::size_t world = 0;
  std::size_t streaming = 0;
  std::size_t navigation = 0;
  std::size_t scripts = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_HEAP_H_
