// Producers and consumers on one queue: each element once, whole, and in its producer's order.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "src/jobs/bounded_queue.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

// Plain and large: a cell that two threads have at once is a race and a torn element.
struct Element {
  std::uint32_t producer;
  std::array<std::uint32_t, 6> number;
};

TEST_CASE("each element comes out once, whole and in its producer's order") {
  const std::size_t capacity = GENERATE(1u, 2u, 64u);
  constexpr std::uint32_t kProducers = 2, kConsumers = 2, kEach = 15'000;
  BoundedQueue<Element> queue(capacity);
  std::vector<std::vector<int>> seen(kProducers, std::vector<int>(kEach, 0));  // plain
  std::atomic<std::uint32_t> left{kProducers * kEach};
  Findings wrong;
  Together(kProducers + kConsumers, [&](std::uint32_t thread) {
    if (thread < kProducers) {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        Element element{thread, {}};
        element.number.fill(i);
        Doing::Now("puts an element in");
        while (!queue.TryPush(element)) std::this_thread::yield();
      }
      return;
    }
    std::vector<std::uint32_t> next(kProducers, 0);  // numbers from one producer only rise
    Doing::Now("takes elements out until none is left");
    while (left.load(std::memory_order::relaxed) != 0) {
      Element element;
      if (!queue.TryPop(&element)) {
        std::this_thread::yield();
        continue;
      }
      left.fetch_sub(1, std::memory_order::relaxed);
      const std::uint32_t number = element.number[0];
      std::array<std::uint32_t, 6> whole;
      whole.fill(number);
      if (element.number != whole || number < next[element.producer]) {
        wrong.Add("an element is torn or out of order: producer, number, at least expected",
                  element.producer, number, next[element.producer]);
        continue;
      }
      next[element.producer] = number + 1;
      ++seen[element.producer][number];  // a second consumer of it would race
    }
  });
  REQUIRE(wrong.Words() == "");
  for (const auto& of_producer : seen) REQUIRE(of_producer == std::vector<int>(kEach, 1));
  Element none;
  REQUIRE_FALSE(queue.TryPop(&none));
}

TEST_CASE("threads that put in and take out leave as many as they should") {
  const std::size_t capacity = GENERATE(1u, 2u, 4u);
  BoundedQueue<std::uint64_t*> queue(capacity);
  constexpr std::uint32_t kThreads = 4;
  std::vector<std::uint64_t> owned(capacity, 0);  // plain: the thread that took one out owns it
  for (std::uint64_t& word : owned) REQUIRE(queue.TryPush(&word));
  std::atomic<std::uint32_t> taken{0}, refused{0};
  Together(kThreads, [&](std::uint32_t) {
    for (int i = 0; i < 15'000; ++i) {
      std::uint64_t* word;
      if (!queue.TryPop(&word)) continue;
      ++*word;
      taken.fetch_add(1, std::memory_order::relaxed);
      // There is room, but a consumer that has not left its cell may be in front of it.
      while (!queue.TryPush(word)) {
        refused.fetch_add(1, std::memory_order::relaxed);
        std::this_thread::yield();
      }
    }
  });
  CAPTURE(refused.load());
  REQUIRE(std::accumulate(owned.begin(), owned.end(), std::uint64_t{0}) == taken);
  REQUIRE_FALSE(queue.TryPush(nullptr));
}

}  // namespace
}  // namespace nowait
