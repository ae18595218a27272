// One thread puts in, another takes out, as fast as they can: all of it, once, in order.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "src/sync/spsc_ring.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

// Plain and large: a cell that two threads have at once is a race and a torn element.
using Element = std::array<std::uint64_t, 6>;

TEST_CASE("each element comes out once, whole and in order") {
  const std::size_t capacity = GENERATE(1u, 2u, 64u);
  constexpr std::uint64_t kElements = 40'000;
  SpscRing<Element> ring(capacity);
  std::atomic<std::uint32_t> wrong{0}, hints_broken{0};
  Together(2, [&](std::uint32_t thread) {
    std::uint64_t next = 0;
    if (thread == 0) {
      while (next < kElements) {
        const bool room = ring.SizeHint() < capacity;
        Element element;
        element.fill(next);
        if (ring.TryPush(element)) {
          ++next;
        } else {
          if (room) hints_broken.fetch_add(1, std::memory_order::relaxed);
          std::this_thread::yield();
        }
      }
      return;
    }
    while (next < kElements) {
      const bool some = ring.SizeHint() > 0;
      Element element;
      if (!ring.TryPop(&element)) {
        if (some) hints_broken.fetch_add(1, std::memory_order::relaxed);
        std::this_thread::yield();
        continue;
      }
      Element expected;
      expected.fill(next++);
      if (element != expected) wrong.fetch_add(1, std::memory_order::relaxed);
    }
  });
  REQUIRE(wrong == 0);
  REQUIRE(hints_broken == 0);
  Element none;
  REQUIRE_FALSE(ring.TryPop(&none));
}

}  // namespace
}  // namespace nowait
