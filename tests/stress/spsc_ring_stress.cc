// One thread puts in, another takes out, as fast as they can: all of it, once, in order.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "src/sync/spsc_ring.h"
#include "tests/stress/findings.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

// Plain and large: a cell that two threads have at once is a race and a torn element.
using Element = std::array<std::uint64_t, 6>;

TEST_CASE("each element comes out once, whole and in order") {
  const std::size_t capacity = GENERATE(1u, 2u, 64u);
  constexpr std::uint64_t kElements = 40'000;
  SpscRing<Element> ring(capacity);
  Findings wrong;
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
          if (room) wrong.Add("a ring with room refuses an element", next);
          std::this_thread::yield();
        }
      }
      return;
    }
    while (next < kElements) {
      const bool some = ring.SizeHint() > 0;
      Element element;
      if (!ring.TryPop(&element)) {
        if (some) wrong.Add("a ring that is not empty has no element", next);
        std::this_thread::yield();
        continue;
      }
      Element expected;
      expected.fill(next++);
      if (element != expected) wrong.Add("another element than", next - 1);
    }
  });
  REQUIRE(wrong.Words() == "");
  Element none;
  REQUIRE_FALSE(ring.TryPop(&none));
}

}  // namespace
}  // namespace nowait
