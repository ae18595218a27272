// Threads take and return indices: one owner each, and what an owner left is seen by the next.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "src/sync/index_pool.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThreads = 4;

TEST_CASE("an index has one owner, and the pool is never empty with enough for everybody") {
  // As many as there are owners, so that each return is contended; then plenty.
  const std::uint32_t capacity = GENERATE(4u, 64u);
  IndexPool<> pool(capacity);
  std::vector<std::uint64_t> owners(capacity, 0);  // plain: ownership must order the accesses
  Findings wrong;
  Together(kThreads, [&](std::uint32_t) {
    for (int round = 0; round < 8000; ++round) {
      const std::uint32_t index = pool.Take();
      if (index == IndexPool<>::kNone) {
        wrong.Add("the pool is empty: round", round);
        continue;
      }
      if (++owners[index] % 2 != 1) wrong.Add("two owners: index, round", index, round);
      ++owners[index];
      pool.Return(index);
    }
  });
  REQUIRE(wrong.Words() == "");
  std::set<std::uint32_t> all;
  for (std::uint32_t i = 0; i < capacity; ++i) all.insert(pool.Take());
  REQUIRE(all.size() == capacity);
  REQUIRE(*all.rbegin() == capacity - 1);
  REQUIRE(pool.Take() == IndexPool<>::kNone);
}

TEST_CASE("with too few for everybody an index still has one owner") {
  IndexPool<> pool(2);
  std::vector<std::uint64_t> owners(2, 0);
  Findings wrong;
  std::atomic<std::uint32_t> taken{0};
  Together(kThreads, [&](std::uint32_t) {
    for (int round = 0; round < 8000; ++round) {
      const std::uint32_t index = pool.Take();
      if (index == IndexPool<>::kNone) continue;
      taken.fetch_add(1, std::memory_order::relaxed);
      if (++owners[index] % 2 != 1) wrong.Add("two owners: index, round", index, round);
      ++owners[index];
      pool.Return(index);
    }
  });
  REQUIRE(wrong.Words() == "");
  REQUIRE(taken > 0);
  REQUIRE(owners[0] + owners[1] == 2 * std::uint64_t{taken});
}

}  // namespace
}  // namespace nowait
