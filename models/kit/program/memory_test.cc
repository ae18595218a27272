// Which freed block an allocation may reuse.
#include "models/kit/program/memory.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>

#include "models/kit/process/arena.h"
#include "models/kit/program/vector_clock.h"

namespace nowait::model {
namespace {

constexpr std::size_t kSize = 24;
constexpr std::size_t kAlignment = 8;

// A moment of a thread that has made `steps` steps and knows of `known_of_first` steps of thread 0.
VectorClock At(int thread, std::uint32_t steps, std::uint32_t known_of_first = 0) {
  VectorClock moment;
  moment.thread = thread;
  moment.clock[0] = known_of_first;
  moment.clock[static_cast<std::size_t>(thread)] = steps;
  return moment;
}

TEST_CASE("a block is free for threads that know that it was freed") {
  Memory memory;
  void* block = memory.Allocate(kSize, kAlignment, At(0, 1), nullptr);
  CHECK(memory.FindFreed(kSize, kAlignment, At(0, 2)) == nullptr);
  memory.Free(block, At(0, 3));
  CHECK(memory.FindFreed(kSize, kAlignment, At(0, 4)) == block);
  CHECK(memory.FindFreed(kSize, kAlignment, At(1, 9)) == nullptr);
  CHECK(memory.FindFreed(kSize, kAlignment, At(1, 9, 2)) == nullptr);
  CHECK(memory.FindFreed(kSize, kAlignment, At(1, 9, 3)) == block);
  CHECK(memory.FindFreed(kSize + 8, kAlignment, At(0, 4)) == nullptr);
  CHECK(memory.FindFreed(kSize, 2 * kAlignment, At(0, 4)) == nullptr);
  CHECK_FALSE(memory.IsAllocated(block));
  memory.AllocateAgain(block);
  CHECK(memory.IsAllocated(block));
  CHECK(memory.ShapeOf(block).size == kSize);
  CHECK(memory.FindFreed(kSize, kAlignment, At(0, 5)) == nullptr);
  CHECK(memory.LiveBlocks() == 1);
}

TEST_CASE("which of several it is does not depend on the order of running") {
  for (const bool turned : {false, true}) {
    Memory memory;
    void* block[2];
    for (const int i : {0, 1}) {
      const int thread = turned ? 1 - i : i;
      block[thread] = memory.Allocate(kSize, kAlignment, At(thread, 1), nullptr);
    }
    const VectorClock end{0, {9, 9, 0, 0}};
    for (const int i : {0, 1}) memory.Free(block[i], At(i, 2));
    for (const int i : {0, 1}) {
      CHECK(memory.FindFreed(kSize, kAlignment, end) == block[i]);
      memory.AllocateAgain(block[i]);
    }
  }
}

TEST_CASE("blocks lie in the region that is given") {
  Arena arena(1);
  Memory memory;
  void* first = memory.Allocate(kSize, kAlignment, At(0, 1), &arena.region(0));
  CHECK(first == arena.region(0).begin());
  memory.Free(first, At(0, 2));
  memory.Clear();
  arena.Reset();
  CHECK(memory.Allocate(kSize, kAlignment, At(0, 1), &arena.region(0)) == first);
  CHECK(*static_cast<const unsigned char*>(first) == 0);
}

}  // namespace
}  // namespace nowait::model
