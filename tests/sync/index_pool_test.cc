#include "src/sync/index_pool.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace nowait {
namespace {

TEST_CASE("fresh indices ascend until the pool is empty") {
  IndexPool<> pool(3);
  REQUIRE(pool.capacity() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) REQUIRE(pool.Take() == i);
  REQUIRE(pool.Take() == IndexPool<>::kNone);
  REQUIRE(pool.Take() == IndexPool<>::kNone);
}

TEST_CASE("a pool of nothing has nothing") {
  IndexPool<> pool(0);
  REQUIRE(pool.Take() == IndexPool<>::kNone);
}

TEST_CASE("a returned index goes before a fresh one, and of two the last to come back") {
  IndexPool<> pool(4);
  for (std::uint32_t i = 0; i < 3; ++i) REQUIRE(pool.Take() == i);
  pool.Return(1);
  pool.Return(0);
  CHECK(pool.Take() == 0);
  CHECK(pool.Take() == 1);
  CHECK(pool.Take() == 3);
  CHECK(pool.Take() == IndexPool<>::kNone);
  pool.Return(2);  // an empty pool has room again
  CHECK(pool.Take() == 2);
  CHECK(pool.Take() == IndexPool<>::kNone);
}

TEST_CASE("any order of taking and returning is that of a stack above a counter") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::uint32_t kCapacity = 17;
  IndexPool<> pool(kCapacity);
  std::vector<std::uint32_t> owned, returned;
  std::uint32_t fresh = 0;
  for (int step = 0; step < 1000; ++step) {
    if (random() % 2 == 0) {
      std::uint32_t expected = IndexPool<>::kNone;
      if (!returned.empty()) {
        expected = returned.back();
        returned.pop_back();
      } else if (fresh < kCapacity) {
        expected = fresh++;
      }
      REQUIRE(pool.Take() == expected);
      if (expected != IndexPool<>::kNone) owned.push_back(expected);
    } else if (!owned.empty()) {
      std::swap(owned[random() % owned.size()], owned.back());
      pool.Return(owned.back());
      returned.push_back(owned.back());
      owned.pop_back();
    }
  }
}

}  // namespace
}  // namespace nowait
