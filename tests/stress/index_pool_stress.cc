// Threads take and return indices: one owner each, and what an owner left is seen by the next.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "src/sync/index_pool.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;

TEST_CASE("an index has one owner, and the pool is never empty with enough for everybody") {
  // As many as there are owners, so that each return is contended; then plenty.
  const std::uint32_t capacity = GENERATE(4u, 64u);
  IndexPool<> pool(capacity);
  std::vector<std::uint64_t> owners(capacity, 0);  // plain: ownership must order the accesses
  std::atomic<std::uint32_t> empty{0}, shared{0};
  Together(kThreads, [&](std::uint32_t) {
    for (int round = 0; round < 8000; ++round) {
      const std::uint32_t index = pool.Take();
      if (index == IndexPool<>::kNone) {
        empty.fetch_add(1, std::memory_order::relaxed);
        continue;
      }
      if (++owners[index] % 2 != 1) shared.fetch_add(1, std::memory_order::relaxed);
      ++owners[index];
      pool.Return(index);
    }
  });
  REQUIRE(empty == 0);
  REQUIRE(shared == 0);
  std::set<std::uint32_t> all;
  for (std::uint32_t i = 0; i < capacity; ++i) all.insert(pool.Take());
  REQUIRE(all.size() == capacity);
  REQUIRE(*all.rbegin() == capacity - 1);
  REQUIRE(pool.Take() == IndexPool<>::kNone);
}

TEST_CASE("with too few for everybody an index still has one owner") {
  IndexPool<> pool(2);
  std::vector<std::uint64_t> owners(2, 0);
  std::atomic<std::uint32_t> shared{0}, taken{0};
  Together(kThreads, [&](std::uint32_t) {
    for (int round = 0; round < 8000; ++round) {
      const std::uint32_t index = pool.Take();
      if (index == IndexPool<>::kNone) continue;
      taken.fetch_add(1, std::memory_order::relaxed);
      if (++owners[index] % 2 != 1) shared.fetch_add(1, std::memory_order::relaxed);
      ++owners[index];
      pool.Return(index);
    }
  });
  REQUIRE(shared == 0);
  REQUIRE(taken > 0);
  REQUIRE(owners[0] + owners[1] == 2 * std::uint64_t{taken});
}

}  // namespace
}  // namespace nowait
