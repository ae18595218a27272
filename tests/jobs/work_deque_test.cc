#include "src/jobs/work_deque.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

namespace nowait {
namespace {

TEST_CASE("the capacity of a deque is rounded up to a power of two") {
  REQUIRE(WorkDeque<int>(0).capacity() == 1);
  REQUIRE(WorkDeque<int>(2).capacity() == 2);
  REQUIRE(WorkDeque<int>(3).capacity() == 4);
}

TEST_CASE("the owner takes the newest, a thief the oldest") {
  WorkDeque<int> deque(4);
  for (int i = 1; i <= 4; ++i) REQUIRE(deque.Push(i));
  REQUIRE_FALSE(deque.Push(5));
  int stolen = 0;
  REQUIRE(deque.Steal(&stolen) == StealResult::kItem);
  REQUIRE(stolen == 1);
  REQUIRE(deque.Push(6));
  for (const int expected : {6, 4, 3, 2}) {
    int taken = 0;
    REQUIRE(deque.Take(&taken));
    REQUIRE(taken == expected);
  }
  int untouched = 7;
  REQUIRE_FALSE(deque.Take(&untouched));
  REQUIRE(untouched == 7);
  REQUIRE(deque.Steal(&stolen) == StealResult::kEmpty);
  REQUIRE(stolen == 1);
}

TEST_CASE("a deque that is emptied again and again has room again and again") {
  WorkDeque<int> deque(1);
  for (int i = 0; i < 100; ++i) {
    int item = -1;
    REQUIRE_FALSE(deque.Take(&item));
    REQUIRE(deque.Push(i));
    REQUIRE_FALSE(deque.Push(-1));
    if (i % 2 == 0) {
      REQUIRE(deque.Take(&item));
    } else {
      REQUIRE(deque.Steal(&item) == StealResult::kItem);
    }
    REQUIRE(item == i);
  }
}

TEST_CASE("for one thread any order of calls is that of a bounded deque") {
  const std::uint32_t seed = GENERATE(range(1u, 21u));
  const std::size_t capacity = GENERATE(1u, 2u, 16u);
  CAPTURE(seed, capacity);
  std::mt19937 random(seed);
  struct Job {
    std::uint32_t index, generation;
    bool operator==(const Job&) const = default;
  };
  WorkDeque<Job> deque(capacity);
  std::deque<Job> oracle;
  for (std::uint32_t step = 0; step < 1000; ++step) {
    switch (random() % 4) {
      case 0:
      case 1: {
        const Job job{step, seed};
        REQUIRE(deque.Push(job) == (oracle.size() < capacity));
        if (oracle.size() < capacity) oracle.push_back(job);
        break;
      }
      case 2: {
        Job job{};
        REQUIRE(deque.Take(&job) == !oracle.empty());
        if (!oracle.empty()) {
          REQUIRE(job == oracle.back());
          oracle.pop_back();
        }
        break;
      }
      case 3: {
        Job job{};
        const StealResult result = deque.Steal(&job);
        REQUIRE(result == (oracle.empty() ? StealResult::kEmpty : StealResult::kItem));
        if (!oracle.empty()) {
          REQUIRE(job == oracle.front());
          oracle.pop_front();
        }
        break;
      }
    }
  }
}

}  // namespace
}  // namespace nowait
