#include "src/sync/spsc_ring.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

namespace nowait {
namespace {

TEST_CASE("the capacity is rounded up to a power of two") {
  REQUIRE(SpscRing<int>(0).capacity() == 1);
  REQUIRE(SpscRing<int>(1).capacity() == 1);
  REQUIRE(SpscRing<int>(2).capacity() == 2);
  REQUIRE(SpscRing<int>(3).capacity() == 4);
  REQUIRE(SpscRing<int>(1000).capacity() == 1024);
}

TEST_CASE("a full ring refuses and keeps what it has, an empty one has nothing") {
  SpscRing<int> ring(2);
  int element = 7;
  REQUIRE_FALSE(ring.TryPop(&element));
  REQUIRE(element == 7);
  REQUIRE(ring.TryPush(1));
  REQUIRE(ring.TryPush(2));
  REQUIRE_FALSE(ring.TryPush(3));
  for (const int expected : {1, 2}) {
    REQUIRE(ring.TryPop(&element));
    REQUIRE(element == expected);
  }
  REQUIRE_FALSE(ring.TryPop(&element));
}

TEST_CASE(
    "a hint is exact for one thread: empty, full and in between, also after the first round") {
  SpscRing<int> ring(4);
  int element = 0;
  for (int round = 0; round < 3; ++round) {
    CHECK(ring.SizeHint() == 0);
    for (std::size_t n = 1; n <= 4; ++n) {
      REQUIRE(ring.TryPush(0));
      CHECK(ring.SizeHint() == n);
    }
    CHECK_FALSE(ring.TryPush(0));
    CHECK(ring.SizeHint() == 4);
    while (ring.TryPop(&element)) {
    }
  }
}

TEST_CASE("any order of pushes and pops is that of a bounded queue") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  const std::size_t capacity = GENERATE(1u, 2u, 16u);
  CAPTURE(seed, capacity);
  std::mt19937 random(seed);
  using Element = std::array<std::uint32_t, 5>;  // more than a processor moves at once
  SpscRing<Element> ring(capacity);
  std::deque<Element> oracle;
  for (std::uint32_t step = 0; step < 1000; ++step) {
    REQUIRE(ring.SizeHint() == oracle.size());
    if (random() % 2 == 0) {
      const Element element{step, step + 1, step + 2, step + 3, step + 4};
      REQUIRE(ring.TryPush(element) == (oracle.size() < capacity));
      if (oracle.size() < capacity) oracle.push_back(element);
    } else {
      Element element{};
      REQUIRE(ring.TryPop(&element) == !oracle.empty());
      if (!oracle.empty()) {
        REQUIRE(element == oracle.front());
        oracle.pop_front();
      }
    }
  }
}

}  // namespace
}  // namespace nowait
