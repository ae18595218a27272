#include "src/jobs/bounded_queue.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

namespace nowait {
namespace {

TEST_CASE("the capacity is rounded up to a power of two") {
  REQUIRE(BoundedQueue<int>(0).capacity() == 1);
  REQUIRE(BoundedQueue<int>(1).capacity() == 1);
  REQUIRE(BoundedQueue<int>(2).capacity() == 2);
  REQUIRE(BoundedQueue<int>(5).capacity() == 8);
}

TEST_CASE("a full queue refuses and keeps what it has, an empty one has nothing") {
  BoundedQueue<int> queue(2);
  int element = 7;
  REQUIRE_FALSE(queue.TryPop(&element));
  REQUIRE(element == 7);
  REQUIRE(queue.TryPush(1));
  REQUIRE(queue.TryPush(2));
  REQUIRE_FALSE(queue.TryPush(3));
  for (const int expected : {1, 2}) {
    REQUIRE(queue.TryPop(&element));
    REQUIRE(element == expected);
  }
  REQUIRE_FALSE(queue.TryPop(&element));
}

TEST_CASE("for one thread any order of calls is that of a strict bounded queue") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  const std::size_t capacity = GENERATE(1u, 2u, 16u);
  CAPTURE(seed, capacity);
  std::mt19937 random(seed);
  using Element = std::array<std::uint32_t, 5>;  // more than a processor moves at once
  BoundedQueue<Element> queue(capacity);
  std::deque<Element> oracle;
  for (std::uint32_t step = 0; step < 1000; ++step) {
    const std::uint32_t call = random() % 5;
    if (call == 0) {
      const Element element{step, step + 1, step + 2, step + 3, step + 4};
      Element oldest{};
      REQUIRE(queue.TryReplaceOldest(element, &oldest) == (oracle.size() == capacity));
      if (oracle.size() == capacity) {
        REQUIRE(oldest == oracle.front());
        oracle.pop_front();
        oracle.push_back(element);
      }
    } else if (call < 3) {
      const Element element{step, step + 1, step + 2, step + 3, step + 4};
      REQUIRE(queue.TryPush(element) == (oracle.size() < capacity));
      if (oracle.size() < capacity) oracle.push_back(element);
    } else {
      Element element{};
      REQUIRE(queue.TryPop(&element) == !oracle.empty());
      if (!oracle.empty()) {
        REQUIRE(element == oracle.front());
        oracle.pop_front();
      }
    }
  }
}

}  // namespace
}  // namespace nowait
